import { display, displayJson, formatDuration, formatNumber } from 'landform/report'
import type { RunState } from 'landform/sites'
import type { Phase, Rollout, RunKey } from '../model/run.js'

/** A run with the name of its site, for logs. */
export interface NamedRun extends RunKey {
  readonly name: string
}

interface OfRun {
  readonly run: NamedRun
}

interface RunEnded extends OfRun {
  readonly state: RunState
  readonly outcome: string
  /** Since the first worker started it. */
  readonly durationMs: number
}

interface RolloutChanged extends Pick<Rollout, 'wave' | 'state'> {
  readonly rollout: string
  /** The reason why a person is needed. */
  readonly outcome?: string
}

/** People on call can ignore `info`; `warn` may be temporary, `error` needs a person. */
type Level = 'info' | 'warn' | 'error'
type Line = readonly [level: Level, message: string]
const info = (message: string): Line => ['info', message]
const warn = (message: string): Line => ['warn', message]
const error = (message: string): Line => ['error', message]

/**
 * The facts of each event of a worker, with the level and the sentence. They contain no secret, no payload, no text of a
 * manifest, and no user or password of the database. Text of other systems is escaped when it is written.
 */
const wording = {
  'worker-started': ({ limit, database }: { limit: number; version: string; database: string }) =>
    info(`accepting up to ${limit} sites at once from ${database}`),
  'worker-stopping': ({ signal }: { signal: string }) =>
    info(`${signal}: accepting no more sites, returning the current ones to the queue`),
  'worker-stopped': (_: object) => info('stopped; all sites were returned to the queue'),
  'lease-lost': ({ why }: { why: string }) => error(`lease lost, exiting at once: ${why}`),
  'run-started': (_: OfRun) => info('started'),
  'phase-ended': ({ phase, durationMs }: OfRun & { phase: Phase; durationMs: number }) =>
    info(`${phase} took ${formatDuration(durationMs)}`),
  'configure-accepted': (_: OfRun) => info('configure: accepted'),
  'run-retried': ({ why, pauseMs }: OfRun & { why: string; pauseMs: number }) =>
    warn(`${why}; retrying in ${formatDuration(pauseMs)}`),
  'run-ended': ({ state, outcome, durationMs }: RunEnded) => {
    const result = outcome.replace(/^cancelled[:;] /, '')
    const write = state === 'done' || state === 'cancelled' ? info : error
    return write(`${state} after ${formatDuration(durationMs)}: ${result}`)
  },
  'runs-adopted': ({ from, runs }: { from: string; runs: number }) =>
    warn(`took over ${formatNumber(runs, 'site')} from the dead worker ${from}`),
  'rollout-changed': ({ rollout, state, wave, outcome }: RolloutChanged) => {
    const change = {
      running: 'continues with',
      stopped: 'stopped after',
      done: 'ended with',
      cancelled: 'cancelled at',
    }
    const write = outcome === undefined ? info : error
    const but = state === 'running' ? ', although ' : ': '
    return write(
      `rollout ${rollout} ${change[state]} wave ${wave}${outcome === undefined ? '' : `${but}${outcome}`}`,
    )
  },
  'database-failed': ({ why }: { why: string; code?: string }) => warn(`the database cannot be used: ${why}`),
  'database-restored': (_: object) => info('the database can be used again'),
  'watch-failed': ({ error: name }: { error: string }) =>
    warn(`internal error (${name}); this is a defect of Landform, please report it; retrying`),
}

type Facts = { [T in keyof typeof wording]: Readonly<Parameters<(typeof wording)[T]>[0]> }

/** An event of a worker. */
export type WorkerEvent = { [T in keyof Facts]: { readonly type: T } & Facts[T] }[keyof Facts]

/** Receives every event of a worker. */
export type ReportWorkerEvent = (event: WorkerEvent) => void

interface WorkerLogOptions {
  readonly format: 'text' | 'json'
  readonly worker: string
  /** Milliseconds since 1970, and on a monotonic clock. */
  readonly clock: { now(): number; monotonicMs(): number }
  write(line: string): void
}

const minuteMs = 60_000
/**
 * Creates the log of a worker: a line per event, as text or as JSON (`schemas/fleet-log.schema.json`). While the database
 * is unreachable, everything that uses it fails every second, but the log has one line per minute.
 */
export function createWorkerLog({ format, worker, clock, write }: WorkerLogOptions): ReportWorkerEvent {
  const writtenAt = new Map<string, number>()
  let isAway = false
  let isAwayWritten = false
  /** False if the event was written a moment ago, or if an outage implies it. */
  const isNews = ({ type }: WorkerEvent): boolean => {
    const wasWritten = isAwayWritten
    if (type === 'database-restored') {
      isAway = false
      isAwayWritten = false
      return wasWritten
    }
    // Retries are in the history of the site.
    if (isAway && type === 'run-retried') return false
    if (type !== 'database-failed' && type !== 'watch-failed') return true
    isAway ||= type === 'database-failed'
    const now = clock.monotonicMs()
    if (now - (writtenAt.get(type) ?? Number.NEGATIVE_INFINITY) < minuteMs) return false
    writtenAt.set(type, now)
    isAwayWritten ||= isAway
    return true
  }
  return event => {
    if (!isNews(event)) return
    const { type, run, ...facts } = { run: undefined, ...event }
    const [level, message] = (wording[type] as (event: WorkerEvent) => Line)(event)
    const at = new Date(clock.now()).toISOString()
    if (format === 'text') {
      const site = run === undefined ? '' : `${display(run.name)}/${run.generation} `
      return write(`${at} ${level.padEnd(5)} ${type} ${site}${display(message)}\n`)
    }
    const line = { at, level, event: type, worker, message, ...run, ...facts }
    return write(`${displayJson(JSON.stringify(line))}\n`)
  }
}
