import { gitBackend } from '../../src/state/git-backend.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { type ObjectStore, objectBackend } from '../../src/state/object-backend.js'
import type { StateBackend } from '../../src/state/series.js'
import { stateStore } from '../../src/state/state-store.js'
import { statePortsFor } from '../support/some-state.js'

const minuteMs = 60_000
const leaseMs = 15 * minuteMs
const hourMs = 60 * minuteMs
const begin = Date.UTC(2026, 0, 2)
/** A lease is safe for clocks that differ by up to two minutes. */
const guaranteedSkewMs = 2 * minuteMs

/** Locks the site on a machine with this clock. */
function machine(backend: StateBackend, host: string, now: number | (() => number)) {
  const ports = { self: async () => ({ host, pid: 1 }), liveness: async () => 'elsewhere' as const }
  const url = 'https://gis.example.org/admin'
  const clock = typeof now === 'number' ? () => now : now
  return stateStore(backend, { url }, statePortsFor(clock, ports)).take('apply')
}

const nowhere = async () => {
  throw new Error('nothing is asked of the store')
}
const store: ObjectStore = {
  kind: 's3',
  probeName: '',
  keyOf: () => '',
  nameOf: () => '',
  create: nowhere,
  read: nowhere,
  listSerials: nowhere,
}
const backends = {
  git: gitBackend('origin', { folder: '.', environment: {}, deadlineMs: 1 }),
  's3 or kubernetes': objectBackend('s3:sites', store, nowhere),
}

test.each(Object.entries(backends))(
  'the lock of state in %s lasts 15 minutes from its last version, then another run takes over',
  async (_, { addTogether, ...place }) => {
    // The versions are in memory; everything else is as in the backend.
    const backend = { ...place, series: memoryBackend().series }
    let now = begin
    const first = await machine(backend, 'one', () => now)
    if (first.kind !== 'held') throw new Error(first.kind)
    const countVersions = async () => {
      const all = await backend.series('https://gis.example.org/admin').all()
      return all.ok ? all.value.length : all.error
    }
    const expectEnd = (minutes: number) =>
      expect(first.held.lock.expiresAt).toBe(new Date(begin + minutes * minuteMs).toISOString())
    expectEnd(15)
    // The lease is renewed once a third of it has passed.
    now = begin + 5 * minuteMs - 1
    expect([await first.held.renew(), await countVersions()]).toEqual([{ ok: true, value: undefined }, 1])
    expectEnd(15)
    now = begin + 5 * minuteMs
    expect([await first.held.renew(), await countVersions()]).toEqual([{ ok: true, value: undefined }, 2])
    expectEnd(20)

    const end = begin + 20 * minuteMs + guaranteedSkewMs
    const early = await machine(backend, 'two', end - 1)
    expect(early).toMatchObject({ kind: 'locked', lock: first.held.lock, liveness: 'elsewhere' })
    expect(await machine(backend, 'two', end)).toMatchObject({ kind: 'held', former: first.held.lock })
    expect(await first.held.write({ type: 'renewed' }, content => content)).toMatchObject({
      ok: false,
      error: { kind: 'overtaken', reason: { kind: 'taken-over' } },
    })
    expect(await countVersions()).toBe(3)
  },
)

const late = [minuteMs, 2 * minuteMs, 3 * minuteMs, hourMs, 365 * 24 * hourMs]
const apart = [...late.map(ms => -ms), 0, ...late]

test.each(apart)(
  'of two machines whose clocks differ by %i ms only one can write, however long the lease was held',
  async apartMs => {
    for (const heldMs of [
      0,
      minuteMs,
      leaseMs - minuteMs,
      leaseMs - 1,
      leaseMs,
      leaseMs + 2 * minuteMs,
      hourMs,
    ]) {
      const backend = { ...memoryBackend(), leaseMs }
      const first = await machine(backend, 'one', begin)
      if (first.kind !== 'held') throw new Error(first.kind)
      const isTaken = (await machine(backend, 'two', begin + heldMs + apartMs)).kind === 'held'
      if (heldMs < leaseMs && Math.abs(apartMs) <= guaranteedSkewMs) expect(isTaken).toBe(false)
      if (heldMs + apartMs >= leaseMs + guaranteedSkewMs) expect(isTaken).toBe(true)
      const written = await first.held.write({ type: 'renewed' }, content => content)
      expect([heldMs, written.ok]).toEqual([heldMs, !isTaken])
    }
  },
)
