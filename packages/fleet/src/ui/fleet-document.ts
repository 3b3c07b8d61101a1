import { type RunState, runStates } from 'landform/sites'
import type { WorkerStatus } from '../model/fleet-snapshot.js'
import type { RolloutRow, SiteRow } from '../model/overview.js'
import type { FleetMemory } from './fleet-memory.js'

/** The reason that the data is stale. */
export interface StaleReason {
  readonly message: string
}

/** A snapshot of the whole fleet: `schemas/fleet-page.schema.json`. */
export interface FleetDocument {
  readonly formatVersion: 1
  /** Id of this document: the events after this one report the changes to it. */
  readonly id: string
  /** In milliseconds since 1970, by the clock of the database. */
  readonly now: number
  /** The database, without user and password. */
  readonly where: string
  readonly trouble: StaleReason | null
  readonly counts: Readonly<Record<RunState, number>>
  readonly sites: readonly SiteRow[]
  readonly rollouts: readonly RolloutRow[]
  readonly workers: readonly WorkerStatus[]
}

export interface PageState extends Pick<FleetDocument, 'id' | 'where'> {
  /** Absent before the first response of the database. */
  readonly memory: FleetMemory | undefined
  readonly trouble: StaleReason | undefined
}

/** Builds the document of a fleet. */
export function buildPageDocument({ id, where, memory, trouble }: PageState): FleetDocument {
  const { now = 0, rollouts = [], workers = [] } = memory ?? {}
  const sites = [...(memory?.sites.values() ?? [])]
  const counts = Object.fromEntries(runStates.map(state => [state, 0])) as Record<RunState, number>
  for (const { state } of sites) counts[state] += 1
  return { formatVersion: 1, id, now, where, trouble: trouble ?? null, counts, sites, rollouts, workers }
}
