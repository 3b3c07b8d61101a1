import { formatDuration } from 'landform/report'
import type { WorkerEvent } from '../model/worker-event.js'

/** Log levels; people on call can ignore `info`. */
export type Level = 'info' | 'warn' | 'error'

/** Returns the severity of an event: `error` needs a person, `warn` may be temporary. */
export function selectLevel(event: WorkerEvent): Level {
  switch (event.type) {
    case 'lease-lost':
      return 'error'
    case 'engine-said':
      return event.level
    case 'run-ended':
      return event.state === 'done' || event.state === 'cancelled' ? 'info' : 'error'
    case 'rollout-changed':
      return event.state === 'stopped' ? 'error' : 'info'
    case 'run-retried':
    case 'runs-adopted':
    case 'database-failed':
      return 'warn'
    default:
      return 'info'
  }
}

/** Describes an event in a sentence. Text from other systems is not escaped. */
export function describeWorkerEvent(event: WorkerEvent): string {
  switch (event.type) {
    case 'worker-started':
      return `working on up to ${event.limit} sites at once, from ${event.database}`
    case 'worker-stopping':
      return `${event.signal}: accepting no more sites, returning the current ones to the queue`
    case 'worker-stopped':
      return 'stopped; all sites were returned to the queue'
    case 'lease-lost':
      return `lease lost, exiting at once: ${event.why}`
    case 'run-started':
      return 'started'
    case 'phase-ended':
      return `${event.phase} took ${formatDuration(event.durationMs)}`
    case 'configure-accepted':
      return 'configure: accepted'
    case 'run-retried':
      return `retrying in ${formatDuration(event.pauseMs)}: ${event.why}`
    case 'run-ended':
      return `after ${formatDuration(event.durationMs)} ${prefixState(event.state, event.outcome)}`
    case 'runs-adopted':
      return `took over ${event.runs} sites from the dead worker ${event.from}`
    case 'rollout-changed':
      return `${event.rollout} is ${event.state} at wave ${event.wave}`
    case 'database-failed':
      return `the database does not respond: ${event.why}`
    case 'database-restored':
      return 'the database responds again'
    case 'engine-said':
      return event.said
    default:
      return event satisfies never
  }
}

/** Prefixes an outcome with the state of the run, unless it begins with it. */
function prefixState(state: string, outcome: string): string {
  return outcome.startsWith(`${state}:`) ? outcome : `${state}: ${outcome}`
}
