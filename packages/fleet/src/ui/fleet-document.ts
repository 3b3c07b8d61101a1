import type { SeenWorker } from '../model/fleet-look.js'
import type { RolloutRow, SiteRow } from '../model/overview.js'
import { type RunState, runStates } from '../model/run.js'
import type { FleetMemory } from './fleet-memory.js'

/** Why nothing newer is known. */
export interface Trouble {
  readonly message: string
}

/** The whole fleet at one moment: `schemas/fleet-page.schema.json`. */
export interface FleetDocument {
  readonly formatVersion: 1
  /** Names this document: the events after this one tell what became of it. */
  readonly id: string
  /** By the clock of the database, in milliseconds since 1970. */
  readonly now: number
  /** The database, without user and password. */
  readonly where: string
  readonly trouble: Trouble | null
  readonly counts: Readonly<Record<RunState, number>>
  readonly sites: readonly SiteRow[]
  readonly rollouts: readonly RolloutRow[]
  readonly workers: readonly SeenWorker[]
}

export interface Shown extends Pick<FleetDocument, 'id' | 'where'> {
  /** Absent before the database has answered. */
  readonly memory: FleetMemory | undefined
  readonly trouble: Trouble | undefined
}

/** Writes down what is known of a fleet. */
export function fleetDocument({ id, where, memory, trouble }: Shown): FleetDocument {
  const { now = 0, rollouts = [], workers = [] } = memory ?? {}
  const sites = [...(memory?.sites.values() ?? [])]
  const counts = Object.fromEntries(runStates.map(state => [state, 0])) as Record<RunState, number>
  for (const { state } of sites) counts[state] += 1
  return { formatVersion: 1, id, now, where, trouble: trouble ?? null, counts, sites, rollouts, workers }
}
