import type { Holder } from '../../src/plan/submission.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { followPointers, moveState } from '../../src/state/move-state.js'
import type { StatePorts, StateStore } from '../../src/state/ports.js'
import type { GuardHolder, GuardReply, NamedSite, StateBackend, Version } from '../../src/state/series.js'
import type { StateFailure, StateReply } from '../../src/state/state-failure.js'
import { stateStore } from '../../src/state/state-store.js'
import { addingBy, statePortsFor } from '../support/some-state.js'

const url = 'https://gis.example.org/arcgis/admin'
const alias = 'https://maps.example.org/arcgis/admin'
const name = 'production'
const since = '2026-01-01T00:00:00.000Z'
const released = { type: 'released' } as const

/** A backend on which one request fails, with the number that `failAt` sets. */
function aPlace({ isGuarded = false, leaseMs }: { isGuarded?: boolean; leaseMs?: number } = {}) {
  const memory = memoryBackend()
  let [asked, fails] = [0, 0]
  let has: GuardHolder | undefined
  const answer = async <T>(ask: () => Promise<StateReply<T>>): Promise<StateReply<T>> => {
    asked += 1
    return asked === fails ? { ok: false, error: failureOf(asked) } : ask()
  }
  const backend: StateBackend = {
    ...memory,
    ...(leaseMs !== undefined && { leaseMs }),
    ...(isGuarded && {
      guard: {
        take: (_, purpose) =>
          answer<GuardReply>(async () => {
            if (has !== undefined) return { ok: true, value: { kind: 'locked', by: has } }
            has = { nonce: 'hold', holder: { host: 'runner', pid: 1 }, purpose, since }
            const release = async () => {
              has = undefined
            }
            return { ok: true, value: { kind: 'held', release } }
          }),
        holder: () => answer(async () => ({ ok: true, value: has })),
      },
    }),
    series(site) {
      const series = memory.series(site)
      return {
        where: series.where,
        newest: () => answer(series.newest),
        add: (version: Version) => answer(() => series.add(version)),
        all: () => answer(series.all),
      }
    },
  }
  return {
    backend,
    isFree: () => has === undefined,
    /** Fails the request with that number from now on, or none if it is 0. Returns the number of requests so far. */
    failAt(question: number): number {
      const before = asked
      ;[asked, fails] = [0, question]
      return before
    },
  }
}

const failureOf = (question: number): StateFailure => ({
  kind: 'unreadable',
  where: 'there',
  reason: { kind: 'system', message: `question ${question}` },
})

type Place = ReturnType<typeof aPlace>

const ports = (changes: Partial<StatePorts> = {}) =>
  statePortsFor(() => 0, { liveness: async () => 'dead', ...changes })
const storeIn = ({ backend }: Place, address = url) => stateStore(backend, { url: address, name }, ports())

async function heldIn(place: Place) {
  const taken = await storeIn(place).take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  return taken.held
}

const moveTo = (place: Place, other: Place) => ({
  name,
  from: { backend: place.backend, url, place: { state: 'file:/old' } },
  to: { backend: other.backend, url, place: { state: 'git:origin' } },
})

/** The operations on a backend, each prepared by a function that returns it. */
const doings: readonly (readonly [string, (place: Place) => Promise<() => Promise<unknown>>])[] = [
  ['reads state that does not exist', async place => () => storeIn(place).read()],
  [
    'reads existing state',
    async place => {
      await heldIn(place)
      return () => storeIn(place).read()
    },
  ],
  [
    'reads the history',
    async place => {
      await heldIn(place)
      return () => storeIn(place).history()
    },
  ],
  ['locks a new site', async place => () => storeIn(place).take('apply')],
  [
    'locks the site of a dead run',
    async place => {
      await heldIn(place)
      return () => storeIn(place).take('apply')
    },
  ],
  [
    'unlocks',
    async place => {
      const { lock } = await heldIn(place)
      return () => storeIn(place).unlock(lock.nonce)
    },
  ],
  [
    'writes an entry',
    async place => {
      const held = await heldIn(place)
      return () => held.write({ type: 'submission', state: 'intent' }, content => content)
    },
  ],
  [
    'confirms that it holds the lock',
    async place => {
      const held = await heldIn(place)
      return () => held.confirm()
    },
  ],
  [
    'releases the lock',
    async place => {
      const held = await heldIn(place)
      return () => held.release(released)
    },
  ],
  [
    'moves state away',
    async place => {
      await (await heldIn(place)).release(released)
      return () => moveState(moveTo(place, aPlace()), ports())
    },
  ],
  [
    'receives state',
    async place => {
      const from = aPlace()
      await (await heldIn(from)).release(released)
      return () => moveState(moveTo(from, place), ports())
    },
  ],
  [
    'moves state to another address',
    async place => {
      await (await heldIn(place)).release(released)
      const { backend } = place
      const from = { backend, url, place: { site: url } }
      return () => moveState({ name, from, to: { backend, url: alias, place: { site: alias } } }, ports())
    },
  ],
]

test.each(doings)(
  'a failed request is the reported failure if a run %s, whichever request it is',
  async (_, prepare) => {
    const whole = aPlace()
    const plainly = await prepare(whole)
    whole.failAt(0)
    expect(JSON.stringify(await plainly())).not.toMatch(/"ok":false|"kind":"failed"/)
    const questions = whole.failAt(0)
    expect(questions).toBeGreaterThan(0)
    for (let question = 1; question <= questions; question += 1) {
      const place = aPlace()
      const work = await prepare(place)
      place.failAt(question)
      const told = (await work()) as { error?: unknown; failure?: unknown; kind?: string; ok?: boolean }
      expect([told.ok ?? told.kind, told.error ?? told.failure]).toEqual([
        'ok' in told ? false : 'failed',
        failureOf(question),
      ])
    }
  },
)

test('if a request fails on a backend with a guard, no run holds the site', async () => {
  for (let question = 1; question <= 4; question += 1) {
    const place = aPlace({ isGuarded: true })
    place.failAt(question)
    expect(await storeIn(place).take('apply')).toEqual({ kind: 'failed', failure: failureOf(question) })
    expect(place.isFree()).toBe(true)
  }
})

test('the owner of a guarded site is not reported if its newest version cannot be read', async () => {
  const place = aPlace({ isGuarded: true })
  await heldIn(place)
  const other = stateStore(place.backend, { url }, ports())
  place.failAt(2)
  expect(await other.take('apply')).toEqual({ kind: 'failed', failure: failureOf(2) })
  place.failAt(1)
  expect(await other.unlock('x')).toEqual({ ok: false, error: failureOf(1) })
  place.failAt(1)
  expect(await other.lockOwner(undefined)).toBeUndefined()
})

describe('a run that always loses the race', () => {
  /** A store that loses the race for this number of writes. */
  const racing = (losses: number, site: NamedSite) => {
    let lost = 0
    const backend = addingBy(memoryBackend(), async (series, version) => {
      lost += 1
      return lost <= losses ? { ok: true, value: false } : series.add(version)
    })
    return stateStore(backend, site, ports())
  }
  const overtaken = { kind: 'overtaken', where: 'memory', reason: { kind: 'contended' } }

  test('tries five times to lock a site', async () => {
    expect((await racing(4, { url }).take('apply')).kind).toBe('held')
    expect(await racing(5, { url }).take('apply')).toEqual({ kind: 'failed', failure: overtaken })
  })

  test('tries five times to claim its name', async () => {
    expect((await racing(4, { url, name }).take('apply')).kind).toBe('held')
    expect(await racing(5, { url, name }).take('apply')).toEqual({ kind: 'failed', failure: overtaken })
  })

  test('learns that another run has removed the lock', async () => {
    const memory = memoryBackend()
    const first = await stateStore(memory, { url }, ports()).take('apply')
    if (first.kind !== 'held') throw new Error(first.kind)
    const late = addingBy(memory, async () => ({ ok: true, value: false }))
    expect(await stateStore(late, { url }, ports()).unlock(first.held.lock.nonce)).toEqual({
      ok: true,
      value: 'another',
    })
  })
})

describe('a lock', () => {
  const self: Holder = { host: 'runner', pid: 1 }
  const of = (liveness: 'alive' | 'dead' | 'elsewhere') =>
    ports({ self: async () => self, liveness: async () => liveness })

  test.each([
    ['alive', 'alive'],
    ['dead', 'unlocked'],
    ['elsewhere', 'unlocked'],
  ] as const)('of a process that is %s, when it should be removed: %s', async (liveness, told) => {
    const { backend } = aPlace()
    const store = stateStore(backend, { url }, of(liveness))
    expect(await store.unlock('x')).toEqual({ ok: true, value: 'not-locked' })
    const taken = await store.take('apply')
    if (taken.kind !== 'held') throw new Error(taken.kind)
    expect(await store.unlock('x')).toEqual({ ok: true, value: 'another' })
    expect(await store.unlock(taken.held.lock.nonce)).toEqual({ ok: true, value: told })
    const newest = await store.read()
    const gone = { entry: { type: 'unlocked', lock: taken.held.lock } }
    expect(newest).toMatchObject({ ok: true, value: told === 'alive' ? { lock: taken.held.lock } : gone })
  })

  test.each(['alive', 'dead', 'elsewhere'] as const)(
    'has an owner, whose process is reported as %s',
    async liveness => {
      const { backend } = aPlace()
      const store = stateStore(backend, { url }, of(liveness))
      expect(await store.lockOwner(undefined)).toBeUndefined()
      const taken = await store.take('apply')
      if (taken.kind !== 'held') throw new Error(taken.kind)
      const newest = await store.read()
      if (!newest.ok) throw new Error(newest.error.reason.kind)
      expect(await store.lockOwner(newest.value)).toEqual({ lock: taken.held.lock, liveness })
      await taken.held.release(released)
      const after = await store.read()
      expect(after.ok && (await store.lockOwner(after.value))).toBeUndefined()
    },
  )
})

describe('pointers', () => {
  const pointing = (to: string): StateFailure => ({
    kind: 'moved',
    where: 'there',
    reason: { kind: 'moved', to: { state: to } },
    to: { state: to },
  })
  const place = (failure?: StateFailure) => {
    const store = stateStore(memoryBackend(), { url }, ports())
    if (failure === undefined) return store
    const error = { ok: false, error: failure } as const
    const asError = async () => error
    return {
      ...store,
      where: failure.reason.kind,
      read: asError,
      history: asError,
      unlock: asError,
      take: async () => ({ kind: 'failed' as const, failure }),
    }
  }

  const asked = (store: StateStore, what: 'read' | 'history' | 'take' | 'unlock') =>
    what === 'history' ? store.history() : store[what]('x')

  test.each(['read', 'history', 'take', 'unlock'] as const)(
    'are followed by a run that wants to %s',
    async what => {
      const end = place()
      const opened: string[] = []
      const store = followPointers(place(pointing('file:/b')), async location => {
        opened.push(location)
        return { ok: true, value: location === 'file:/b' ? place(pointing('file:/c')) : end }
      })
      expect(await asked(store, what)).toMatchObject(what === 'take' ? { kind: 'held' } : { ok: true })
      expect([opened, store.where, store.kind]).toEqual([['file:/b', 'file:/c'], 'memory', 'memory'])
      expect(await store.liveness({ host: 'a', pid: 1 })).toBe('dead')
      expect(await store.lockOwner(undefined)).toBeUndefined()
    },
  )

  test.each(['read', 'history', 'take', 'unlock'] as const)(
    'in a circle end with a failure for a run that wants to %s',
    async what => {
      let opened = 0
      const circle = pointing('file:/b')
      const store = followPointers(place(circle), async () => {
        opened += 1
        return { ok: true, value: place(circle) }
      })
      const told = await asked(store, what)
      expect('failure' in told ? told.failure : 'error' in told && told.error).toEqual(circle)
      expect(opened).toBe(5)
    },
  )

  test.each(['read', 'history', 'take', 'unlock'] as const)(
    'to a place that cannot be opened lead to its failure for a run that wants to %s',
    async what => {
      const store = followPointers(place(pointing('file:/b')), async () => ({
        ok: false,
        error: failureOf(1),
      }))
      const told = await asked(store, what)
      expect('failure' in told ? told.failure : 'error' in told && told.error).toEqual(failureOf(1))
    },
  )

  test('are not assumed for another failure', async () => {
    const store = followPointers(place(failureOf(7)), async () => {
      throw new Error('nothing is to be opened')
    })
    expect(await store.read()).toEqual({ ok: false, error: failureOf(7) })
    expect(await store.take('x')).toEqual({ kind: 'failed', failure: failureOf(7) })
  })
})
