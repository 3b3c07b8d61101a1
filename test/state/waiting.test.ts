import type { Liveness } from '../../src/plan/submission.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { LockOwner, StatePorts } from '../../src/state/ports.js'
import type { StateBackend } from '../../src/state/series.js'
import { stateStore } from '../../src/state/state-store.js'
import { statePortsFor } from '../support/some-state.js'
import { virtualClock } from '../support/virtual-clock.js'

const url = 'https://gis.example.org/arcgis/admin'
const minutes = 60_000
const reason = { kind: 'system', message: 'away' } as const
const away = { ok: false, error: { kind: 'unreadable', where: 'memory', reason } } as const

interface PlaceOptions {
  readonly liveness?: Liveness
  readonly leaseMs?: number
  /** The number of waits after which the waiting is over. */
  readonly waits?: number
  /** Happens during the wait with this number. */
  during?(wait: number): unknown
}

/** A site that another run may hold, and a run that waits a minute before it reads the lock again. */
function aPlace({ liveness = 'alive', leaseMs, waits = 9, during }: PlaceOptions = {}) {
  const clock = virtualClock()
  const place = { isAway: false }
  const kept: StateBackend = { ...memoryBackend(), ...(leaseMs !== undefined && { leaseMs }) }
  const backend: StateBackend = {
    ...kept,
    series(site) {
      const series = kept.series(site)
      return { ...series, newest: async check => (place.isAway ? away : series.newest(check)) }
    },
  }
  const owners: LockOwner[] = []
  const awaitLock: StatePorts['awaitLock'] = async owner => {
    owners.push(owner)
    clock.pass(minutes)
    await during?.(owners.length)
    if (owners.length > waits) throw new Error('waits after the end')
    return owners.length < waits
  }
  const self = async () => ({ host: 'runner', pid: 2 })
  const ports = statePortsFor(clock.now, { self, liveness: async () => liveness })
  const other = stateStore(kept, { url }, statePortsFor(clock.now))
  const hold = async () => {
    const taken = await other.take('destroy')
    if (taken.kind !== 'held') throw new Error(taken.kind)
    return taken.held
  }
  const waiting = stateStore(backend, { url }, { ...ports, awaitLock })
  return { waiting, impatient: stateStore(backend, { url }, ports), place, owners, hold }
}

describe('a run that waits for the lock of another run', () => {
  test('reads it again until it is released', async () => {
    let release: (() => Promise<unknown>) | undefined
    const run = aPlace({ during: async wait => (wait === 3 ? release?.() : undefined) })
    const held = await run.hold()
    release = () => held.release({ type: 'released' })
    await run.waiting.whenFree()
    const owner = { lock: held.lock, liveness: 'alive' }
    expect(run.owners).toEqual([owner, owner, owner])
    const again = await run.hold()
    release = () => again.release({ type: 'released' })
    run.owners.length = 0
    expect((await run.waiting.take('apply')).kind).toBe('held')
    expect(run.owners).toHaveLength(3)
  })

  test.each([1, 2])('stops once the waiting is over, after %i of its reads', async waits => {
    const run = aPlace({ waits })
    await run.hold()
    await run.waiting.whenFree()
    expect(run.owners).toHaveLength(waits)
    const late = aPlace({ waits })
    await late.hold()
    expect(await late.waiting.take('apply')).toMatchObject({ kind: 'locked', liveness: 'alive' })
    expect(late.owners).toHaveLength(waits)
  })

  test.each<[string, PlaceOptions, number]>([
    ['a process that ended', { liveness: 'dead' }, 0],
    [
      'a process on another machine, until 2 minutes after its lease',
      { liveness: 'elsewhere', leaseMs: minutes },
      3,
    ],
    ['a process on another machine, forever without a lease', { liveness: 'elsewhere' }, 9],
    ['a living process, whatever its lease', { liveness: 'alive', leaseMs: minutes }, 9],
  ])('waits for %s', async (_, options, waits) => {
    const run = aPlace(options)
    await run.hold()
    await run.waiting.whenFree()
    expect(run.owners).toHaveLength(waits)
  })

  test('never waits for a site that is free', async () => {
    const run = aPlace()
    await run.waiting.whenFree()
    expect(await run.waiting.take('apply', () => false)).toEqual({ kind: 'moved' })
    expect((await run.waiting.take('apply')).kind).toBe('held')
    expect(run.owners).toEqual([])
  })

  test('does not wait if the lock cannot be read at first', async () => {
    const run = aPlace()
    await run.hold()
    run.place.isAway = true
    await run.waiting.whenFree()
    expect(await run.waiting.take('apply')).toEqual({ kind: 'failed', failure: away.error })
    expect(run.owners).toEqual([])
  })

  test('waits on for the owner that it knows if the lock cannot be read later', async () => {
    const run = aPlace({
      during(wait) {
        run.place.isAway = wait < 3
        return wait === 3 ? release() : undefined
      },
    })
    const held = await run.hold()
    const release = () => held.release({ type: 'released' })
    await run.waiting.whenFree()
    const owner = { lock: held.lock, liveness: 'alive' }
    expect(run.owners).toEqual([owner, owner, owner])
  })
})

test('a run that never waits is told at once that the site is locked', async () => {
  const run = aPlace()
  const { lock } = await run.hold()
  await run.impatient.whenFree()
  expect(await run.impatient.take('apply')).toEqual({ kind: 'locked', lock, liveness: 'alive' })
})

test('the first lock of a site has no former one', async () => {
  const taken = await aPlace().impatient.take('apply')
  expect(Object.keys(taken)).toEqual(['kind', 'held'])
})
