import type { Submission } from '../../src/plan/submission.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { followPointers, type Move, type MoveEnd, moveState } from '../../src/state/move-state.js'
import type { StateStore } from '../../src/state/ports.js'
import type { StateBackend } from '../../src/state/series.js'
import { stateStore } from '../../src/state/state-store.js'
import { aSubmission } from '../support/a-submission.js'
import { addingBy, failingFrom, statePortsFor } from '../support/some-state.js'

const name = 'production'
const url = 'https://gis.example.org/arcgis/admin'
const alias = 'https://maps.example.org/arcgis/admin'
const ports = statePortsFor(() => 0, { liveness: async () => 'dead' })
const storeIn = (backend: StateBackend, address = url) => stateStore(backend, { url: address, name }, ports)
const submission = aSubmission({ state: 'unknown' })

/** A backend with a request whose outcome is unknown. */
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

const back = ({ from, to, ...rest }: Move): Move => ({ ...rest, from: to, to: from })
const later = aSubmission({ state: 'begun' })
/** Writes a later version where the state is. */
const goOn = async (store: StateStore, submission = later) => {
  const taken = await store.take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  await taken.held.write({ type: 'submission', state: 'begun' }, content => ({
    ...content,
    submission,
  }))
  await taken.held.release({ type: 'released' })
}
const expectAt = async (store: StateStore, wanted: Submission) => {
  expect(await store.read()).toMatchObject({ ok: true, value: { submission: wanted } })
  expect((await store.take('apply')).kind).toBe('held')
}

/** Copies a place, or only its first versions. */
const copyOf = async (backend: StateBackend, length = Number.POSITIVE_INFINITY) => {
  const copy = memoryBackend()
  for (const key of [url, `name://${name}`]) {
    const all = await backend.series(key).all()
    for (const version of all.ok ? all.value.slice(0, length) : []) await copy.series(key).add(version)
  }
  return copy
}

/** Reads the versions of a place as they are written. */
const entriesOf = async (backend: StateBackend, key = url) => {
  const all = await backend.series(key).all()
  if (!all.ok) throw new Error(all.error.kind)
  return all.value.map(({ text }) => JSON.parse(text))
}

/** Writes a pointer without a move. */
const point = async (backend: StateBackend, place: MoveEnd['place']) => {
  const taken = await storeIn(backend).take('state move')
  if (taken.kind === 'held') await taken.held.release({ type: 'moved', ...place })
}

describe('a site with another address', () => {
  test('does not begin again: its state belongs to its first address', async () => {
    const backend = await aPlace()
    const other = storeIn(backend, alias)
    const moved = { kind: 'moved', to: { site: url } }
    expect(await other.read()).toMatchObject({ ok: false, error: moved })
    expect(await other.take('apply')).toMatchObject({ kind: 'failed', failure: moved })
  })

  test('has its state after a move by a person, which removes it from the former address', async () => {
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

  test('is another site if both are emulators on different ports', async () => {
    const backend = memoryBackend()
    const [one, other] = ['http://127.0.0.1:1/admin', 'http://127.0.0.1:2/admin']
    expect((await storeIn(backend, one).take('apply')).kind).toBe('held')
    expect((await storeIn(backend, other).take('apply')).kind).toBe('held')
    expect((await storeIn(backend, 'http://localhost:2/admin').take('apply')).kind).toBe('failed')
  })

  test('with two names is two sites', async () => {
    const backend = await aPlace()
    const other = stateStore(backend, { url: alias, name: 'test' }, ports)
    expect((await other.take('apply')).kind).toBe('held')
  })
})

describe('state that was moved to another place', () => {
  test('continues there with the whole history and the same lineage', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    const before = await storeIn(from).read()
    expect(await moveState(ends(from, to), ports)).toMatchObject({ kind: 'moved', versions: 5 })
    const after = await storeIn(to).read()
    expect(after).toMatchObject({ ok: true, value: { submission, serial: 1 } })
    expect(after.ok && after.value?.lineage).toBe(before.ok && before.value?.lineage)
    expect((await storeIn(to).take('apply')).kind).toBe('held')
  })

  test('leaves a pointer for every later run', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    await moveState(ends(from, to), ports)
    const there = { state: 'git:origin' }
    const { nonce, generation } = submission
    const reason = { kind: 'moved', to: there, lineage: expect.any(String), request: { nonce, generation } }
    const moved = { kind: 'moved', to: there, reason }
    expect(await storeIn(from).read()).toMatchObject({ ok: false, error: moved })
    expect(await storeIn(from).take('apply')).toMatchObject({ kind: 'failed', failure: moved })
    expect(await storeIn(from).unlock('nonce')).toMatchObject({ ok: false, error: moved })
    const again = {
      ...ends(from, memoryBackend()),
      to: { ...ends(from, to).to, place: { state: 'git:other' } },
    }
    expect(await moveState(again, ports)).toMatchObject({ kind: 'failed', failure: moved })
  })

  test('is there already when the move is repeated', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    await moveState(ends(from, to), ports)
    expect(await moveState(ends(from, to), ports)).toEqual({ kind: 'done' })
  })

  test('does not replace another history', async () => {
    const [from, to] = [await aPlace(), await aPlace()]
    expect(await moveState(ends(from, to), ports)).toEqual({ kind: 'occupied' })
    expect((await storeIn(from).read()).ok).toBe(true)
  })

  test('is not moved while a run has the site locked', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    const living = statePortsFor(() => 0)
    expect((await stateStore(from, { url, name }, living).take('apply')).kind).toBe('held')
    expect(await moveState(ends(from, to), living)).toMatchObject({ kind: 'locked' })
    expect((await storeIn(from).read()).ok).toBe(true)
  })

  test('is not moved if the versions of an end cannot be read', async () => {
    const failure = {
      kind: 'unreadable',
      where: 'memory',
      reason: { kind: 'system', message: 'gone' },
    } as const
    const unreadable = (backend: StateBackend): StateBackend => ({
      ...backend,
      series: site => ({ ...backend.series(site), all: async () => ({ ok: false, error: failure }) }),
    })
    const place = await aPlace()
    const copy = await copyOf(place)
    const failed = { kind: 'failed', failure }
    expect(await moveState(ends(unreadable(place), copy), ports)).toEqual(failed)
    expect(await moveState(ends(place, unreadable(copy)), ports)).toEqual(failed)
  })

  test('is not moved over another history without a request', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    expect((await storeIn(to).take('apply')).kind).toBe('held')
    expect(await moveState(ends(from, to), ports)).toEqual({ kind: 'occupied' })
    expect((await storeIn(from).read()).ok).toBe(true)
  })

  test('is not moved if a run writes it meanwhile', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    const meanwhile = addingBy(to, async (series, version) => {
      await goOn(storeIn(from))
      return series.add(version)
    })
    expect(await moveState(ends(from, meanwhile), ports)).toEqual({
      kind: 'failed',
      failure: { kind: 'overtaken', where: 'memory', reason: { kind: 'contended' } },
    })
    await expectAt(storeIn(from), later)
  })

  test('was locked for the move', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    await moveState(ends(from, to), ports)
    expect((await entriesOf(from)).slice(-2)).toMatchObject([
      { entry: { type: 'locked' }, lock: { purpose: 'state move' } },
      { entry: { type: 'moved', state: 'git:origin' } },
    ])
  })

  test('must contain its request, according to the name there', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    await moveState(ends(from, to), ports)
    const { nonce, generation } = submission
    expect(await entriesOf(to, `name://${name}`)).toMatchObject([
      { entry: { type: 'moved', site: url, source: { state: 'file:/old' } } },
      { entry: { type: 'moved', site: url, request: { nonce, generation } } },
    ])
  })

  test('is not moved if there is none', async () => {
    expect(await moveState(ends(memoryBackend(), memoryBackend()), ports)).toEqual({ kind: 'nothing' })
  })
})

describe('a pointer', () => {
  /** The state as found by a run that begins at `from` and follows a pointer to `to`. */
  const followed = (from: StateBackend, to: StateBackend) =>
    followPointers(storeIn(from), async (_, pointer) => ({
      ok: true,
      value: stateStore(to, { url, name }, { ...ports, pointer }),
    }))

  test.each<[string, string, () => Promise<StateBackend> | StateBackend]>([
    ['nothing', 'no-history', memoryBackend],
    ['another history', 'other-history', aPlace],
  ])('that leads to %s allows no request', async (_, found, openPlace) => {
    const from = await aPlace()
    await moveState(ends(from, memoryBackend()), ports)
    const store = followed(from, await openPlace())
    const reason = { kind: 'not-arrived', to: { state: 'git:origin' }, found }
    const failure = { kind: 'unreadable', where: 'memory', reason }
    expect(await store.read()).toMatchObject({ ok: false, error: failure })
    expect(await store.take('apply')).toMatchObject({ kind: 'failed', failure })
  })

  test('that leads to a copy from before the request allows no request', async () => {
    const from = await aPlace()
    const copy = memoryBackend()
    const all = await from.series(url).all()
    for (const version of all.ok ? all.value.slice(0, 1) : []) await copy.series(url).add(version)
    await moveState(ends(from, memoryBackend()), ports)
    expect(await followed(from, copy).read()).toMatchObject({
      error: { reason: { kind: 'not-arrived', found: 'older-copy' } },
    })
  })

  test('that leads to the state is followed', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    await moveState(ends(from, to), ports)
    expect(await followed(from, to).read()).toMatchObject({ ok: true, value: { submission } })
    expect((await followed(from, to).take('apply')).kind).toBe('held')
  })
})

describe('an opened place', () => {
  test('with a pointer waits for the lock at the end of the pointer', async () => {
    const [from, to] = [await aPlace(), memoryBackend()]
    await moveState(ends(from, to), ports)
    const taken = await storeIn(to).take('apply')
    const purposes: string[] = []
    const waiting = statePortsFor(() => 0, {
      async awaitLock({ lock }) {
        purposes.push(lock.nonce)
        return false
      },
    })
    const store = followPointers(storeIn(from), async () => ({
      ok: true,
      value: stateStore(to, { url, name }, waiting),
    }))
    await store.whenFree()
    expect(purposes).toEqual([taken.kind === 'held' && taken.held.lock.nonce])
  })

  const neverOpened = async () => {
    throw new Error('opened')
  }

  test('stays the same for a pointer to another address', async () => {
    const backend = await aPlace()
    await moveState(addresses(backend), ports)
    const store = followPointers(stateStore(backend, { url }, ports), neverOpened)
    const failure = { kind: 'moved', to: { site: alias } }
    expect(await store.read()).toMatchObject({ ok: false, error: failure })
    expect(await store.take('apply')).toMatchObject({ kind: 'failed', failure })
  })

  test('stays the same for a failure that is no pointer', async () => {
    const to = { state: 'git:origin' }
    const error = {
      kind: 'moved',
      where: 'memory',
      reason: { kind: 'move-unfinished', from: to },
      to,
    } as const
    const first: StateStore = { ...storeIn(memoryBackend()), read: async () => ({ ok: false, error }) }
    expect(await followPointers(first, neverOpened).read()).toEqual({ ok: false, error })
  })
})

describe('state that moves back', () => {
  test('to its former place has everything that was written in between, any number of times', async () => {
    const [one, other] = [await aPlace(), memoryBackend()]
    const move = ends(one, other)
    expect((await moveState(move, ports)).kind).toBe('moved')
    await goOn(storeIn(other))
    expect((await moveState(back(move), ports)).kind).toBe('moved')
    expect(await moveState(back(move), ports)).toEqual({ kind: 'done' })
    expect(await storeIn(one).read()).toMatchObject({ ok: true, value: { submission: later } })
    expect((await storeIn(one).history()).ok).toBe(true)
    expect((await moveState(move, ports)).kind).toBe('moved')
    expect((await moveState(back(move), ports)).kind).toBe('moved')
    await expectAt(storeIn(one), later)
  })

  test('to its former address is found there', async () => {
    const backend = await aPlace()
    expect((await moveState(addresses(backend), ports)).kind).toBe('moved')
    await goOn(storeIn(backend, alias))
    expect((await moveState(back(addresses(backend)), ports)).kind).toBe('moved')
    expect((await storeIn(backend, alias).read()).ok).toBe(false)
    await expectAt(storeIn(backend), later)
  })

  test.each([1, 2, 3, 4, 5, 6])(
    'after a crash at write %i is found there when the move is repeated',
    async write => {
      const [one, other] = [await aPlace(), memoryBackend()]
      const move = ends(one, other)
      await moveState(move, ports)
      await goOn(storeIn(other))
      let writes = 0
      const crashing = (backend: StateBackend) =>
        addingBy(backend, async (series, version) => {
          writes += 1
          const failure = { kind: 'unwritable', where: 'memory', reason: { kind: 'contended' } } as const
          return writes < write ? series.add(version) : { ok: false, error: failure }
        })
      await moveState(back(ends(crashing(one), crashing(other))), ports)
      await moveState(back(move), ports)
      await expectAt(storeIn(one), later)
    },
  )

  test.each(['where it was last', 'where it came from'])(
    'and made a circle is repaired by a move to the place %s',
    async end => {
      const [one, other] = [await aPlace(), memoryBackend()]
      const move = ends(one, other)
      await moveState(move, ports)
      await goOn(storeIn(other))
      // The pointer back, written without a `received` entry at the other place.
      const taken = await storeIn(other).take('state move')
      if (taken.kind === 'held') await taken.held.release({ type: 'moved', ...move.from.place })
      expect([(await storeIn(one).read()).ok, (await storeIn(other).read()).ok]).toEqual([false, false])
      const wanted = end === 'where it was last' ? move : back(move)
      expect((await moveState(wanted, ports)).kind).toBe('moved')
      await expectAt(storeIn(wanted === move ? other : one), later)
    },
  )

  test('through three places is at the end of each move, also without a request', async () => {
    const places = [memoryBackend(), memoryBackend(), memoryBackend()]
    await storeIn(places[0] ?? memoryBackend()).take('apply')
    for (const at of [0, 1, 2, 3]) {
      const [from, to] = [at, at + 1].map(index => ({
        backend: places[index % 3] ?? memoryBackend(),
        url,
        place: { state: `file:/${index % 3}` },
      }))
      expect(from && to && (await moveState({ name, from, to }, ports)).kind).toBe('moved')
    }
  })

  test('through three places is at the end of each move', async () => {
    const places = [await aPlace(), memoryBackend(), memoryBackend()]
    const end = (at: number) => ({
      backend: places[at % 3] ?? memoryBackend(),
      url,
      place: { state: `file:/${at % 3}` },
    })
    for (const at of [0, 1, 2, 3, 4]) {
      expect((await moveState({ name, from: end(at), to: end(at + 1) }, ports)).kind).toBe('moved')
      expect(await storeIn(end(at + 1).backend).read()).toMatchObject({ ok: true, value: { submission } })
    }
    // The place has passed on what it received.
    const passed = await moveState({ name, from: end(0), to: end(1) }, ports)
    expect(passed).toMatchObject({ kind: 'failed', failure: { kind: 'moved', to: end(2).place } })
  })

  describe('from a place with a copy', () => {
    test.each(['place', 'copy'] as const)('keeps a version that only the %s has', async newer => {
      const place = await aPlace()
      const copy = await copyOf(place)
      await goOn(storeIn(newer === 'place' ? place : copy))
      expect((await moveState(ends(place, copy), ports)).kind).toBe('moved')
      expect((await storeIn(place).read()).ok).toBe(false)
      await expectAt(storeIn(copy), later)
      expect(await moveState(ends(place, copy), ports)).toMatchObject({ kind: 'done' })
    })

    test('is not moved if both have continued', async () => {
      const place = await aPlace()
      const copy = await copyOf(place)
      await goOn(storeIn(place))
      await goOn(storeIn(copy))
      expect(await moveState(ends(place, copy), ports)).toEqual({ kind: 'occupied' })
      expect((await storeIn(place).read()).ok).toBe(true)
    })

    test('is not moved while a run has the copy locked', async () => {
      const place = await aPlace()
      const copy = await copyOf(place)
      const taken = await storeIn(copy).take('apply')
      const lock = taken.kind === 'held' && taken.held.lock
      expect(await moveState(ends(place, copy), ports)).toEqual({ kind: 'locked', lock })
      expect((await storeIn(place).read()).ok).toBe(true)
    })

    test('is never awaited by the name there, because the copy has a request', async () => {
      const place = await aPlace()
      const copy = await copyOf(place)
      expect((await moveState(ends(place, copy), ports)).kind).toBe('moved')
      const claims = await entriesOf(copy, `name://${name}`)
      expect(claims.filter(({ entry }) => 'source' in entry)).toEqual([])
    })

    test('has no news if a run only took the site and ended', async () => {
      const place = await aPlace()
      const copy = await copyOf(place)
      await goOn(storeIn(copy))
      expect((await storeIn(place).take('apply')).kind).toBe('held')
      expect((await moveState(ends(place, copy), ports)).kind).toBe('moved')
      await expectAt(storeIn(copy), later)
    })

    test('is repaired by a move to the copy if both only have a pointer to the other', async () => {
      const place = await aPlace()
      const copy = await copyOf(place)
      await goOn(storeIn(place))
      const move = ends(place, copy)
      await point(place, move.to.place)
      await point(copy, move.from.place)
      expect((await moveState(move, ports)).kind).toBe('moved')
      await expectAt(storeIn(copy), later)
    })

    test.each(['', ', with a pointer of its own,'])(
      'that was moved does not make the copy%s the state that arrived',
      async pointer => {
        const [place, third] = [await aPlace(), memoryBackend()]
        const copy = await copyOf(place)
        const move = ends(copy, third)
        const other = { ...move.from, backend: place, place: { state: 'file:/other' } }
        expect((await moveState({ ...move, from: other }, ports)).kind).toBe('moved')
        if (pointer !== '') await point(copy, move.to.place)
        expect(await moveState(move, ports)).toEqual({ kind: 'occupied' })
      },
    )

    test('before the request does not replace a pointer to where the request is', async () => {
      const [place, third] = [await aPlace(), memoryBackend()]
      const old = await copyOf(place, 1)
      const to = { ...ends(place, third).to, place: { state: 'git:third' } }
      expect((await moveState({ ...ends(place, third), to }, ports)).kind).toBe('moved')
      expect(await moveState(ends(old, place), ports)).toMatchObject({
        kind: 'failed',
        failure: { kind: 'moved', to: to.place },
      })
    })
  })

  describe('to or from a place that was set back to before its pointer', () => {
    const [second, third] = [
      aSubmission({ state: 'ready' }),
      aSubmission({ state: 'intent', nonce: 'next', generation: 2 }),
    ]
    /** A place without its pointer, and the place where its state arrived. */
    const restoredPlace = async () => {
      const [place, other] = [await aPlace(), memoryBackend()]
      const before = await copyOf(place)
      expect((await moveState(ends(place, other), ports)).kind).toBe('moved')
      return [before, other] as const
    }

    test.each([false, true])(
      'is moved again from it with all it has (with its own pointer: %s)',
      async is => {
        const [place, other] = await restoredPlace()
        await goOn(storeIn(place))
        if (is) await point(place, ends(place, other).to.place)
        expect((await moveState(ends(place, other), ports)).kind).toBe('moved')
        await expectAt(storeIn(other), later)
      },
    )

    // After one run, the place has as many versions as before it was set back.
    test.each([1, 2])('is not moved from it if both have continued (runs here: %i)', async runs => {
      const [place, other] = await restoredPlace()
      for (const one of [later, second].slice(0, runs)) await goOn(storeIn(place), one)
      await goOn(storeIn(other), third)
      expect(await moveState(ends(place, other), ports)).toEqual({ kind: 'occupied' })
    })

    test.each([0, 1])('is not moved from it if the state moved on (runs there: %i)', async runs => {
      const [place, other] = await restoredPlace()
      for (let run = 0; run < runs; run += 1) await goOn(storeIn(place))
      const on = { ...ends(other, memoryBackend()), name }
      const to = { ...on.to, place: { state: 'git:third' } }
      expect((await moveState({ ...on, to }, ports)).kind).toBe('moved')
      expect(await moveState(ends(place, other), ports)).toMatchObject({
        kind: 'failed',
        failure: { kind: 'moved', to: to.place },
      })
    })

    test('is moved back to it with what was written since', async () => {
      const [place, other] = await restoredPlace()
      await goOn(storeIn(other))
      expect((await moveState(back(ends(place, other)), ports)).kind).toBe('moved')
      await expectAt(storeIn(place), later)
    })

    test('is moved back to it with what was written there', async () => {
      const [place, other] = await restoredPlace()
      for (const one of [later, second]) await goOn(storeIn(place), one)
      expect((await moveState(back(ends(place, other)), ports)).kind).toBe('moved')
      await expectAt(storeIn(place), second)
    })

    test('is moved from it again, after it was moved there and back', async () => {
      const [place, other] = [await aPlace(), memoryBackend()]
      const move = ends(place, other)
      await moveState(move, ports)
      await goOn(storeIn(other))
      const before = await copyOf(other)
      await moveState(back(move), ports)
      const again = { ...back(move), from: { ...move.to, backend: before } }
      expect((await moveState(again, ports)).kind).toBe('moved')
      await expectAt(storeIn(place), later)
    })

    test.each([1, 2])('is not moved back to it if both have continued (runs here: %i)', async runs => {
      const [place, other] = await restoredPlace()
      for (const one of [later, second].slice(0, runs)) await goOn(storeIn(place), one)
      await goOn(storeIn(other), third)
      expect(await moveState(back(ends(place, other)), ports)).toEqual({ kind: 'occupied' })
    })
  })
})

describe('an interrupted move', () => {
  const failure = {
    kind: 'unwritable',
    where: 'memory',
    reason: { kind: 'system', message: 'full' },
  } as const

  test.each([1, 2, 3])(
    'at write %i in the new place never looks like a new site, and ends when it is repeated',
    async write => {
      const [from, lasting] = [await aPlace(), memoryBackend()]
      const broken = failingFrom(write, failure, lasting)
      expect(await moveState(ends(from, broken), ports)).toMatchObject({ kind: 'failed', failure })
      const [there, here] = [await storeIn(lasting).read(), await storeIn(from).read()]
      // Each place has the submission or a pointer; a place is empty only if nothing was written.
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

  test('at the pointer leaves the state in its place, and the new place rejects runs', async () => {
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
