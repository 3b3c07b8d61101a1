import { append, openChain } from '../../src/state/chain.js'
import { createHeldState, overrideHeldState } from '../../src/state/held-state.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { emptyContent, type Lock } from '../../src/state/site-state.js'
import { statePortsFor } from '../support/some-state.js'

const site = 'https://gis.example.org/arcgis/admin'
const holder = { host: 'runner', pid: 1 }
const at = (ms: number) => new Date(ms).toISOString()
const claim = async () => ({ ok: true, value: [] }) as const
const noted = { type: 'submission', state: 'unknown' } as const

/** State that a run holds with a lease of 90 seconds, or without one. */
async function aHold(leaseMs = 90_000) {
  const time = { now: 0 }
  const ports = statePortsFor(() => time.now)
  const backend = memoryBackend()
  const chain = openChain(backend, site, ports)
  const expiryOf = (now: number) => (leaseMs === 0 ? {} : { expiresAt: at(now + leaseMs) })
  const lock: Lock = { nonce: 'mine', fence: 1, holder, purpose: 'apply', since: at(0), ...expiryOf(0) }
  const content = { ...emptyContent, lock }
  const first = await append({ chain, after: undefined, entry: { type: 'locked' }, content })
  if (!first.ok || first.value === undefined) throw new Error('not taken')
  const held = createHeldState(first.value, { backend, chain, lock, now: () => time.now, expiryOf, claim })
  return { held, time, chain, backend }
}

test('a lease is renewed once a third of it is over, and not before', async () => {
  const { held, time, chain } = await aHold()
  const serial = async () => {
    const newest = await chain.newest()
    return newest.ok ? newest.value?.state.serial : undefined
  }
  time.now = 29_999
  expect(await held.renew()).toEqual({ ok: true, value: undefined })
  expect([await serial(), held.lock.expiresAt]).toEqual([1, at(90_000)])
  time.now = 30_000
  expect(await held.renew()).toEqual({ ok: true, value: undefined })
  expect([await serial(), held.lock.expiresAt]).toEqual([2, at(120_000)])
})

test('each version restarts the lease; a lock without one is never renewed', async () => {
  const { held, time } = await aHold()
  time.now = 10_000
  expect(await held.write(noted, content => content)).toEqual({ ok: true, value: undefined })
  expect(held.lock.expiresAt).toBe(at(100_000))
  const endless = await aHold(0)
  endless.time.now = 10_000_000
  expect(await endless.held.renew()).toEqual({ ok: true, value: undefined })
  const newest = await endless.chain.newest()
  expect(newest.ok && newest.value?.state.serial).toBe(1)
})

test('a lease that could not be written does not count as renewed', async () => {
  const { held, time, chain } = await aHold()
  await append({ chain, after: undefined, entry: { type: 'locked' }, content: emptyContent })
  const newest = await chain.newest()
  if (!newest.ok) throw new Error('not read')
  const entry = { type: 'unlocked', lock: held.lock } as const
  await append({ chain, after: newest.value, entry, content: emptyContent })
  time.now = 50_000
  const overtaken = {
    ok: false,
    error: { kind: 'overtaken', where: chain.where, reason: { kind: 'taken-over' } },
  }
  expect(await held.renew()).toEqual(overtaken)
  expect(held.lock.expiresAt).toBe(at(90_000))
  expect(await held.write(noted, content => content)).toEqual(overtaken)
  expect(await held.confirm()).toEqual(overtaken)
})

test('a version of another run is recognized by its text, even if it has the same number', async () => {
  const { held, chain, backend } = await aHold()
  expect(await held.confirm()).toEqual({ ok: true, value: undefined })
  const newest = await chain.newest()
  if (!newest.ok || newest.value === undefined) throw new Error('not read')
  const link = newest.value
  const other = createHeldState(link, {
    backend,
    claim,
    chain: { ...chain, newest: async () => ({ ok: true, value: { ...link, text: 'other' } }) },
    lock: held.lock,
    now: () => 0,
    expiryOf: () => ({}),
  })
  expect(await other.confirm()).toMatchObject({ ok: false, error: { kind: 'overtaken' } })
})

test('an overridden hold does everything else as before', async () => {
  const { held, time } = await aHold()
  const writes: unknown[] = []
  const other = overrideHeldState(held, {
    write: async entry => {
      writes.push(entry)
      return { ok: true, value: undefined }
    },
  })
  await other.write(noted, content => content)
  expect(writes).toEqual([noted])
  time.now = 30_000
  await other.renew()
  expect(held.lock.expiresAt).toBe(at(120_000))
  expect([other.lock, other.content, other.lineage]).toEqual([held.lock, held.content, held.lineage])
  expect(await other.confirm()).toEqual({ ok: true, value: undefined })
  expect(await other.release({ type: 'released' })).toEqual({ ok: true, value: undefined })
})
