import { DatabaseError } from '../../../packages/fleet/src/database/database-error.js'
import type { Overview, RolloutRow, SiteRow } from '../../../packages/fleet/src/model/overview.js'
import type { Rollout, Run, WorkerLease } from '../../../packages/fleet/src/model/run.js'
import type { SiteView } from '../../../packages/fleet/src/model/site-view.js'
import type { FleetSource } from '../../../packages/fleet/src/ui/fleet-source.js'
import { stageNames } from '../../../src/contract/responses.js'
import type { StageRecord } from '../../../src/plan/observation.js'
import { type RunState, runStates } from '../../../src/plan/run-state.js'

/** When everything here begins. */
export const begin = Date.UTC(2026, 2, 4, 9, 0, 0)

/** A run of a site; by its number it has a name, an address and a place in the order. */
export function aRun(number: number, more: Partial<Run> = {}): Run {
  const name = `site-${number}`
  return {
    site: `https://${name}.example.org/gis/admin`,
    generation: 1,
    rollout: 'spring',
    name,
    manifest: `sites/${name}.yaml`,
    digest: `sha256:${'0'.repeat(64)}`,
    wave: 1,
    priority: 100,
    timeoutMs: 3 * 60 * 60_000,
    state: 'done',
    stages: [],
    warnings: [],
    retries: 0,
    isCancelRequested: false,
    submittedAt: begin,
    changedAt: begin,
    ...more,
  }
}

/** The stages of a configuration, as many through as are said, and the next one in progress. */
export function stagesOf(through: number): readonly StageRecord[] {
  return stageNames.map((name, index) => {
    const state = index < through ? 'completed' : index === through ? 'in_progress' : 'not_started'
    if (index === 3 && through > 3) return { name, state: 'not_applicable' }
    if (state === 'not_started') return { name, state }
    const startTime = begin + index * index * 10_000
    return { name, state, startTime, lastUpdated: begin + (index + 1) ** 2 * 10_000 }
  })
}

/** A worker that lives. */
export function aWorker(worker: string, more: Partial<WorkerLease> = {}): WorkerLease {
  return { worker, startedAt: begin, beatAt: begin, leaseMs: 10_000, limit: 20, version: '0.1.0', ...more }
}

/** A submission. */
export function aRollout(id: string, more: Partial<Rollout> = {}): Rollout {
  return {
    id,
    submittedBy: 'ada@ci-17',
    submittedAt: begin,
    wave: 1,
    waves: 1,
    keepsGoing: false,
    state: 'running',
    ...more,
  }
}

/** A fleet that a test changes at will, in place of the one in a database. */
export interface FakeFleet extends FleetSource {
  readonly runs: Map<string, Run>
  rollouts: readonly Rollout[]
  workers: readonly WorkerLease[]
  /** What else is known of a site. */
  readonly views: Map<string, Partial<SiteView>>
  now: number
  /** The code with which the database refuses. */
  trouble: string | undefined
  /** How often it was looked at, and how. */
  readonly looks: (number | undefined)[]
  /** Writes a run, now. */
  put(run: Run): void
}

/** A fleet of these runs. */
export function aFleet(runs: readonly Run[] = []): FakeFleet {
  const keyOf = ({ site, generation }: Pick<Run, 'site' | 'generation'>) => `${site} ${generation}`
  const fleet: FakeFleet = {
    where: 'postgres://db.example.org/fleet',
    runs: new Map(runs.map(run => [keyOf(run), run])),
    rollouts: [aRollout('spring')],
    workers: [aWorker('worker-1')],
    views: new Map(),
    now: begin,
    trouble: undefined,
    looks: [],
    put(run) {
      fleet.now += 1
      fleet.runs.set(keyOf(run), { ...run, changedAt: fleet.now })
    },
    async readFleet(changedAfter) {
      fleet.looks.push(changedAfter)
      if (fleet.trouble !== undefined) throw new DatabaseError('no', fleet.trouble)
      const newest = new Map<string, Run>()
      for (const run of fleet.runs.values())
        if (run.generation >= (newest.get(run.site)?.generation ?? 0)) newest.set(run.site, run)
      const sites = [...newest.values()].filter(({ changedAt }) => changedAt > (changedAfter ?? 0)).map(rowOf)
      return {
        now: fleet.now,
        sites,
        rollouts: fleet.rollouts.map(counted),
        workers: fleet.workers.map(worker => ({
          ...worker,
          isSilent: worker.beatAt + worker.leaseMs < fleet.now,
        })),
      } satisfies Overview
    },
    async readSite(site, generation) {
      if (fleet.trouble !== undefined) throw new DatabaseError('no', fleet.trouble)
      const all = [...fleet.runs.values()]
        .filter(run => run.site === site)
        .sort((a, b) => b.generation - a.generation)
      const run = all.find(one => generation === undefined || one.generation === generation)
      if (run === undefined) return undefined
      return {
        run,
        runs: all,
        events: [],
        receipts: { kind: 'read', receipts: [] },
        next: [],
        ...fleet.views.get(site),
      }
    },
  }
  return fleet

  function counted(rollout: Rollout): RolloutRow {
    const counts = Array.from({ length: rollout.waves }, (_, index) => index + 1).flatMap(wave =>
      runStates.map(state => ({ wave, state, runs: runsOf(rollout.id, wave, state) })),
    )
    return { ...rollout, counts: counts.filter(({ runs: number }) => number > 0) }
  }

  function runsOf(rollout: string, wave: number, state: RunState): number {
    return [...fleet.runs.values()].filter(
      run => run.rollout === rollout && run.wave === wave && run.state === state,
    ).length
  }
}

function rowOf(run: Run): SiteRow {
  const { manifest: _, digest, priority, timeoutMs, stages, warnings, exitCode, commit, ...row } = run
  const running = stages.find(({ state }) => state === 'in_progress')
  return {
    ...row,
    through: stages.filter(({ state }) => state === 'completed' || state === 'not_applicable').length,
    stages: stages.length,
    ...(running !== undefined && { stage: running.name }),
    warnings: warnings.length,
  }
}
