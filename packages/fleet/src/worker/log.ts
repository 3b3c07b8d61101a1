import { display, displayJson, formatDuration } from 'landform/report'
import type { RunState } from 'landform/sites'
import type { Phase, Rollout, RunKey } from '../model/run.js'

/** A run with the name of its site, for logs. */
export interface NamedRun extends RunKey {
  readonly name: string
}

/** The facts of each event of a worker. They hold no secret, no payload, and no text of a manifest. */
interface Events {
  /** `limit` is the maximum number of sites at once; `database` has no user and password. */
  'worker-started': { readonly limit: number; readonly version: string; readonly database: string }
  'worker-stopping': { readonly signal: string }
  'worker-stopped': object
  'lease-lost': { readonly why: string }
  'run-started': { readonly run: NamedRun }
  'phase-ended': { readonly run: NamedRun; readonly phase: Phase; readonly durationMs: number }
  'configure-accepted': { readonly run: NamedRun }
  'run-retried': { readonly run: NamedRun; readonly why: string; readonly pauseMs: number }
  /** The duration is counted since the first worker started it. */
  'run-ended': {
    readonly run: NamedRun
    readonly state: RunState
    readonly outcome: string
    readonly durationMs: number
  }
  'runs-adopted': { readonly from: string; readonly runs: number }
  'rollout-changed': { readonly rollout: string } & Pick<Rollout, 'wave' | 'state'>
  'database-failed': { readonly why: string; readonly code?: string }
  'database-restored': object
  'engine-said': { readonly level: 'warn' | 'error'; readonly said: string }
}

/** An event of a worker. */
export type WorkerEvent = { [T in keyof Events]: { readonly type: T } & Events[T] }[keyof Events]

/** Receives every event of a worker. */
export type ReportWorkerEvent = (event: WorkerEvent) => void

/** People on call can ignore `info`; `warn` may be temporary, `error` needs a person. */
type Level = 'info' | 'warn' | 'error'

/** The level and the sentence of each event. Text of other systems is escaped later. */
const wording: { readonly [T in keyof Events]: (event: Events[T]) => readonly [Level, string] } = {
  'worker-started': ({ limit, database }) => [
    'info',
    `working on up to ${limit} sites at once, from ${database}`,
  ],
  'worker-stopping': ({ signal }) => [
    'info',
    `${signal}: accepting no more sites, returning the current ones to the queue`,
  ],
  'worker-stopped': () => ['info', 'stopped; all sites were returned to the queue'],
  'lease-lost': ({ why }) => ['error', `lease lost, exiting at once: ${why}`],
  'run-started': () => ['info', 'started'],
  'phase-ended': ({ phase, durationMs }) => ['info', `${phase} took ${formatDuration(durationMs)}`],
  'configure-accepted': () => ['info', 'configure: accepted'],
  'run-retried': ({ why, pauseMs }) => ['warn', `retrying in ${formatDuration(pauseMs)}: ${why}`],
  'run-ended': ({ state, outcome, durationMs }) => [
    state === 'done' || state === 'cancelled' ? 'info' : 'error',
    `after ${formatDuration(durationMs)} ${outcome.startsWith(`${state}:`) ? '' : `${state}: `}${outcome}`,
  ],
  'runs-adopted': ({ from, runs }) => ['warn', `took over ${runs} sites from the dead worker ${from}`],
  'rollout-changed': ({ rollout, state, wave }) => [
    state === 'stopped' ? 'error' : 'info',
    `${rollout} is ${state} at wave ${wave}`,
  ],
  'database-failed': ({ why }) => ['warn', `the database does not respond: ${why}`],
  'database-restored': () => ['info', 'the database responds again'],
  'engine-said': ({ level, said }) => [level, said],
}

export interface WorkerLogOptions {
  readonly format: 'text' | 'json'
  readonly worker: string
  /** Milliseconds since 1970, and on a monotonic clock. */
  readonly clock: { now(): number; monotonicMs(): number }
  write(line: string): void
}

const minuteMs = 60_000
/** What the engine says of an unreachable database, in words of the driver and the server. */
const outage = /ECONN|EPIPE|ETIMEDOUT|connect|terminat|timeout|shutting down|starting up|not queryable/i
const unreachable = { type: 'database-failed', why: 'the database cannot be reached' } as const

/**
 * Creates the log of a worker: a line per event, as text or, by `schemas/fleet-log.schema.json`, as JSON. While the database
 * is unreachable, everything that uses it fails every second, the engine included: then there is one line per minute.
 */
export function createWorkerLog({ format, worker, clock, write }: WorkerLogOptions): ReportWorkerEvent {
  /** The time of the last line with each repeatable text. */
  const writtenAt = new Map<string, number>()
  /** True after a line that says so. */
  let isAway = false
  /** False for an event that was written a moment ago, or that an outage implies. */
  const isNews = (event: WorkerEvent): boolean => {
    const { type } = event
    const wasAway = isAway
    if (type === 'database-restored') {
      isAway = false
      return wasAway
    }
    // The history of the site has retries.
    if (isAway && (type === 'run-retried' || type === 'engine-said')) return false
    if (type !== 'database-failed' && type !== 'engine-said') return true
    const text = type === 'engine-said' ? event.said : type
    const now = clock.monotonicMs()
    for (const [known, at] of writtenAt) if (now - at >= minuteMs) writtenAt.delete(known)
    if (writtenAt.has(text)) return false
    writtenAt.set(text, now)
    isAway ||= type === 'database-failed'
    return true
  }
  return reported => {
    const isOutage = reported.type === 'engine-said' && outage.test(reported.said)
    const event: WorkerEvent = isOutage ? unreachable : reported
    if (!isNews(event)) return
    const { type, run, ...facts } = { run: undefined, ...event }
    const [level, message] = (wording[type] as (event: WorkerEvent) => readonly [Level, string])(event)
    const at = new Date(clock.now()).toISOString()
    if (format === 'text') {
      const site = run === undefined ? '' : `${display(run.name)}/${run.generation} `
      return write(`${at} ${level.padEnd(5)} ${type} ${site}${display(message)}\n`)
    }
    const line = { at, level, event: type, worker, message, ...run, ...facts }
    return write(`${displayJson(JSON.stringify(line))}\n`)
  }
}
