import type { SiteState } from 'landform'
import { describeEntry, display, formatDuration, formatTextTable, type Paint } from 'landform/report'
import { type RunState, runStates } from 'landform/sites'
import type { FleetSnapshot, Run, RunEvent } from '../model/run.js'
import { describeProgress } from './fleet-status.js'

/** Everything known about one site. */
interface SiteHistory {
  readonly site: string
  readonly name: string
  readonly runs: readonly (Run & { readonly events: readonly RunEvent[] })[]
  readonly versions: readonly SiteState[]
}

const columns = ['run', 'submitted', 'state', 'progress', 'took', 'worker', 'retries', 'message'] as const

/**
 * Formats the history of a site for people: its runs and receipts. If verbose, also all events of the runs, and all
 * versions of the state.
 */
export function formatHistory(
  { site, name, runs, versions }: SiteHistory,
  paint: Paint,
  verbose: boolean,
): string {
  const rows = runs.map(run => {
    const { startedAt, endedAt = run.changedAt } = run
    const took = startedAt === undefined ? '-' : formatDuration(endedAt - startedAt)
    const retries = run.retries === 0 ? '-' : String(run.retries)
    const told = [String(run.generation), formatTime(run.submittedAt), run.state, describeProgress(run)]
    return [...told, took, run.worker ?? '-', retries, run.message ?? '']
  })
  const shown = versions.filter(({ entry }) => verbose || entry.type === 'receipt')
  return [
    `${paint('bold', display(name))}  ${display(site)}`,
    '',
    ...formatTextTable(columns, rows, paint),
    ...(verbose ? runs.toReversed().flatMap(run => formatEvents(run, paint)) : []),
    ...(shown.length === 0 ? [] : ['', paint('dim', 'state of the site')]),
    ...shown.map(one => `${String(one.serial).padStart(5)}  ${one.writtenAt}  ${describeEntry(one)}`),
    '',
  ].join('\n')
}

function formatEvents({ generation, events }: SiteHistory['runs'][number], paint: Paint): readonly string[] {
  const lines = events.map(
    ({ at, type, message }) => `  ${formatTime(at)}  ${display(type, 40)}  ${display(message, 500)}`,
  )
  return lines.length === 0 ? [] : ['', paint('dim', `run ${generation}`), ...lines]
}

/** Builds the machine format; its schema is `schemas/fleet-history.schema.json`. */
export function buildHistoryDocument({ site, name, runs, versions }: SiteHistory) {
  const receipts = versions.filter(({ entry }) => entry.type === 'receipt')
  return {
    formatVersion: 1,
    site: name,
    url: site,
    runs: runs.map(run => ({
      ...buildRunDocument(run),
      events: run.events.map(({ site: _, generation: _of, ...one }) => ({ ...one, at: formatTime(one.at) })),
    })),
    receipts: receipts.map(one => {
      const { serial, writtenAt: at, tool, entry } = one
      return { serial, at, tool, message: describeEntry(one), entry }
    }),
  } as const
}

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

const absent = { commit: null, phase: null, message: null, exitCode: null, worker: null } as const

function buildRunDocument({ site: _, name: _name, timeoutMs: _timeoutMs, manifest: file, ...run }: Run) {
  const { submittedAt, startedAt, endedAt, changedAt } = run
  return {
    file,
    ...absent,
    ...run,
    submittedAt: formatTime(submittedAt),
    startedAt: startedAt === undefined ? null : formatTime(startedAt),
    endedAt: endedAt === undefined ? null : formatTime(endedAt),
    changedAt: formatTime(changedAt),
  } as const
}

function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
