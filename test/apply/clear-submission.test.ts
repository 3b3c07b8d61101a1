import { type Cleared, type ClearStep, clearSubmission } from '../../src/apply/clear-submission.js'
import type { Clock } from '../../src/apply/clock.js'
import { proveNotBegun } from '../../src/apply/prove-not-begun.js'
import type { Reply } from '../../src/client/failure.js'
import type { Observation } from '../../src/plan/observation.js'
import type { Submission } from '../../src/plan/submission.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { StateBackend } from '../../src/state/series.js'
import { stateStore } from '../../src/state/state-store.js'
import { aSubmission } from '../support/a-submission.js'
import { keep } from '../support/kept-state.js'
import { failingFrom, statePortsFor } from '../support/some-state.js'
import { virtualClock } from '../support/virtual-clock.js'

const site = 'https://gis.example.org/arcgis/admin'
const [minuteMs, start] = [60_000, Date.UTC(2026, 0, 2, 3, 4, 5)]
const empty: Reply<Observation> = { ok: true, value: { kind: 'not-configured', warnings: [], stages: [] } }
const lost: Reply<Observation> = { ok: false, error: { kind: 'no-answer', reason: 'cut' } }

/** A clock whose wall clock is set forward, or with a negative value back, by `ms`. */
function setBy(clock: Clock, ms: number): Clock {
  return { ...clock, now: () => clock.now() + ms }
}

/** The date of a site that reports none. */
const silent = async (): Promise<number | undefined> => undefined

interface ClearRequest {
  readonly waits?: boolean
  readonly observe?: () => Promise<Reply<Observation>>
  readonly of?: StateBackend
  readonly siteDate?: typeof silent
  readonly siteIs?: 'upgraded' | 'another' | undefined
}

/** State with a request whose process is gone, as seen by machines with different clocks. */
async function aPlace(changes: Partial<Submission> = {}, writtenAt = start) {
  const backend = memoryBackend()
  const storeOf = (clock: Pick<Clock, 'now'>, of: StateBackend = backend) =>
    stateStore(of, { url: site }, statePortsFor(clock.now, { liveness: async () => 'dead' }))
  const intendedAt = new Date(writtenAt).toISOString()
  const submission = aSubmission({ state: 'unknown', intendedAt, changedAt: intendedAt, ...changes })
  await keep(storeOf({ now: () => writtenAt }), { submission })
  return {
    backend,
    storeOf,
    async clear(
      clock: Clock,
      {
        waits = false,
        observe = async () => empty,
        of = backend,
        siteDate = silent,
        siteIs,
      }: ClearRequest = {},
    ) {
      const steps: ClearStep[] = []
      const { signal } = new AbortController()
      const options = { nonce: submission.nonce, isRunnerGone: false, siteIs, waits, signal }
      const ports = { state: storeOf(clock, of), clock, client: { observe }, siteDate }
      const clearing = clearSubmission(ports, options)
      for (;;) {
        const step = await clearing.next()
        if (step.done === true) return { result: step.value as Cleared, steps }
        steps.push(step.value)
      }
    },
  }
}

const wholeDrain = { kind: 'too-early', remainingMs: 15 * minuteMs }

test('a clock that is set forward by 16 minutes, before or between two calls, does not shorten the wait', async () => {
  const { clear } = await aPlace()
  const clock = virtualClock(start)
  expect((await clear(setBy(clock, 16 * minuteMs))).result).toMatchObject(wholeDrain)
  clock.pass(2000)
  expect((await clear(setBy(clock, 32 * minuteMs))).result).toMatchObject({
    kind: 'too-early',
    remainingMs: 15 * minuteMs - 2000,
    count: 'goes-on',
  })
  clock.pass(15 * minuteMs - 2000)
  expect((await clear(setBy(clock, -16 * minuteMs))).result.kind).toBe('cleared')
})

test('a request of a machine whose clock is 16 minutes slow is waited for as long', async () => {
  const { clear } = await aPlace({}, start - 16 * minuteMs)
  const clock = virtualClock(start)
  clock.pass(2000)
  expect((await clear(clock)).result).toMatchObject(wholeDrain)
})

test('two machines with different clocks each count their own wait', async () => {
  const { clear } = await aPlace()
  const [one, other] = [virtualClock(start, 'one'), virtualClock(start + 60 * minuteMs, 'other')]
  other.pass(24 * 60 * minuteMs)
  expect((await clear(one)).result).toMatchObject({ ...wholeDrain, count: 'begins' })
  one.pass(16 * minuteMs)
  expect((await clear(other)).result).toMatchObject({ ...wholeDrain, count: 'begins-anew' })
  expect((await clear(one)).result).toMatchObject({ ...wholeDrain, count: 'begins-anew' })
  one.pass(15 * minuteMs)
  expect((await clear(one)).result.kind).toBe('cleared')
})

test('a machine that was restored to an earlier snapshot starts counting again', async () => {
  const { clear } = await aPlace()
  const clock = virtualClock(start)
  clock.pass(60 * minuteMs)
  await clear(clock)
  expect((await clear(virtualClock(start))).result).toMatchObject({ ...wholeDrain, count: 'begins-anew' })
})

test.each([
  ['has no identity', { machineTime: async () => undefined }],
  ['has no such clock', { machineTime: undefined }],
])('if the machine %s, each call waits for the whole time', async (_, own) => {
  const { clear } = await aPlace()
  const known = virtualClock(start)
  const clock = { ...known, ...own } as Clock
  expect((await clear(clock)).result).toMatchObject({ ...wholeDrain, count: 'each-call' })
  known.pass(60 * minuteMs)
  expect((await clear(clock)).result).toMatchObject({ ...wholeDrain, count: 'each-call' })
  const beganMs = known.monotonicMs()
  const { result, steps } = await clear(clock, { waits: true })
  expect(result.kind).toBe('cleared')
  expect(steps[0]).toMatchObject({ type: 'draining', count: 'each-call' })
  expect(known.monotonicMs() - beganMs).toBeGreaterThanOrEqual(15 * minuteMs)
})

/** The clock of this machine is ahead of the site's clock by `byMs` once `runAhead` was called. */
function runsAhead(byMs: number) {
  const real = virtualClock(start)
  let aheadMs = 0
  const fast: Clock = {
    ...real,
    machineTime: async () => ({ of: 'this machine', ms: real.monotonicMs() + aheadMs }),
  }
  const runAhead = () => {
    aheadMs = byMs
  }
  // Whole seconds, as a site reports them.
  const siteDate = async () => Math.floor((start + real.monotonicMs()) / 1000) * 1000
  return { real, fast, runAhead, siteDate }
}

test('if less time has passed on the site than on this machine, the time of the site counts', async () => {
  const { clear } = await aPlace()
  const { real, fast, runAhead, siteDate } = runsAhead(16 * minuteMs)
  expect((await clear(fast, { siteDate })).result).toMatchObject({ ...wholeDrain, count: 'begins' })
  runAhead()
  real.pass(minuteMs)
  const { result } = await clear(fast, { siteDate })
  expect(result).toMatchObject({ kind: 'too-early', count: 'goes-on-by-site' })
  expect(result).toMatchObject({ remainingMs: 14 * minuteMs - 2000 - 5000 })
  expect((await clear(fast, { siteDate, waits: true })).result.kind).toBe('cleared')
  expect(real.monotonicMs()).toBeGreaterThan(15 * minuteMs - 5000)
})

test('the clock of a site never shortens a wait, and one that is set back starts the count again', async () => {
  const { clear } = await aPlace()
  const clock = virtualClock(start)
  const at = (minutes: number) => ({ siteDate: async () => start + minutes * minuteMs })
  expect((await clear(clock, at(0))).result).toMatchObject({ ...wholeDrain, count: 'begins' })
  clock.pass(minuteMs)
  expect((await clear(clock, at(60))).result).toMatchObject({ remainingMs: 14 * minuteMs, count: 'goes-on' })
  clock.pass(15 * minuteMs)
  expect((await clear(clock, at(-60))).result).toMatchObject({ ...wholeDrain, count: 'begins-anew' })
})

test('a site that reports no date, or whose clock stands still, does not prolong the wait', async () => {
  const { clear, storeOf } = await aPlace()
  const clock = virtualClock(start)
  await clear(clock, { siteDate: async () => start })
  const kept = await storeOf(clock).read()
  expect(kept).toMatchObject({
    value: { submission: { drain: { siteDate: new Date(start).toISOString() } } },
  })
  clock.pass(14 * minuteMs)
  expect((await clear(clock)).result).toMatchObject({ remainingMs: minuteMs, count: 'goes-on' })
  clock.pass(minuteMs)
  expect((await clear(clock, { siteDate: async () => start })).result.kind).toBe('cleared')
})

test('a sleep that ends too early is continued', async () => {
  const { clear } = await aPlace()
  const known = virtualClock(start)
  const clock: Clock = { ...known, sleep: (ms, signal) => known.sleep(Math.min(ms, minuteMs), signal) }
  expect((await clear(clock, { waits: true })).result.kind).toBe('cleared')
  expect(known.monotonicMs()).toBeGreaterThanOrEqual(15 * minuteMs)
})

test('a site that shows a configuration is reported at once, and no wait begins', async () => {
  const { clear, storeOf } = await aPlace()
  const before = await storeOf({ now: () => 0 }).read()
  const ready: Reply<Observation> = { ok: true, value: { kind: 'ready', warnings: [], stages: [] } }
  expect((await clear(virtualClock(), { observe: async () => ready })).result.kind).toBe('shows')
  expect(await storeOf({ now: () => 0 }).read()).toStrictEqual(before)
})

/** A backend with the same content, into which another run writes at the second read, right after the wait. */
function movedMeanwhile(backend: StateBackend, move: () => Promise<void>): StateBackend {
  let reads = 0
  return {
    ...backend,
    series(name) {
      const series = backend.series(name)
      return {
        ...series,
        async newest() {
          reads += 1
          if (reads === 2) await move()
          return series.newest()
        },
      }
    },
  }
}

test.each<[string, Partial<Submission>]>([
  ['was seen to have begun', { state: 'begun' }],
  ['was replaced by another', { nonce: 'another' }],
])('a request that %s since it was read is not discarded', async (_, changes) => {
  const since = { of: 'a virtual machine', ms: -60 * minuteMs }
  const { clear, backend, storeOf } = await aPlace({ drain: { since, notedAt: new Date(0).toISOString() } })
  const submission = aSubmission({ state: 'unknown', ...changes })
  const of = movedMeanwhile(backend, async () => {
    await keep(storeOf({ now: () => 0 }), { submission })
  })
  expect((await clear(virtualClock(start), { of })).result).toStrictEqual({ kind: 'moved' })
  expect(await storeOf({ now: () => 0 }).read()).toMatchObject({ value: { submission } })
})

test('a request that is discarded removes its organization from the record', async () => {
  const since = { of: 'a virtual machine', ms: -60 * minuteMs }
  const { clear, storeOf } = await aPlace()
  const at = new Date(0).toISOString()
  const { organization } = aSubmission()
  const submission = aSubmission({ state: 'unknown', drain: { since, notedAt: at } })
  const policy = { appliedAt: at, value: { nodeAffinity: {}, tolerations: [] } }
  await keep(storeOf({ now: () => 0 }), { submission, record: { serial: 3, organization, policy } })
  expect((await clear(virtualClock(start))).result.kind).toBe('cleared')
  const kept = await storeOf({ now: () => 0 }).read()
  expect(kept).toMatchObject({ value: { submission: { state: 'cleared' }, record: { serial: 4 } } })
  expect(kept.ok && Object.keys(kept.value?.record ?? {})).toStrictEqual(['serial'])
})

test('an unrecognized state of the site proves nothing', async () => {
  const { clear } = await aPlace()
  const value: Observation = { kind: 'unrecognized', state: 'upside_down', warnings: [], stages: [] }
  const observe = async () => ({ ok: true, value }) as const
  expect((await clear(virtualClock(), { observe })).result).toStrictEqual({ kind: 'unproven' })
})

describe('a request that was sent to 11.2.0, build 7', () => {
  const mark = { version: '11.2.0', build: '7' }
  const upgraded = { version: '11.3.0', build: '9' }
  const rebuilt = { version: '11.2.0', build: '8' }
  const drain = { since: { of: 'a virtual machine', ms: -60 * minuteMs }, notedAt: new Date(0).toISOString() }
  const seen = (kind: Observation['kind'], facts: object = mark) =>
    ({ kind, warnings: [], stages: [], ...facts }) as Observation
  const observing = (value: Observation) => ({ observe: async () => ({ ok: true, value }) as const })
  const anotherBuild = { kind: 'another-build', was: '7', is: '8' }

  const anotherVersion = { kind: 'another-version', was: '11.2.0', is: '11.3.0' }
  test.each<[ClearRequest['siteIs'], Observation, Cleared['kind'], string, object?]>([
    [undefined, seen('ready'), 'shows', 'unknown'],
    [undefined, seen('ready', rebuilt), 'another-site', 'unknown', anotherBuild],
    [undefined, seen('in-progress', upgraded), 'another-site', 'unknown', anotherVersion],
    ['upgraded', seen('in-progress'), 'shows', 'unknown'],
    ['upgraded', seen('in-progress', rebuilt), 'kept', 'begun'],
    ['upgraded', seen('ready', upgraded), 'kept', 'ready'],
    ['upgraded', seen('failed', rebuilt), 'shows', 'unknown'],
    ['another', seen('ready'), 'shows', 'unknown'],
    ['another', seen('in-progress', rebuilt), 'shows', 'unknown'],
    ['another', seen('ready', rebuilt), 'cleared', 'cleared'],
  ])(
    'with --site-is %s, for the poll %j: %s, recorded as %s',
    async (siteIs, observed, kind, state, difference) => {
      const { clear, storeOf } = await aPlace({ site: mark, drain })
      const { result } = await clear(virtualClock(start), { ...observing(observed), siteIs })
      expect(result).toMatchObject(kind === 'another-site' ? { kind, difference, observed } : { kind })
      const kept = await storeOf({ now: () => 0 }).read()
      const { version, build } = observed
      expect(kept).toMatchObject({
        value: {
          submission: { state, site: kind === 'kept' ? { version, build } : mark },
          entry: { type: 'released' },
        },
      })
      const isRecorded = kept.ok && kept.value?.record.organization !== undefined
      expect(isRecorded).toBe(kind === 'kept')
    },
  )

  test.each<[string, Reply<Observation>, ClearRequest['siteIs'], Cleared['kind']]>([
    ['another one is ready', { ok: true, value: seen('ready', { emulator: 'two' }) }, undefined, 'cleared'],
    ['another one is ready', { ok: true, value: seen('ready', { emulator: 'two' }) }, 'upgraded', 'cleared'],
    [
      'another one has begun',
      { ok: true, value: seen('in-progress', { emulator: 'two' }) },
      undefined,
      'shows',
    ],
    [
      'another one is empty',
      { ok: true, value: seen('not-configured', { emulator: 'two' }) },
      undefined,
      'cleared',
    ],
    [
      'the same one is empty',
      { ok: true, value: seen('not-configured', { emulator: 'one' }) },
      undefined,
      'too-early',
    ],
    ['an unidentified site is empty', empty, undefined, 'too-early'],
  ])('to an emulator is judged by the emulator that answers: %s', async (_, reply, siteIs, kind) => {
    const { clear } = await aPlace({ site: { emulator: 'one' } })
    const clock = virtualClock(start)
    expect((await clear(clock, { observe: async () => reply, siteIs })).result.kind).toBe(kind)
    expect(clock.monotonicMs()).toBeLessThanOrEqual(minuteMs)
  })

  test('to an emulator may still arrive while that does not answer', async () => {
    const { clear } = await aPlace({ site: { emulator: 'one' } })
    let polls = 0
    const observe = async () => {
      polls += 1
      return polls === 1 ? empty : lost
    }
    expect((await clear(virtualClock(start), { observe })).result.kind).toBe('too-early')
  })

  const failure = { kind: 'unwritable', where: 'there', reason: { kind: 'system', message: 'full' } } as const
  test.each<[string, Cleared, (backend: StateBackend, other: () => Promise<void>) => StateBackend]>([
    [
      'the lock cannot be written',
      { kind: 'not-recorded', failure },
      backend => failingFrom(1, failure, backend),
    ],
    [
      'the record cannot be written',
      { kind: 'not-recorded', failure },
      backend => failingFrom(2, failure, backend),
    ],
    ['another run writes in between', { kind: 'moved' }, movedMeanwhile],
  ])('is not kept for an upgraded site if %s', async (_, result, spoil) => {
    const { clear, backend, storeOf } = await aPlace({ site: mark, drain })
    const state = () => storeOf({ now: () => 0 })
    const of = spoil(backend, async () => {
      await keep(state(), { submission: aSubmission({ state: 'begun' }) })
    })
    const options = { ...observing(seen('ready', upgraded)), siteIs: 'upgraded', of } as const
    expect((await clear(virtualClock(start), options)).result).toStrictEqual(result)
  })

  test('stays if a site reports no state at all', async () => {
    const { clear } = await aPlace({ site: mark, drain })
    const options = observing(seen('not-configured', { implied: true }))
    expect((await clear(virtualClock(start), options)).result).toStrictEqual({ kind: 'unproven' })
  })

  test('is cleared under a lock that others can read', async () => {
    const { clear, storeOf } = await aPlace({ drain })
    await clear(virtualClock(start))
    const history = await storeOf({ now: () => 0 }).history()
    const versions = history.ok ? history.value.slice(-3) : []
    expect(versions.map(({ lock, entry }) => [lock?.purpose, entry.type])).toStrictEqual([
      ['state discard-intent', 'locked'],
      ['state discard-intent', 'submission'],
      [undefined, 'released'],
    ])
  })
})

/** Answers one poll after the other, the last one for all later polls, and records when each was made. */
function looksAt(clock: Clock, replies: readonly Reply<Observation>[]) {
  const atMs: number[] = []
  const observe = async () => {
    atMs.push(clock.monotonicMs())
    return replies[Math.min(atMs.length, replies.length) - 1] ?? empty
  }
  return { atMs, client: { observe } }
}

const { signal } = new AbortController()

test('four polls over a minute prove that nothing has begun', async () => {
  const clock = virtualClock()
  const { atMs, client } = looksAt(clock, [empty])
  expect(await proveNotBegun({ client, clock }, { signal })).toStrictEqual({ kind: 'not-begun' })
  expect(atMs).toStrictEqual([0, 20_000, 40_000, 60_000])
})

test('failed polls are repeated after a pause, and count neither way', async () => {
  const clock = virtualClock()
  const { atMs, client } = looksAt(clock, [lost, empty, lost, lost, empty, lost, empty, lost, empty])
  expect(await proveNotBegun({ client, clock }, { signal })).toStrictEqual({ kind: 'not-begun' })
  expect(atMs).toStrictEqual(Array.from({ length: 9 }, (_, at) => at * 20_000))
})

test('failed polls are not repeated for ever', async () => {
  const clock = virtualClock()
  const { atMs, client } = looksAt(clock, [lost])
  expect(await proveNotBegun({ client, clock }, { signal })).toMatchObject({ kind: 'lost', looks: 13 })
  expect(atMs.at(-1)).toBe(12 * 20_000)
})

test('one poll that shows a configuration outweighs all others', async () => {
  const clock = virtualClock()
  const begun: Reply<Observation> = { ok: true, value: { kind: 'in-progress', warnings: [], stages: [] } }
  const { client } = looksAt(clock, [empty, empty, lost, empty, begun])
  expect(await proveNotBegun({ client, clock }, { signal })).toMatchObject({ kind: 'shows' })
})
