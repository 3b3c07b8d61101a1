import type { Holder } from '../../src/plan/submission.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { HeldState, StateStore } from '../../src/state/ports.js'
import type { StateBackend } from '../../src/state/series.js'
import { titleOf } from '../../src/state/site-state.js'
import { stateStore } from '../../src/state/state-store.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { statePortsFor } from '../support/some-state.js'
import { virtualClock } from '../support/virtual-clock.js'

const site = 'https://gis.example.org/arcgis/admin'
const minutes = 60_000
const released = { type: 'released' } as const
const renewed = { type: 'renewed' } as const

interface Runner {
  readonly ports: ReturnType<typeof statePortsFor>
  readonly store: StateStore
  /** Locks the site, which must succeed. */
  held(): Promise<HeldState>
}

async function heldOf(store: StateStore): Promise<HeldState> {
  const taken = await store.take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  return taken.held
}

/** Two runs on the same state; each sees the process of the other with this liveness. */
function aPlace(liveness: 'alive' | 'dead' | 'elsewhere', leaseMs?: number) {
  const clock = virtualClock()
  const backend: StateBackend = { ...memoryBackend(), ...(leaseMs !== undefined && { leaseMs }) }
  const runner = (pid: number): Runner => {
    const self: Holder = { host: 'runner', pid }
    const ports = statePortsFor(clock.now, {
      self: async () => self,
      liveness: async holder => (holder.pid === pid ? 'alive' : liveness),
    })
    const store = stateStore(backend, { url: site }, ports)
    return { ports, store, held: () => heldOf(store) }
  }
  return { clock, backend, one: runner(1), other: runner(2) }
}

describe('a lock', () => {
  test('of a living run is kept, and another run is told its owner', async () => {
    const { one, other } = aPlace('alive')
    const { lock } = await one.held()
    expect(await other.store.take('apply')).toEqual({ kind: 'locked', lock, liveness: 'alive' })
  })

  test('that was released is free, and the next one has a higher fence', async () => {
    const { one, other } = aPlace('alive')
    const first = await one.held()
    await first.release(released)
    expect((await other.held()).lock.fence).toBeGreaterThan(first.lock.fence)
  })

  test('of a dead run is taken over at once, and its owner is reported', async () => {
    const { one, other } = aPlace('dead')
    const { lock } = await one.held()
    expect(await other.store.take('apply')).toMatchObject({ kind: 'held', former: lock, isGone: true })
    const newest = await one.store.read()
    expect(newest.ok && newest.value?.entry).toEqual({ type: 'locked', former: lock, isGone: true })
  })

  test('whose lease has expired is taken over, and its process is not reported as gone', async () => {
    const { clock, one, other } = aPlace('elsewhere', 15 * minutes)
    const { lock } = await one.held()
    clock.pass(20 * minutes)
    const taken = await other.store.take('apply')
    expect(taken).toMatchObject({ kind: 'held', former: lock })
    expect(taken).not.toHaveProperty('isGone')
    const newest = await one.store.read()
    expect(newest.ok && newest.value?.entry).toEqual({ type: 'locked', former: lock })
  })

  test('of a run on another machine without a lease is never taken over', async () => {
    const { clock, one, other } = aPlace('elsewhere')
    await one.held()
    clock.pass(1000 * 60 * minutes)
    expect(await other.store.take('apply')).toMatchObject({ kind: 'locked', liveness: 'elsewhere' })
  })

  test.each([
    [15, 'locked'],
    [16.9, 'locked'],
    [17, 'held'],
  ])(
    'with a lease of 15 minutes is kept for 2 more because of clock differences: after %s it is %s',
    async (after, kind) => {
      const { clock, one, other } = aPlace('elsewhere', 15 * minutes)
      await one.held()
      clock.pass(after * minutes)
      expect((await other.store.take('apply')).kind).toBe(kind)
    },
  )

  test('of a living run on this machine is not taken over when its lease expires', async () => {
    const { clock, one, other } = aPlace('alive', 15 * minutes)
    await one.held()
    clock.pass(60 * minutes)
    expect((await other.store.take('apply')).kind).toBe('locked')
  })

  test('is renewed once a third of it has passed, and not before', async () => {
    const { clock, one } = aPlace('elsewhere', 15 * minutes)
    const held = await one.held()
    clock.pass(4.9 * minutes)
    await held.renew()
    clock.pass(0.2 * minutes)
    await held.renew()
    const history = await one.store.history()
    expect(history.ok && history.value.map(({ entry }) => entry.type)).toEqual(['locked', 'renewed'])
  })

  test('is renewed with every version, so that the intent before a request lasts as long as the request', async () => {
    const { clock, one, other } = aPlace('elsewhere', 15 * minutes)
    const held = await one.held()
    clock.pass(4 * minutes)
    await held.write({ type: 'submission', state: 'intent' }, content => content)
    clock.pass(15 * minutes)
    expect((await other.store.take('apply')).kind).toBe('locked')
  })

  test('that was lost is detected at the next write, which is not stored', async () => {
    const { clock, one, other } = aPlace('elsewhere', 15 * minutes)
    const late = await one.held()
    clock.pass(20 * minutes)
    const next = await other.held()
    const failure = { kind: 'overtaken' }
    expect(await late.write(renewed, content => content)).toMatchObject({ error: failure })
    expect(await late.renew()).toMatchObject({ error: failure })
    await next.release(released)
    // Nor after the other run has released it: changes in between are unknown here.
    expect(await late.release(released)).toMatchObject({ error: failure })
    const history = await one.store.history()
    expect(history.ok && history.value.map(({ entry }) => entry.type)).toEqual([
      'locked',
      'locked',
      'released',
    ])
  })

  test('is not taken if the state is not the expected one', async () => {
    const { one } = aPlace('alive')
    expect(await one.store.take('apply', ({ record }) => record.serial === 7)).toEqual({ kind: 'moved' })
    expect(await one.store.read()).toEqual({ ok: true, value: undefined })
  })

  test('is removed only with its nonce', async () => {
    const { one, other } = aPlace('elsewhere')
    const { lock } = await one.held()
    expect(await other.store.unlock('another')).toEqual({ ok: true, value: 'another' })
    expect(await other.store.unlock(lock.nonce)).toEqual({ ok: true, value: 'unlocked' })
    expect(await other.store.unlock(lock.nonce)).toEqual({ ok: true, value: 'not-locked' })
    expect((await other.store.take('apply')).kind).toBe('held')
  })
})

describe('the state of a site', () => {
  /** Three versions, of which the one with this serial has an altered text. */
  async function altered(serial: number, change: (text: string) => string): Promise<StateStore> {
    const { backend, one, clock } = aPlace('alive')
    const held = await one.held()
    await held.write(renewed, content => content)
    await held.release(released)
    const series = backend.series(site)
    const texts = await series.all()
    if (!texts.ok) throw new Error('not read')
    const other = memoryBackend()
    for (const { text, ...version } of texts.value)
      await other.series(site).add({ ...version, text: version.serial === serial ? change(text) : text })
    return stateStore(other, { url: site }, statePortsFor(clock.now))
  }

  test('has a title for each version, with the codes of its entry', async () => {
    const { backend, one } = aPlace('alive')
    const titles: unknown[] = []
    const titled: StateBackend = {
      ...backend,
      series(url) {
        const series = backend.series(url)
        const add: typeof series.add = version => {
          titles.push(version.title)
          return series.add(version)
        }
        return { ...series, add }
      },
    }
    const held = await heldOf(stateStore(titled, { url: site }, one.ports))
    await held.write({ type: 'submission', state: 'intent' }, content => content)
    await held.write(renewed, content => content)
    const at = new Date(0).toISOString()
    const receipt = { startedAt: at, finishedAt: at, outcome: 'done', manifest: 'sha256:0', actions: [] }
    await held.release({ type: 'receipt', receipt })
    expect(titles).toEqual(['locked: apply', 'submission: intent', 'renewed', 'receipt: done'])
    const [state, moved] = ['file:/srv/state', 'https://b.example.org/admin']
    expect(titleOf({ entry: { type: 'moved', state } })).toBe(`moved: ${state}`)
    expect(titleOf({ entry: { type: 'moved', site: moved } })).toBe(`moved: ${moved}`)
  })

  test('matches the published schema in every version, and each names the one before', async () => {
    const store = await altered(0, text => text)
    const history = await store.history()
    if (!history.ok) throw new Error(history.error.reason.kind)
    const [first, second, third] = history.value
    expect([first?.previous, second?.lineage, third?.lineage]).toEqual([null, first?.lineage, first?.lineage])
    expect(new Set(history.value.map(({ previous }) => previous)).size).toBe(3)
    const checksum = `sha256:${'0'.repeat(64)}`
    for (const state of history.value) expect(listSchemaErrors('state', { ...state, checksum })).toEqual([])
  })

  test.each<[string, (text: string) => string, string]>([
    ['is truncated', text => text.slice(0, 40), 'damaged'],
    ['is not a JSON object', () => '[]', 'damaged'],
    ['has a changed value', text => text.replace('"released"', '"renewed"'), 'damaged'],
    ['belongs to another site', text => text.replaceAll('gis.example.org', 'b.example.org'), 'damaged'],
    [
      'was written by a newer Landform',
      text => text.replace('"formatVersion": 1', '"formatVersion": 2'),
      'newer',
    ],
  ])('is rejected if its newest version %s', async (_, change, kind) => {
    const store = await altered(3, change)
    expect(await store.read()).toMatchObject({ ok: false, error: { kind } })
    expect(await store.take('apply')).toMatchObject({ kind: 'failed', failure: { kind } })
    expect(await store.unlock('x')).toMatchObject({ ok: false, error: { kind } })
  })

  test('of another site is not used, even if it is intact', async () => {
    const { backend, one, clock } = aPlace('alive')
    await one.held()
    const other = { ...backend, series: () => backend.series(site) }
    const store = stateStore(other, { url: 'https://b.example.org/arcgis/admin' }, statePortsFor(clock.now))
    expect(await store.read()).toMatchObject({ ok: false, error: { kind: 'foreign' } })
  })

  test('has a history that shows an altered earlier version, even if each version is intact', async () => {
    const [mine, apart] = [aPlace('alive'), aPlace('alive')]
    for (const { one } of [mine, apart]) await (await one.held()).release(released)
    const versions = [await apart.backend.series(site).all(), await mine.backend.series(site).all()]
    const mixed = memoryBackend()
    for (const [at, all] of versions.entries())
      if (all.ok) for (const version of all.value.slice(at, at + 1)) await mixed.series(site).add(version)
    const store = stateStore(mixed, { url: site }, statePortsFor(mine.clock.now))
    expect(await store.read()).toMatchObject({ ok: true })
    expect(await store.history()).toMatchObject({ ok: false, error: { kind: 'damaged' } })
  })
})
