import { DatabaseError } from '../database/database-error.js'
import { describeDatabaseError } from '../database/reason.js'
import { buildPageDocument, type FleetDocument, type StaleReason } from './fleet-document.js'
import { createFleetEvents, type Every, type FleetEvents } from './fleet-events.js'
import { type FleetChanges, type FleetMemory, mergeOverview } from './fleet-memory.js'
import type { FleetSource } from './fleet-source.js'

/** The fleet for all open pages: one poll of the database per second serves all of them, and none runs without open pages. */
export interface FleetWatch {
  readonly events: FleetEvents
  /** Returns the fleet as of a second ago at most, or its last known state if the database does not respond. */
  document(): Promise<FleetDocument>
  /** Resolves when no query is running. */
  idle(): Promise<void>
}

export interface FleetWatchOptions {
  readonly source: FleetSource
  readonly every: Every
  /** Grows with the time that passes, in milliseconds. */
  now(): number
}

const pollMs = 1000
/** A request between two polls gets the result of the last one. */
const maxAgeMs = pollMs / 2
/** Only a poll of everything finds deletions. */
const fullPollMs = 60_000
/** A change is committed by then: only a new rollout takes longer, and after one everything is read. */
const overlapMs = 10_000
const maxSitesPerEvent = 100

/** Creates the watch of a fleet. */
export function createFleetWatch({ source, every, now }: FleetWatchOptions): FleetWatch {
  let memory: FleetMemory | undefined
  let staleReason: StaleReason | undefined
  let polling: Promise<void> | undefined
  let polledAt = Number.NEGATIVE_INFINITY
  let readWholeAt = Number.NEGATIVE_INFINITY
  let built: FleetDocument | undefined
  const events = createFleetEvents({ every, poll: () => void refresh(), pollMs })

  return {
    events,
    async document() {
      await refresh()
      built ??= buildPageDocument({ id: events.lastId, where: source.where, memory, trouble: staleReason })
      return built
    },
    idle: async () => polling,
  }

  async function refresh(): Promise<void> {
    if (now() - polledAt < maxAgeMs) return
    polling ??= poll().finally(() => {
      polling = undefined
      polledAt = now()
    })
    await polling
  }

  async function poll(): Promise<void> {
    try {
      const { found, isWhole } = await readSource()
      const { memory: after, news } = mergeOverview(memory, found, isWhole)
      // A listener from before the first poll waits for it, unless the database did not respond.
      if (memory !== undefined || staleReason !== undefined) publishChanges(news)
      if (isWhole) readWholeAt = now()
      memory = after
      built = undefined
      publishStaleReason(undefined)
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      publishStaleReason({ message: describeDatabaseError(error) })
    }
  }

  async function readSource() {
    const before = memory
    if (before !== undefined && now() - readWholeAt < fullPollMs) {
      const found = await source.readFleet(before.now - overlapMs)
      const known = new Set(before.rollouts.map(({ id }) => id))
      if (found.rollouts.every(({ id }) => known.has(id))) return { found, isWhole: false }
    }
    return { found: await source.readFleet(), isWhole: true }
  }

  function publishChanges(news: FleetChanges): void {
    if (news.kind === 'all') {
      events.publish({ event: 'reset', data: {} })
      return
    }
    const { sites, rollouts, workers } = news
    for (let at = 0; at < sites.length; at += maxSitesPerEvent)
      events.publish({ event: 'sites', data: { sites: sites.slice(at, at + maxSitesPerEvent) } })
    if (rollouts !== undefined) events.publish({ event: 'rollouts', data: { rollouts } })
    if (workers !== undefined) events.publish({ event: 'workers', data: { workers } })
  }

  function publishStaleReason(current: StaleReason | undefined): void {
    if (current?.message === staleReason?.message) return
    staleReason = current
    built = undefined
    events.publish({ event: 'trouble', data: { trouble: current ?? null } })
  }
}
