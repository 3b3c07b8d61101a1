import { type EventStream, type Every, eventStream } from '../../../../src/page/event-stream.js'
import { DatabaseError } from '../database/database-error.js'
import { reasonOf } from '../database/reason.js'
import { type FleetDocument, fleetDocument, type Trouble } from './fleet-document.js'
import { type FleetMemory, type News, remembered } from './fleet-memory.js'
import type { FleetSource } from './fleet-source.js'

/** The fleet for all open pages: one poll of the database per second serves all of them, and none runs without open pages. */
export interface FleetWatch {
  readonly events: EventStream
  /** Returns the fleet as of a second ago at most, or its last known state if the database does not respond. */
  document(): Promise<FleetDocument>
  /** Resolves when no query is running. */
  settled(): Promise<void>
}

export interface FleetWatchOptions {
  readonly source: FleetSource
  readonly every: Every
  /** Grows with the time that passes, in milliseconds. */
  now(): number
}

const pollMs = 1000
/** A request between two polls gets the result of the last one. */
const freshMs = pollMs / 2
/** Only a poll of everything finds deletions. */
const wholeMs = 60_000
/** A change is committed by then: only a new rollout takes longer, and after one everything is read. */
const overlapMs = 10_000
const sitesOfAnEvent = 100

/** Creates the watch of a fleet. */
export function fleetWatch({ source, every, now }: FleetWatchOptions): FleetWatch {
  let memory: FleetMemory | undefined
  let trouble: Trouble | undefined
  let looking: Promise<void> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let readWholeAt = Number.NEGATIVE_INFINITY
  let built: FleetDocument | undefined
  const events = eventStream({ every, look: () => void fresh(), lookMs: pollMs, keptAtMost: 200 })

  return {
    events,
    async document() {
      await fresh()
      built ??= fleetDocument({ id: events.lastId, where: source.where, memory, trouble })
      return built
    },
    settled: async () => looking,
  }

  async function fresh(): Promise<void> {
    if (now() - lookedAt < freshMs) return
    looking ??= look().finally(() => {
      looking = undefined
      lookedAt = now()
    })
    await looking
  }

  async function look(): Promise<void> {
    try {
      const { found, isWhole } = await lookedAtSource()
      const { memory: after, news } = remembered(memory, found, isWhole)
      // A listener from before the first poll waits for it, unless the database did not respond.
      if (memory !== undefined || trouble !== undefined) tell(news)
      if (isWhole) readWholeAt = now()
      memory = after
      built = undefined
      tellTrouble(undefined)
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      tellTrouble({ message: reasonOf(error) })
    }
  }

  async function lookedAtSource() {
    const before = memory
    if (before !== undefined && now() - readWholeAt < wholeMs) {
      const found = await source.look(before.now - overlapMs)
      const known = new Set(before.rollouts.map(({ id }) => id))
      if (found.rollouts.every(({ id }) => known.has(id))) return { found, isWhole: false }
    }
    return { found: await source.look(), isWhole: true }
  }

  function tell(news: News): void {
    if (news.kind === 'all') {
      events.publish({ event: 'reset', data: {} })
      return
    }
    const { sites, rollouts, workers } = news
    for (let at = 0; at < sites.length; at += sitesOfAnEvent)
      events.publish({ event: 'sites', data: { sites: sites.slice(at, at + sitesOfAnEvent) } })
    if (rollouts !== undefined) events.publish({ event: 'rollouts', data: { rollouts } })
    if (workers !== undefined) events.publish({ event: 'workers', data: { workers } })
  }

  function tellTrouble(current: Trouble | undefined): void {
    if (current?.message === trouble?.message) return
    trouble = current
    built = undefined
    events.publish({ event: 'trouble', data: { trouble: current ?? null } })
  }
}
