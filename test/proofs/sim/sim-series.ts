import type { StateBackend, Version } from '../../../src/state/series.js'
import type { StateFailure, StateReply } from '../../../src/state/state-failure.js'
import type { Machines, World } from './world.js'

/** The faults of reads and writes, in addition to those of the process. */
export const stateFaults = {
  newest: ['unreadable'],
  add: ['unwritable', 'unwritable-after'],
} as const

const where = 'simulated'

/** Creates a state backend in memory for one process. */
export function simBackend(world: World, versions: Version[], at: readonly [Machines, number]): StateBackend {
  const [machines, pid] = at
  const failed = (kind: StateFailure['kind'], message: string): StateReply<never> => ({
    ok: false,
    error: { kind, where, reason: { kind: 'system', message } },
  })
  return {
    kind: machines === 'one' ? 'file' : 'git',
    where,
    ...(machines === 'several' && { leaseMs: 15 * 60_000 }),
    series: () => ({
      where,
      newest: () =>
        world.effect(pid, 'newest', fault =>
          fault === 'unreadable' ? failed('unreadable', 'EIO') : { ok: true, value: versions.at(-1) },
        ),
      add: version =>
        world.effect(pid, 'add', fault => {
          if (fault === 'unwritable') return failed('unwritable', 'ENOSPC')
          const isNext = version.serial === versions.length + 1
          if (isNext) versions.push(version)
          return fault === 'unwritable-after' ? failed('unwritable', 'EIO') : { ok: true, value: isNext }
        }),
      all: async () => ({ ok: true, value: [...versions] }),
    }),
  }
}
