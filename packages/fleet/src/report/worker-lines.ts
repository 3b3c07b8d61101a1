import { display, displayJson } from 'landform/report'
import type { WorkerEvent } from '../model/worker-event.js'
import { describeWorkerEvent, selectLevel } from './worker-event-text.js'

/** The time and the worker of an event. */
export interface EventContext {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly worker: string
}

/** The log formats of a worker, by name. */
export const workerLine = { text: formatTextLine, json: formatJsonLine } as const

/** Formats an event for people: time, level, event, site and sentence. */
function formatTextLine(event: WorkerEvent, { at }: EventContext): string {
  const site = 'run' in event ? `${display(event.run.name)}/${event.run.generation} ` : ''
  const head = `${new Date(at).toISOString()} ${selectLevel(event).padEnd(5)} ${event.type}`
  return `${head} ${site}${display(describeWorkerEvent(event))}\n`
}

/** Formats an event for machines: one object per line, as in `schemas/fleet-log.schema.json`. */
function formatJsonLine(event: WorkerEvent, { at, worker }: EventContext): string {
  const { type, ...facts } = event
  const { run, ...rest } = { run: undefined, ...facts }
  const line = {
    at: new Date(at).toISOString(),
    level: selectLevel(event),
    event: type,
    worker,
    message: describeWorkerEvent(event),
    ...(run as object | undefined),
    ...rest,
  }
  return `${displayJson(JSON.stringify(line))}\n`
}
