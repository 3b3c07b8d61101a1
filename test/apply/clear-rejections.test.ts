import {
  type Cleared,
  type ClearStep,
  clearSubmission,
  isClearable,
  maySend,
} from '../../src/apply/clear-submission.js'
import type { Reply, ServiceFailure } from '../../src/client/failure.js'
import type { Observation } from '../../src/plan/observation.js'
import type { Liveness, Submission, SubmissionState } from '../../src/plan/submission.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { StateBackend } from '../../src/state/series.js'
import { stateStore } from '../../src/state/state-store.js'
import { aSubmission } from '../support/a-submission.js'
import { keep } from '../support/kept-state.js'
import { addingBy, failingFrom, statePortsFor } from '../support/some-state.js'
import { virtualClock } from '../support/virtual-clock.js'

const site = 'https://gis.example.org/arcgis/admin'
const minuteMs = 60_000
const start = Date.UTC(2026, 0, 2, 3, 4, 5)
const failure = { kind: 'unwritable', where: 'there', reason: { kind: 'system', message: 'full' } } as const
const at = new Date(0).toISOString()
/** A drain that began so long ago that the request can no longer arrive. */
const drain = { since: { of: 'a virtual machine', ms: -60 * minuteMs }, notedAt: at }
const pollingStep = { type: 'looking', forMs: minuteMs } as const
const shown = (kind: Observation['kind']): Reply<Observation> => ({
  ok: true,
  value: { kind, warnings: [], stages: [] } as unknown as Observation,
})
const empty = shown('not-configured')

interface Asked {
  readonly submission?: Submission | undefined
  readonly liveness?: Liveness
  readonly nonce?: string
  readonly isRunnerGone?: boolean
  readonly waits?: boolean
  readonly looks?: readonly Reply<Observation>[]
  /** Aborts at the poll, or at the sleep, with this number. */
  readonly stopAt?: { readonly look?: number; readonly sleep?: number }
  /** Wraps the backend after the submission is stored. */
  readonly spoil?: (backend: StateBackend) => StateBackend
}

async function cleared(asked: Asked) {
  const { submission, liveness = 'dead', looks = [empty], spoil = one => one, stopAt } = asked
  const backend = memoryBackend()
  const clock = virtualClock(start)
  const storeOf = (place: StateBackend) =>
    stateStore(place, { url: site }, statePortsFor(clock.now, { liveness: async () => liveness }))
  if (submission !== undefined) await keep(storeOf(backend), { submission })
  const stop = new AbortController()
  let [looked, slept] = [0, 0]
  const observe = async () => {
    looked += 1
    if (looked === stopAt?.look) stop.abort()
    return looks[Math.min(looked, looks.length) - 1] ?? empty
  }
  const sleep: typeof clock.sleep = async (ms, signal) => {
    slept += 1
    if (slept === stopAt?.sleep) stop.abort()
    await clock.sleep(ms, signal)
  }
  const steps: ClearStep[] = []
  const { nonce = 'a-request', isRunnerGone = false, waits = false } = asked
  const options = { nonce, isRunnerGone, waits, signal: stop.signal }
  const ports = {
    state: storeOf(spoil(backend)),
    clock: { ...clock, sleep },
    client: { observe },
    siteDate: async () => undefined,
  }
  const clearing = clearSubmission(ports, options)
  for (;;) {
    const step = await clearing.next()
    if (step.done !== true) {
      steps.push(step.value)
      continue
    }
    const history = await storeOf(backend).history()
    const entries = history.ok ? history.value.map(({ entry }) => entry.type) : []
    const result: Cleared = step.value
    return { result, steps, looked, entries: entries.slice(submission === undefined ? 0 : 3) }
  }
}

const states = [
  'intent',
  'unknown',
  'acknowledged',
  'begun',
  'ready',
  'failed',
  'rejected',
  'not-sent',
  'cleared',
] as const satisfies readonly SubmissionState[]

test('any request can be discarded unless it was not sent or is already cleared, and only an intent may still be sent', () => {
  expect(states.filter(state => !isClearable(aSubmission({ state })))).toStrictEqual(['not-sent', 'cleared'])
  expect(states.filter(state => maySend(aSubmission({ state })))).toStrictEqual(['intent'])
})

describe('nothing is discarded and the site is not polled', () => {
  test('if there is no request', async () => {
    expect(await cleared({})).toStrictEqual({
      result: { kind: 'nothing-to-clear', submission: undefined },
      steps: [],
      looked: 0,
      entries: [],
    })
  })

  test.each(['not-sent', 'cleared'] as const)('if the request is already %s', async state => {
    const submission = aSubmission({ state })
    const { result, looked } = await cleared({ submission })
    expect([result, looked]).toStrictEqual([{ kind: 'nothing-to-clear', submission }, 0])
  })

  test('if another request is named', async () => {
    const submission = aSubmission({ state: 'unknown' })
    const { result, looked } = await cleared({ submission, nonce: 'an-earlier-one' })
    expect([result, looked]).toStrictEqual([{ kind: 'another', submission }, 0])
  })

  test.each([
    ['alive', false],
    ['alive', true],
    ['elsewhere', false],
  ] as const)('if the process of the intent is %s (declared gone: %s)', async (liveness, isRunnerGone) => {
    const submission = aSubmission({ state: 'intent', drain })
    const { result, looked } = await cleared({ submission, liveness, isRunnerGone })
    expect([result, looked]).toStrictEqual([{ kind: 'may-still-send', submission, liveness }, 0])
  })

  test('if the state cannot be read', async () => {
    const spoil = (backend: StateBackend): StateBackend => ({
      ...backend,
      series: name => ({ ...backend.series(name), newest: async () => ({ ok: false, error: failure }) }),
    })
    const { result, looked } = await cleared({ submission: aSubmission(), spoil })
    expect([result, looked]).toStrictEqual([{ kind: 'not-recorded', failure }, 0])
  })
})

test.each([
  ['intent', 'dead', false],
  ['intent', 'elsewhere', true],
  ['unknown', 'alive', false],
] as const)(
  'a request that is %s, of a process that is %s, is discarded (declared gone: %s)',
  async (state, liveness, isRunnerGone) => {
    const submission = aSubmission({ state, drain })
    const { result, steps, looked, entries } = await cleared({ submission, liveness, isRunnerGone })
    expect(result).toStrictEqual({ kind: 'cleared', submission })
    expect([steps, looked]).toStrictEqual([[pollingStep], 5])
    expect(entries).toStrictEqual(['locked', 'submission', 'released'])
  },
)

test('a request that was answered needs no time to arrive', async () => {
  const submission = aSubmission({ state: 'rejected' })
  expect((await cleared({ submission })).result).toStrictEqual({ kind: 'cleared', submission })
})

describe('the time in which a request may arrive', () => {
  const submission = aSubmission({ state: 'unknown' })

  test('is recorded and reported', async () => {
    const { result, steps, entries, looked } = await cleared({ submission })
    expect(result).toStrictEqual({ kind: 'too-early', remainingMs: 15 * minuteMs, count: 'begins' })
    expect([steps, entries, looked]).toStrictEqual([[], ['locked', 'draining', 'released'], 1])
  })

  test('is awaited if the caller asks for it', async () => {
    const { result, steps, entries } = await cleared({ submission, waits: true })
    expect(result.kind).toBe('cleared')
    expect(steps).toStrictEqual([
      { type: 'draining', remainingMs: 15 * minuteMs, count: 'begins' },
      pollingStep,
    ])
    expect(entries).toStrictEqual(['locked', 'draining', 'released', 'locked', 'submission', 'released'])
  })

  test('is as long as the deadline of the request, if that is longer', async () => {
    const slow = aSubmission({ state: 'unknown', deadlineMs: 40 * minuteMs })
    expect((await cleared({ submission: slow })).result).toMatchObject({ remainingMs: 40 * minuteMs })
  })

  test('is no longer awaited after an interrupt', async () => {
    const { result, entries } = await cleared({ submission, waits: true, stopAt: { sleep: 1 } })
    expect(result).toStrictEqual({ kind: 'interrupted' })
    expect(entries).toStrictEqual(['locked', 'draining', 'released'])
  })

  test.each([1, 2])('does not count if it cannot be recorded, from write %d on', async write => {
    const spoil = (backend: StateBackend) => failingFrom(write, failure, backend)
    const { result } = await cleared({ submission, waits: true, spoil })
    expect(result).toStrictEqual({ kind: 'not-recorded', failure })
  })

  test('does not begin while another run has the site locked', async () => {
    const spoil = (backend: StateBackend) => addingBy(backend, async () => ({ ok: false, error: failure }))
    expect((await cleared({ submission, spoil })).result).toStrictEqual({ kind: 'not-recorded', failure })
  })
})

describe('the site is polled once more under its lock', () => {
  const submission = aSubmission({ state: 'unknown', drain })

  test('and keeps the request if the poll shows a configuration', async () => {
    const { result, steps, entries } = await cleared({
      submission,
      looks: [empty, empty, shown('in-progress')],
    })
    expect(result).toMatchObject({ kind: 'shows', observed: { kind: 'in-progress' } })
    expect([steps, entries]).toStrictEqual([[pollingStep], ['locked', 'released']])
  })

  test('and an interrupt keeps the request', async () => {
    const { result, entries } = await cleared({ submission, stopAt: { look: 3 } })
    expect([result, entries]).toStrictEqual([{ kind: 'interrupted' }, ['locked', 'released']])
    const slept = await cleared({ submission, stopAt: { sleep: 1 } })
    expect([slept.result, slept.entries, slept.looked]).toStrictEqual([
      { kind: 'interrupted' },
      ['locked', 'released'],
      2,
    ])
  })

  test('and an interrupt at the first poll keeps it as well', async () => {
    const { result, entries } = await cleared({ submission, stopAt: { look: 1 } })
    expect([result, entries]).toStrictEqual([{ kind: 'interrupted' }, []])
  })

  test.each([
    ['no-answer', 13],
    ['unauthorized', 1],
  ] as const)('and failed polls keep it: %s', async (kind, looks) => {
    const lost: ServiceFailure =
      kind === 'no-answer' ? { kind, reason: 'cut' } : { kind, status: 200, code: 499, message: 'token' }
    const { result } = await cleared({ submission, looks: [{ ok: false, error: lost }] })
    expect(result).toStrictEqual({ kind: 'unproven', lost: { looks, failure: lost } })
  })

  test('and a failed write keeps it', async () => {
    const spoil = (backend: StateBackend) => failingFrom(2, failure, backend)
    expect((await cleared({ submission, spoil })).result).toStrictEqual({ kind: 'not-recorded', failure })
    const locked = (backend: StateBackend) => failingFrom(1, failure, backend)
    expect((await cleared({ submission, spoil: locked })).result).toStrictEqual({
      kind: 'not-recorded',
      failure,
    })
  })
})
