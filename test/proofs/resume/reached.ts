import { enumerate, settings } from '../sim/enumerate.js'
import { interleaved } from '../sim/interleave.js'
import type { RunPorts } from '../sim/one-run.js'
import type { Mutant } from '../sim/scenario.js'
import { journals, type LockKind, locks, type SiteKind, sites } from './table.js'

/** The names of the situations in which simulated runs began, and whether each of their parts is in the table. */
export interface Reached {
  readonly names: ReadonlySet<string>
  readonly unknown: readonly string[]
}

const clockSkewMs = 2 * 60_000

/** Plays courses of the simulation, one in `every` of those with two faults, and notes where each run begins. */
export async function reached({ every, seeds }: { every: number; seeds: number }): Promise<Reached> {
  const names = new Set<string>()
  const watcher: Mutant = { ports: ports => watched(ports, name => names.add(name)) }
  for (const setting of settings) {
    for await (const _ of enumerate(setting, { keep: count => count % every === 0 }, watcher));
    for (let seed = 1; seed <= seeds; seed += 1) await interleaved(seed, setting, watcher)
  }
  const known: readonly (readonly string[])[] = [journals, sites, locks]
  const unknown = [...names].filter(name => name.split(' / ').some((part, at) => !known[at]?.includes(part)))
  return { names, unknown }
}

/** The first look and the first reading of a run; what it does later changes nothing of where it began. */
function watched(ports: RunPorts, note: (name: string) => void): RunPorts {
  const { client, state, clock } = ports
  let site: SiteKind | undefined
  let isNoted = false
  return {
    ...ports,
    client: {
      ...client,
      async observe(...args: Parameters<typeof client.observe>) {
        const reply = await client.observe(...args)
        if (reply.ok) site ??= reply.value.kind
        return reply
      },
    },
    state: {
      ...state,
      async read() {
        const read = await state.read()
        if (!read.ok || isNoted || site === undefined) return read
        isNoted = true
        const { lock, submission } = read.value ?? {}
        const liveness = lock === undefined ? 'nobody' : await state.liveness(lock.holder)
        const isOver = Date.parse(lock?.expiresAt ?? '') + clockSkewMs <= clock.now()
        const lease: LockKind = isOver ? 'expired lease' : 'live lease'
        const isLease = liveness === 'elsewhere' && lock?.expiresAt !== undefined
        note([submission?.state ?? 'none', site, isLease ? lease : liveness].join(' / '))
        return read
      },
    },
  }
}
