import { memoryBackend } from '../../src/state/memory-backend.js'
import { moveState } from '../../src/state/move-state.js'
import type { StateBackend } from '../../src/state/series.js'
import { stateStore } from '../../src/state/state-store.js'
import { aSubmission } from '../support/a-submission.js'
import { failingFrom, statePortsFor } from '../support/some-state.js'

const name = 'production'
const url = 'https://gis.example.org/arcgis/admin'
const alias = 'https://maps.example.org/arcgis/admin'
const ports = statePortsFor(() => 0, { liveness: async () => 'dead' })
const storeIn = (backend: StateBackend, address = url) => stateStore(backend, { url: address, name }, ports)
const submission = aSubmission({ state: 'unknown' })

/** A place where a request was sent whose outcome is not known. */
async function aPlace(): Promise<StateBackend> {
  const backend = memoryBackend()
  const taken = await storeIn(backend).take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  await taken.held.write({ type: 'submission', state: 'unknown' }, content => ({ ...content, submission }))
  await taken.held.release({ type: 'released' })
  return backend
}

const ends = (from: StateBackend, to: StateBackend) => ({
  name,
  from: { backend: from, url, place: { state: 'file:/old' } },
  to: { backend: to, url, place: { state: 'git:origin' } },
})
const addresses = (backend: StateBackend) => ({
  name,
  from: { backend, url, place: { site: url } },
  to: { backend, url: alias, place: { site: alias } },
})

describe('a site that is called by another address', () => {
  test('is not begun anew: its state belongs to the address it began with', async () => {
    const backend = await aPlace()
    const other = storeIn(backend, alias)
    const moved = { kind: 'moved', to: { site: url } }
    expect(await other.read()).toMatchObject({ ok: false, error: moved })
    expect(await other.take('apply')).toMatchObject({ kind: 'failed', failure: moved })
  })

  test('has its state once a person moved it, and no more by the former address', async () => {
    const backend = await aPlace()
    expect(await moveState(addresses(backend), ports)).toMatchObject({ kind: 'moved' })
    expect(await moveState(addresses(backend), ports)).toEqual({ kind: 'done' })
    const pointer = await backend.series(url).newest()
    expect(pointer.ok && JSON.parse(pointer.value?.text ?? '{}').entry).toEqual({
      type: 'moved',
      site: alias,
    })
    expect(await stateStore(backend, { url }, ports).read()).toMatchObject({
      error: { reason: { kind: 'moved', to: { site: alias } } },
    })
    expect(await storeIn(backend, alias).read()).toMatchObject({
      ok: true,
      value: { submission, site: alias },
    })
    expect(await storeIn(backend).read()).toMatchObject({ ok: false, error: { to: { site: alias } } })
    expect(await storeIn(backend).take('apply')).toMatchObject({ kind: 'failed' })
  })

  test('is another site where both are emulators on other ports', async () => {
    const backend = memoryBackend()
    const [one, other] = ['http://127.0.0.1:1/admin', 'http://127.0.0.1:2/admin']
    expect((await storeIn(backend, one).take('apply')).kind).toBe('held')
    expect((await storeIn(backend, other).take('apply')).kind).toBe('held')
    expect((await storeIn(backend, 'http://localhost:2/admin').take('apply')).kind).toBe('failed')
  })

  test('of two names is two sites', async () => {
    const backend = await aPlace()
    const other = stateStore(backend, { url: alias, name: 'test' }, ports)
    expect((await other.take('apply')).kind).toBe('held')
  })
})

describe('state that was moved to another place', () => {
  test('goes on there with everything that was kept, and the same lineage', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    const before = await storeIn(from).read()
    expect(await moveState(ends(from, to), ports)).toMatchObject({ kind: 'moved', versions: 5 })
    const after = await storeIn(to).read()
    expect(after).toMatchObject({ ok: true, value: { submission, serial: 1 } })
    expect(after.ok && after.value?.lineage).toBe(before.ok && before.value?.lineage)
    expect((await storeIn(to).take('apply')).kind).toBe('held')
  })

  test('leaves a pointer that every later run meets', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    await moveState(ends(from, to), ports)
    const there = { state: 'git:origin' }
    const moved = { kind: 'moved', to: there, reason: { kind: 'moved', to: there } }
    expect(await storeIn(from).read()).toMatchObject({ ok: false, error: moved })
    expect(await storeIn(from).take('apply')).toMatchObject({ kind: 'failed', failure: moved })
    expect(await storeIn(from).unlock('nonce')).toMatchObject({ ok: false, error: moved })
    const again = {
      ...ends(from, memoryBackend()),
      to: { ...ends(from, to).to, place: { state: 'git:other' } },
    }
    expect(await moveState(again, ports)).toMatchObject({ kind: 'failed', failure: moved })
  })

  test('is there already when it is moved again', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    await moveState(ends(from, to), ports)
    expect(await moveState(ends(from, to), ports)).toEqual({ kind: 'done' })
  })

  test('does not take the place of another history', async () => {
    const [from, to] = [await aPlace(), await aPlace()]
    expect(await moveState(ends(from, to), ports)).toEqual({ kind: 'occupied' })
    expect((await storeIn(from).read()).ok).toBe(true)
  })

  test('is not moved while a run has the site', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    const living = statePortsFor(() => 0)
    expect((await stateStore(from, { url, name }, living).take('apply')).kind).toBe('held')
    expect(await moveState(ends(from, to), living)).toMatchObject({ kind: 'locked' })
    expect((await storeIn(from).read()).ok).toBe(true)
  })

  test('is nothing where nothing was kept', async () => {
    expect(await moveState(ends(memoryBackend(), memoryBackend()), ports)).toEqual({ kind: 'nothing' })
  })
})

describe('a move that broke off', () => {
  const failure = {
    kind: 'unwritable',
    where: 'memory',
    reason: { kind: 'system', message: 'full' },
  } as const

  test.each([1, 2, 3])(
    'at write %i at the new place never looks like a new beginning, and ends when it is run again',
    async write => {
      const [from, lasting] = [await aPlace(), memoryBackend()]
      const broken = failingFrom(write, failure, lasting)
      expect(await moveState(ends(from, broken), ports)).toMatchObject({ kind: 'failed', failure })
      const [there, here] = [await storeIn(lasting).read(), await storeIn(from).read()]
      // Either end has the submission, or says that the state is elsewhere; neither is empty, but before anything was written.
      if (write === 1) expect([there, here.ok]).toEqual([{ ok: true, value: undefined }, true])
      else
        expect(there.ok ? there.value?.submission : there.error.kind).toEqual(
          write === 2 ? 'moved' : submission,
        )
      expect(here.ok ? here.value?.submission : here.error.kind).toEqual(write === 1 ? submission : 'moved')
      expect((await moveState(ends(from, lasting), ports)).kind).toBe(write === 3 ? 'done' : 'moved')
      expect(await storeIn(lasting).read()).toMatchObject({ ok: true, value: { submission } })
    },
  )

  test('at the pointer leaves the state where it is, and the new place refuses', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    const broken = failingFrom(2, failure, from)
    expect(await moveState(ends(broken, to), ports)).toMatchObject({ kind: 'failed' })
    const reason = { kind: 'move-unfinished', from: { state: 'file:/old' } }
    expect(await storeIn(to).take('apply')).toMatchObject({
      kind: 'failed',
      failure: { kind: 'moved', reason },
    })
    expect(await storeIn(from).read()).toMatchObject({ ok: true, value: { submission } })
    expect((await moveState(ends(from, to), ports)).kind).toBe('moved')
  })
})
