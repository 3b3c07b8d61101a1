import { type RunState, runStates } from 'landform/sites'
import type { FleetSnapshot } from '../model/fleet-snapshot.js'
import type { Run } from '../model/run.js'

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
