import type { Result } from 'landform'
import { exitCodes, type Failure, UsageError } from 'landform/cli'
import { display } from 'landform/report'
import { findSimilar } from 'landform/sites'
import type { FleetStore } from '../database/fleet-store.js'
import type { Rollout, Run } from '../model/run.js'
import { selectSites } from './select-sites.js'

interface RunSelection {
  readonly sites: readonly string[]
  readonly rollout: string | undefined
  /** The flag for all sites, and whether it is given. */
  readonly flag: { readonly name: string; readonly isGiven: boolean }
}

export type SelectedRuns = Result<
  { readonly runs: readonly Run[]; readonly rollouts: readonly Rollout[] },
  Failure
>

/** Selects the newest runs and the rollouts that the command line names. */
export async function selectRuns(
  { sites, rollout, flag }: RunSelection,
  store: FleetStore,
): Promise<SelectedRuns> {
  const isAny = flag.isGiven || rollout !== undefined
  if (sites.length > 0 && isAny)
    throw new UsageError(`site names cannot be combined with --${flag.name} or --rollout`)
  if (sites.length === 0 && !isAny) throw new UsageError(`name sites, or use --${flag.name} or --rollout ID`)
  if (sites.length > 0) {
    const chosen = selectSites(sites, await store.runs())
    return chosen.ok ? { ok: true, value: { runs: chosen.value, rollouts: [] } } : chosen
  }
  const all = await store.rollouts()
  const meant = rollout === undefined ? all : all.filter(({ id }) => id === rollout)
  if (rollout === undefined) return { ok: true, value: { runs: await store.runs(), rollouts: meant } }
  if (meant.length > 0) return { ok: true, value: { runs: await store.runs({ rollout }), rollouts: meant } }
  const near = findSimilar(
    rollout,
    all.map(({ id }) => id),
  )
  const hint = near === undefined ? '' : `; did you mean ${display(near)}?`
  const message = `rollout ${display(rollout)} does not exist${hint}`
  return { ok: false, error: { exitCode: exitCodes.missing, message, next: 'landform fleet status' } }
}
