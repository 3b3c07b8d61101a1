import { type Append, append, type Chain, openChain } from '../../src/state/chain.js'
import { buildLock, createHeldState, overrideHeldState } from '../../src/state/held-state.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { emptyContent, type Lock, type SiteState, type StateEntry } from '../../src/state/site-state.js'
import type { StateReply } from '../../src/state/state-failure.js'
import { aSubmission } from '../support/a-submission.js'
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
  expect(other.isBehind).toBe(false)
  expect(await other.confirm()).toEqual({ ok: true, value: undefined })
  expect(await other.release({ type: 'released' })).toEqual({ ok: true, value: undefined })
})

describe('a run that writes', () => {
  type Claims = StateReply<readonly Append[]>
  const submission = aSubmission()
  const intent = { type: 'submission', state: 'intent' } as const
  const written = { ok: true, value: undefined } as const
  const reason = { kind: 'system', message: 'away' } as const
  const away = { ok: false, error: { kind: 'unreadable', where: 'memory', reason } } as const
  const overtaken = {
    ok: false,
    error: { kind: 'overtaken', where: 'memory', reason: { kind: 'taken-over' } },
  }

  /** A run whose place and claims behave as given, with the flags of its calls of `claim`. */
  async function aRun(options: { readonly claims?: () => Claims; readonly chain?: Partial<Chain> } = {}) {
    const { chain: real, backend, held: before } = await aHold(0)
    const calls: boolean[] = []
    const behaviour = { ...options.chain }
    const chain: Chain = {
      ...real,
      newest: () => (behaviour.newest ?? real.newest)(),
      add: link => (behaviour.add ?? real.add)(link),
    }
    const first = await real.newest()
    if (!first.ok || first.value === undefined) throw new Error('not taken')
    const held = createHeldState(first.value, {
      backend,
      chain,
      lock: before.lock,
      now: () => 0,
      expiryOf: () => ({}),
      async claim(_, isAgain): Promise<Claims> {
        calls.push(isAgain)
        return options.claims?.() ?? { ok: true, value: [] }
      },
    })
    held.note(content => ({ ...content, submission }))
    const types = async () => {
      const history = await real.history(({ entry }) => entry.type)
      return history.ok ? history.value : history.error
    }
    return { held, calls, behaviour, types, write: (entry: StateEntry) => held.write(entry, one => one) }
  }

  test.each<[string, StateEntry, number]>([
    ['the intent of a request', intent, 1],
    ['another state of a request', noted, 0],
    ['another entry', { type: 'renewed' }, 0],
    ['a pointer to a place of that name', { type: 'moved', state: 'intent' }, 0],
  ])('records elsewhere only the intent of a request: %s', async (_, entry, count) => {
    const { write, calls } = await aRun()
    expect(await write(entry)).toEqual(written)
    expect(calls).toEqual(Array.from({ length: count }, () => false))
  })

  test('writes no intent if the records elsewhere cannot be built', async () => {
    const { write, types, held } = await aRun({ claims: () => away })
    expect(await write(intent)).toEqual(away)
    expect([await types(), held.isBehind]).toEqual([['locked'], true])
    expect(await write(noted)).toEqual(written)
    expect([await types(), held.isBehind]).toEqual([['locked', 'submission'], false])
  })

  test('gives up after five races about the records elsewhere, and wrote its own version once', async () => {
    const lost = openChain(
      memoryBackend(),
      'name://first',
      statePortsFor(() => 0),
    )
    const entry = { type: 'moved', site } as const
    const claims = (): Claims => ({
      ok: true,
      value: [
        {
          chain: { ...lost, add: async () => ({ ok: true, value: false }) },
          after: undefined,
          entry,
          content: emptyContent,
        },
      ],
    })
    const { write, types, calls } = await aRun({ claims })
    const contended = { kind: 'overtaken', where: 'memory', reason: { kind: 'contended' } }
    expect(await write(intent)).toEqual({ ok: false, error: contended })
    expect(calls).toEqual([false, true, true, true, true])
    expect(await types()).toEqual(['locked', 'submission'])
  })

  test('continues after the newest version could not be read', async () => {
    const { write, behaviour, types } = await aRun()
    const lost = { add: async () => ({ ok: true, value: false }), newest: async () => away } as const
    Object.assign(behaviour, lost)
    expect(await write(noted)).toEqual(away)
    Object.assign(behaviour, { add: undefined, newest: undefined })
    expect(await write(noted)).toEqual(written)
    expect(await types()).toEqual(['locked', 'submission'])
  })

  test.each<[string, (run: Awaited<ReturnType<typeof aRun>>) => Promise<unknown>]>([
    ['before a request', ({ held }) => held.confirm()],
    ['when it writes', ({ write }) => write(noted)],
    ['when it ends', ({ held }) => held.release({ type: 'released' })],
  ])('that finds no version %s has lost the site, and never gets it back', async (_, find) => {
    const run = await aRun()
    const { write, held, behaviour, types } = run
    const empty = { newest: async () => written, add: async () => ({ ok: true, value: false }) } as const
    Object.assign(behaviour, empty)
    expect(await find(run)).toEqual(overtaken)
    Object.assign(behaviour, { newest: undefined, add: undefined })
    expect(await held.confirm()).toEqual(overtaken)
    expect(await write(noted)).toEqual(overtaken)
    expect(await held.release({ type: 'released' })).toEqual(overtaken)
    expect(await types()).toEqual(['locked'])
  })

  test('does not lose the site if the newest version could not be read before a request', async () => {
    const { held, behaviour } = await aRun({ chain: { newest: async () => away } })
    expect(await held.confirm()).toEqual(away)
    Object.assign(behaviour, { newest: undefined })
    expect(await held.confirm()).toEqual(written)
  })
})

describe('the lock of the holder of a guard', () => {
  const by = { nonce: 'hold', holder, purpose: 'fleet', since: at(0) }
  const lock: Lock = { ...by, nonce: 'lock', fence: 3 }
  const state = { formatVersion: 1, site, lineage: 'a', serial: 7, previous: null, ...emptyContent } as const
  const newest: SiteState = { ...state, writtenAt: at(0), tool: 'landform/test', entry: { type: 'locked' } }

  test.each<[string, SiteState | undefined, Lock]>([
    ['begins the history of a site without versions', undefined, { ...by, fence: 1 }],
    ['follows the newest version if that has no lock', newest, { ...by, fence: 8 }],
    ['is that of the newest version, if it has the same process', { ...newest, lock }, lock],
    [
      'follows the newest version if that has the lock of another process',
      { ...newest, lock: { ...lock, holder: { host: 'runner', pid: 2 } } },
      { ...by, fence: 8 },
    ],
  ])('%s', (_, before, expected) => {
    expect(buildLock(by, before)).toEqual(expected)
  })
})
