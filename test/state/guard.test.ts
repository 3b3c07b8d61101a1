import { memoryBackend } from '../../src/state/memory-backend.js'
import type { Guard, GuardHolder } from '../../src/state/series.js'
import { stateStore } from '../../src/state/state-store.js'
import { failingFrom, statePortsFor } from '../support/some-state.js'

const site = 'https://gis.example.org/arcgis/admin'
const released = { type: 'released' } as const
const since = '2026-01-01T00:00:00.000Z'

/** A backend with a guard; its runs never check whether the process of another one is alive. */
function aPlace(backend = memoryBackend()) {
  let has: GuardHolder | undefined
  const purposes: string[] = []
  const guardFor = (pid: number): Guard => ({
    async take(_, purpose) {
      purposes.push(purpose)
      if (has !== undefined) return { ok: true, value: { kind: 'locked', by: has } }
      has = { nonce: `hold ${pid}`, holder: { host: 'runner', pid }, purpose, since }
      const release = async () => {
        has = undefined
      }
      return { ok: true, value: { kind: 'held', release } }
    },
    holder: async () => ({ ok: true, value: has }),
  })
  const run = (pid: number) =>
    stateStore(
      { ...backend, guard: guardFor(pid) },
      { url: site },
      statePortsFor(() => 0, {
        self: async () => ({ host: 'runner', pid }),
        liveness: async () => {
          throw new Error('nobody asks')
        },
      }),
    )
  return {
    one: run(1),
    other: run(2),
    guard: guardFor(3),
    purposes,
    /** Ends the hold as when a process ends. */
    end() {
      has = undefined
    },
  }
}

test('only one run holds a site, and another one is told its owner, even before the first version', async () => {
  const { one, other, guard } = aPlace()
  const fleet = await guard.take(site, 'fleet')
  const lock = { nonce: 'hold 3', fence: 1, holder: { host: 'runner', pid: 3 }, purpose: 'fleet', since }
  expect(await one.take('apply')).toEqual({ kind: 'locked', lock, liveness: 'alive' })
  expect(await one.lockOwner(undefined)).toEqual({ lock, liveness: 'alive' })
  if (fleet.ok && fleet.value.kind === 'held') await fleet.value.release()
  const taken = await one.take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  expect(await other.take('apply')).toEqual({ kind: 'locked', lock: taken.held.lock, liveness: 'alive' })
  await taken.held.release(released)
  expect((await other.take('apply')).kind).toBe('held')
})

test('the lock of a run that lost its guard is taken over, and later writes of that run are rejected', async () => {
  const { one, other, end } = aPlace()
  const late = await one.take('apply')
  if (late.kind !== 'held') throw new Error(late.kind)
  const { lock } = late.held
  end()
  const newest = await one.read()
  expect(newest.ok && (await other.lockOwner(newest.value))).toEqual({ lock, liveness: 'dead' })
  const taken = await other.take('apply')
  expect(taken).toMatchObject({ kind: 'held', former: lock })
  // Its process may be suspended.
  expect(taken).not.toHaveProperty('isGone')
  expect(await late.held.write({ type: 'renewed' }, content => content)).toMatchObject({
    error: { kind: 'overtaken' },
  })
})

test('a guard is released if the site is not locked, and if the last version cannot be written', async () => {
  const failure = {
    kind: 'unwritable',
    where: 'memory',
    reason: { kind: 'system', message: 'lost' },
  } as const
  const { one, guard } = aPlace(failingFrom(2, failure))
  expect(await one.take('apply', () => false)).toEqual({ kind: 'moved' })
  const taken = await one.take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  expect(await taken.held.release(released)).toEqual({ ok: false, error: failure })
  expect(await guard.take(site, 'apply')).toMatchObject({ value: { kind: 'held' } })
})

test('a lock is removed if no run holds the site, and the guard is released', async () => {
  const { one, other, purposes, end } = aPlace()
  const taken = await one.take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  const { nonce } = taken.held.lock
  expect(await other.unlock(nonce)).toEqual({ ok: true, value: 'alive' })
  end()
  expect(await other.unlock('another')).toEqual({ ok: true, value: 'another' })
  expect(await other.unlock(nonce)).toEqual({ ok: true, value: 'unlocked' })
  expect(purposes).toEqual(['apply', 'unlock', 'unlock', 'unlock'])
  expect((await one.take('apply')).kind).toBe('held')
})

test('a backend that does not respond locks nothing, and no process is reported as gone', async () => {
  const failure = {
    kind: 'unreadable',
    where: 'memory',
    reason: { kind: 'system', message: 'away' },
  } as const
  const away: Guard = {
    take: async () => ({ ok: false, error: failure }),
    holder: async () => ({ ok: false, error: failure }),
  }
  const backend = memoryBackend()
  const before = await stateStore(
    backend,
    { url: site },
    statePortsFor(() => 0),
  ).take('apply')
  if (before.kind !== 'held') throw new Error(before.kind)
  const store = stateStore(
    { ...backend, guard: away },
    { url: site },
    statePortsFor(() => 0),
  )
  expect(await store.take('apply')).toEqual({ kind: 'failed', failure })
  expect(await store.unlock(before.held.lock.nonce)).toEqual({ ok: false, error: failure })
  const newest = await store.read()
  expect(newest.ok && (await store.lockOwner(newest.value))?.liveness).toBe('elsewhere')
})
