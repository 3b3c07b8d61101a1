import { display, displayJson } from '../../../../src/report/display.js'
import type { WorkerEvent } from '../model/worker-event.js'
import { describeWorkerEvent, levelOf } from './worker-event-text.js'

/** When an event was, and which worker tells it. */
export interface Told {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly worker: string
}

/** How the lines of a worker look, by the name of the format. */
export const workerLine = { text: textLine, json: jsonLine } as const

/** For people: time, level, event, site and sentence. */
function textLine(event: WorkerEvent, { at }: Told): string {
  const site = 'run' in event ? `${display(event.run.name)}/${event.run.generation} ` : ''
  const head = `${new Date(at).toISOString()} ${levelOf(event).padEnd(5)} ${event.type}`
  return `${head} ${site}${display(describeWorkerEvent(event))}\n`
}

/** For machines: one object a line, as schemas/fleet-log.schema.json says. */
function jsonLine(event: WorkerEvent, { at, worker }: Told): string {
  const { type, ...facts } = event
  const { run, ...rest } = { run: undefined, ...facts }
  const line = {
    at: new Date(at).toISOString(),
    level: levelOf(event),
    event: type,
    worker,
    message: describeWorkerEvent(event),
    ...(run as object | undefined),
    ...rest,
  }
  return `${displayJson(JSON.stringify(line))}\n`
}
