import type { SiteState } from 'landform'
import { describeEntry, display, formatDuration, formatTextTable, type Paint } from 'landform/report'
import { type RunState, runStates } from 'landform/sites'
import type { FleetSnapshot, Run, RunEvent } from '../model/run.js'
import { describeProgress } from './fleet-status.js'

/** The machine format of a fleet. */
export type FleetDocument = ReturnType<typeof buildFleetDocument>

/** Builds the machine format of a fleet; its schema is `schemas/fleet-runs.schema.json`. */
export function buildFleetDocument({ runs, rollouts, workers }: FleetSnapshot, exitCode: number) {
  const counts = Object.fromEntries(
    runStates.map(state => [state, runs.filter(run => run.state === state).length]),
  ) as Record<RunState, number>
  return {
    formatVersion: 1,
    exitCode,
    summary: { sites: runs.length, ...counts },
    sites: runs.map(run => ({ site: run.name, url: run.site, ...buildRunDocument(run) })),
    rollouts: rollouts.map(one => ({ ...one, submittedAt: formatTime(one.submittedAt) })),
    workers: workers.map(one => ({
      ...one,
      startedAt: formatTime(one.startedAt),
      beatAt: formatTime(one.beatAt),
    })),
  } as const
}

/** Builds the machine format of one run, without its site. */
export function buildRunDocument(run: Run) {
  const { generation, rollout, manifest, digest, commit, wave, priority, state, phase, message, exitCode } =
    run
  const { stages, warnings, retries, worker, isCancelRequested, startedAt, endedAt } = run
  return {
    generation,
    rollout,
    file: manifest,
    digest,
    commit: commit ?? null,
    wave,
    priority,
    state,
    phase: phase ?? null,
    message: message ?? null,
    exitCode: exitCode ?? null,
    stages,
    warnings,
    retries,
    worker: worker ?? null,
    isCancelRequested,
    submittedAt: formatTime(run.submittedAt),
    startedAt: startedAt === undefined ? null : formatTime(startedAt),
    endedAt: endedAt === undefined ? null : formatTime(endedAt),
    changedAt: formatTime(run.changedAt),
  } as const
}

/** Formats a time as in all documents. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** Everything known about one site. */
export interface SiteHistory {
  readonly site: string
  readonly name: string
  /** Every run with its events, the newest first. */
  readonly runs: readonly (Run & { readonly events: readonly RunEvent[] })[]
  /** Every version of its state, the oldest first. */
  readonly versions: readonly SiteState[]
}

interface View {
  readonly paint: Paint
  /** Show every event, and every version of the state instead of receipts only. */
  readonly verbose: boolean
}

/** Formats the history of a site for people: its runs, their events, and its receipts. */
export function formatHistory({ site, name, runs, versions }: SiteHistory, { paint, verbose }: View): string {
  const lines = formatTextTable(
    ['run', 'submitted', 'state', 'at', 'took', 'worker', 'retries', 'message'],
    runs.map(run => [
      String(run.generation),
      formatTime(run.submittedAt),
      run.state,
      describeProgress(run),
      formatRunDuration(run),
      run.worker ?? '-',
      run.retries === 0 ? '-' : String(run.retries),
      run.message ?? '',
    ]),
    paint,
  )
  const shown = verbose ? versions : versions.filter(({ entry }) => entry.type === 'receipt')
  return [
    `${paint('bold', display(name))}  ${display(site)}`,
    '',
    ...lines,
    ...(verbose ? runs.toReversed().flatMap(run => formatEvents(run, paint)) : []),
    ...(shown.length === 0 ? [] : ['', paint('dim', 'state of the site')]),
    ...shown.map(one => `${String(one.serial).padStart(5)}  ${one.writtenAt}  ${describeEntry(one)}`),
    '',
  ].join('\n')
}

/** Builds the machine format; its schema is `schemas/fleet-history.schema.json`. */
export function buildHistoryDocument({ site, name, runs, versions }: SiteHistory) {
  return {
    formatVersion: 1,
    site: name,
    url: site,
    runs: runs.map(run => ({
      ...buildRunDocument(run),
      events: run.events.map(({ number, at, type, message }) => ({
        number,
        at: formatTime(at),
        type,
        message,
      })),
    })),
    receipts: versions
      .filter(({ entry }) => entry.type === 'receipt')
      .map(one => ({
        serial: one.serial,
        at: one.writtenAt,
        tool: one.tool,
        message: describeEntry(one),
        entry: one.entry,
      })),
  } as const
}

function formatEvents({ generation, events }: SiteHistory['runs'][number], paint: Paint): readonly string[] {
  if (events.length === 0) return []
  const lines = events.map(
    ({ at, type, message }) => `  ${formatTime(at)}  ${display(type, 40)}  ${display(message, 500)}`,
  )
  return ['', paint('dim', `run ${generation}`), ...lines]
}

function formatRunDuration({ startedAt, endedAt, changedAt }: Run): string {
  return startedAt === undefined ? '-' : formatDuration((endedAt ?? changedAt) - startedAt)
}
