import type { ApplyOptions } from '../../src/apply/ports.js'
import type { Reply } from '../../src/client/failure.js'
import type { Observation, StageRecord } from '../../src/plan/observation.js'
import type { Submission } from '../../src/plan/submission.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { StateBackend } from '../../src/state/series.js'
import type { StateFailure } from '../../src/state/state-failure.js'
import { aSubmission } from '../support/a-submission.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { keep } from '../support/kept-state.js'
import { exampleManifest } from '../support/manifests.js'
import { addingBy, failingFrom, someState } from '../support/some-state.js'
import { virtualClock } from '../support/virtual-clock.js'

const { policy: _, ...manifest } = exampleManifest()
const { url } = manifest.site
const timeoutMs = 600_000
const poll = (kind: Observation['kind'], more: object = {}): Reply<Observation> => ({
  ok: true,
  value: { kind, warnings: [], stages: [], ...more } as Observation,
})
const [empty, going, ready] = [poll('not-configured'), poll('in-progress'), poll('ready')]
const failed = poll('failed', { message: 'no volume' })
const lost: Reply<Observation> = { ok: false, error: { kind: 'trouble', status: 503 } }
const replies = {
  empty,
  'under way': going,
  ready,
  unavailable: lost,
  'without a state': poll('not-configured', { implied: true }),
}
type Site = keyof typeof replies
const unwritable: StateFailure = {
  kind: 'unwritable',
  where: 'there',
  reason: { kind: 'system', message: 'full' },
}

interface Run {
  /** The answer to the poll with which the plan is made. */
  readonly planned?: Reply<Observation>
  readonly options?: Partial<ApplyOptions>
  readonly spoil?: (backend: StateBackend) => StateBackend
}

/** Plans and applies, with this submission in the state, to a site that answers with `polls` once the plan is made. */
async function configured(
  submission: Partial<Submission> | undefined,
  polls: readonly Reply<Observation>[],
  { planned = going, options = {}, spoil = backend => backend }: Run = {},
) {
  const clock = virtualClock()
  const backend = memoryBackend()
  const state = someState(url, clock.now, backend)
  const ports = portsFor(url, { clock, client: scriptedSite([planned]), state })
  if (submission !== undefined) await keep(state, { submission: aSubmission(submission) })
  const plan = await planFor(url, manifest, ports)
  const before = await state.history()
  const client = scriptedSite(polls)
  const { receipt, events } = await applied(
    plan,
    { ...ports, client, state: someState(url, clock.now, spoil(backend)) },
    { timeoutMs, ...options },
  )
  const history = await state.history()
  if (!before.ok || !history.ok) throw new Error('no history')
  const versions = history.value.slice(before.value.length)
  return {
    outcome: receipt.outcome,
    events,
    types: events.map(({ type }) => type),
    polls: client.calls.length,
    elapsedMs: clock.monotonicMs(),
    submission: history.value.at(-1)?.submission,
    receipt: versions.find(({ entry }) => entry.type === 'receipt')?.entry,
    entries: versions.map(({ entry }) => ('state' in entry ? entry.state : entry.type)),
  }
}

describe('with --detach, a run', () => {
  const detached = { kind: 'in-progress', because: 'detached' }
  const done = { kind: 'done' }
  test.each<[Submission['state'] | undefined, Site, object, number]>([
    [undefined, 'under way', detached, 0],
    ['acknowledged', 'under way', detached, 0],
    ['begun', 'under way', detached, 0],
    ['intent', 'under way', done, 2],
    ['unknown', 'under way', done, 2],
    ['begun', 'ready', done, 2],
    ['unknown', 'ready', done, 2],
    ['ready', 'ready', done, 0],
    ['rejected', 'ready', done, 0],
  ])(
    'after a request that is %s, planned for a site that is %s: %j after %d polls',
    async (state, planned, outcome, polls) => {
      const submission = state && { state }
      const run = await configured(submission, [ready], {
        planned: replies[planned],
        options: { detach: true },
      })
      expect([run.outcome, run.polls]).toStrictEqual([outcome, polls])
    },
  )
})

describe('if polling the site brings no result after a request that is', () => {
  const failure = { kind: 'trouble', status: 503 }
  const inProgress = { kind: 'in-progress', because: 'timeout', failure }
  const unknown = (reason: string, more: object = {}) =>
    ({ kind: 'unknown', operation: 'configure', reason, nonce: 'a-request', ...more }) as const
  const noSign = 'no-sign-of-configuration'
  const answered = { state: 'unknown', reason: 'HTTP 502' } as const
  const said = { said: 'HTTP 502' }

  test.each<[Partial<Submission>, Site, Site, object, number]>([
    [{ state: 'acknowledged' }, 'under way', 'unavailable', inProgress, 600],
    [{ state: 'begun' }, 'under way', 'unavailable', inProgress, 600],
    [{ state: 'unknown' }, 'under way', 'unavailable', unknown('no-response-while-waiting'), 600],
    // The plan was made while the site was configured.
    [{ state: 'unknown' }, 'ready', 'unavailable', inProgress, 600],
    [{ state: 'acknowledged' }, 'under way', 'empty', unknown(noSign), 60],
    [
      { state: 'begun' },
      'under way',
      'empty',
      { kind: 'replaced', because: { kind: 'not-configured-any-more' } },
      60,
    ],
    [{ state: 'unknown' }, 'under way', 'empty', unknown(noSign), 60],
    [answered, 'under way', 'empty', unknown(noSign, said), 120],
    [{ state: 'unknown' }, 'under way', 'without a state', unknown('shows-no-configuration'), 600],
    [answered, 'under way', 'without a state', unknown(noSign, said), 120],
  ])(
    '%j, with a plan for a site that is %s, while it is %s: %j after %d s',
    async (submission, planned, polled, outcome, seconds) => {
      const run = await configured(submission, [replies[polled]], { planned: replies[planned] })
      expect([run.outcome, Math.round(run.elapsedMs / 1000)]).toStrictEqual([outcome, seconds])
    },
  )
})

test('the response to a request of unknown outcome is repeated with each heartbeat until the site shows the configuration', async () => {
  const polls = [lost, ...Array(9).fill(going), ready]
  const { events } = await configured({ state: 'unknown', reason: 'HTTP 502' }, polls, {
    options: { pollMs: 40_000 },
  })
  const at = events.findIndex(({ type }) => type === 'configure-begun')
  const texts = (some: typeof events) =>
    new Set(some.flatMap(event => (event.type === 'heartbeat' ? [event.said] : [])))
  expect(texts(events.slice(0, at))).toStrictEqual(new Set(['HTTP 502']))
  expect(texts(events.slice(at))).toStrictEqual(new Set([undefined]))
  expect(events.filter(event => 'said' in event).every(({ type }) => type === 'heartbeat')).toBe(true)
})

describe('once the site shows the configuration, the state records it', () => {
  test.each([
    ['acknowledged', ['locked', 'receipt'], false],
    ['intent', ['locked', 'begun', 'receipt'], true],
    ['unknown', ['locked', 'begun', 'receipt'], true],
    ['begun', ['locked', 'receipt'], false],
  ] as const)('for a request that was %s, with the versions %j', async (state, entries, isAdopted) => {
    const run = await configured({ state }, [going, ready])
    expect([run.entries, run.types.includes('submission-adopted')]).toStrictEqual([entries, isAdopted])
    expect(run.submission?.state).toBe('ready')
  })

  test('at once, for a request whose acceptance could not be written', async () => {
    let writes = 0
    const spoil = (backend: StateBackend) =>
      addingBy(backend, async (series, version) => {
        writes += 1
        return writes === 3 ? { ok: false, error: unwritable } : series.add(version)
      })
    const run = await configured(undefined, [empty, going, ready], { planned: empty, spoil })
    expect(run.entries).toStrictEqual(['locked', 'intent', 'begun', 'receipt'])
    expect(run.types).not.toContain('submission-adopted')
  })
})

describe('a configuration that fails', () => {
  const siteFailed = { kind: 'site-failed', message: 'no volume', stages: [] }
  const withheld = '[withheld]'

  test.each<[string, Partial<Submission> | undefined, Reply<Observation>, string, readonly string[]]>([
    [
      'with its message if this run sent it',
      undefined,
      empty,
      'no volume',
      ['intent', 'acknowledged', 'failed'],
    ],
    ['without its message if another run sent it', { state: 'begun' }, going, withheld, ['failed']],
    ['without its message after a plan for a ready site', { state: 'begun' }, ready, withheld, ['failed']],
    ['without a submission if another program sent it', undefined, going, withheld, []],
  ])('is recorded %s', async (_name, submission, planned, reason, entries) => {
    const run = await configured(submission, [planned, failed], { planned })
    expect([run.outcome, run.entries]).toStrictEqual([siteFailed, ['locked', ...entries, 'receipt']])
    expect(run.submission?.reason).toBe(entries.length > 0 ? reason : undefined)
    expect(run.receipt).toMatchObject({ receipt: { outcome: 'site-failed', reason } })
  })

  test('without a message is recorded without one', async () => {
    const run = await configured({ state: 'begun' }, [poll('failed')])
    expect(run.outcome).toStrictEqual({ kind: 'site-failed', message: '', stages: [] })
    expect(run.receipt).not.toHaveProperty('receipt.reason')
  })

  test('is not reported as recorded if it cannot be written', async () => {
    const spoil = (backend: StateBackend) => failingFrom(2, unwritable, backend)
    const run = await configured({ state: 'begun' }, [failed], { spoil })
    expect(run.outcome).toStrictEqual({ kind: 'not-recorded', after: 'configure', failure: unwritable })
  })
})

describe('the times of the stages', () => {
  const stage = (state: string): readonly StageRecord[] => [{ name: 'Queue store', state }]
  const seen = [{ stage: 'Queue store', beganMs: 5000, endedMs: 10_000 }]
  const polls = [
    poll('in-progress', { stages: stage('not_started') }),
    poll('in-progress', { stages: stage('in_progress') }),
    poll('ready', { stages: stage('completed') }),
  ]

  test.each([
    ['that a wait saw', polls, seen],
    ['of which a wait saw none', [ready], []],
  ])('%s are kept', async (_name, looks, kept) => {
    const run = await configured({ state: 'begun' }, looks)
    expect(run.submission?.timings).toStrictEqual(kept)
  })

  test('of an earlier configuration give an estimate', async () => {
    const two = (...states: readonly string[]) =>
      poll('in-progress', {
        stages: states.map((state, at) => ({ name: ['Queue store', 'Object store'][at], state })),
      })
    const timings = [
      { stage: 'Queue store', beganMs: 0, endedMs: 5000 },
      { stage: 'Object store', beganMs: 5000, endedMs: 65_000 },
    ]
    const looks = [
      two('not_started', 'not_started'),
      two('in_progress', 'not_started'),
      two('completed', 'in_progress'),
      ready,
    ]
    const { events } = await configured({ state: 'begun', timings }, looks)
    expect(events).toContainEqual(expect.objectContaining({ elapsedMs: 10_000, leftMs: 60_000 }))
  })
})

test.each([
  ['accepts', true],
  ['sends no complete response', false],
])(
  'the stages in the response to configure are reported if the service %s: %s',
  async (_name, isAccepted) => {
    const stages = [{ name: 'Queue store', state: 'not_started' }]
    const value: Observation = { kind: 'in-progress', warnings: [], stages }
    const send = async (): Promise<Reply<Observation>> =>
      isAccepted ? { ok: true, value } : { ok: false, error: { kind: 'no-answer', reason: 'cut' } }
    const observed: Observation = { kind: 'not-configured', warnings: [], stages: [] }
    const call = { observed, deadlineMs: 1, send, discard: () => undefined }
    const client = scriptedSite([empty, ready], { openConfigure: async () => ({ ok: true, value: call }) })
    const ports = portsFor(url, { client })
    const { events } = await applied(await planFor(url, manifest, ports), ports)
    const first = events.find(({ type }) => type === 'stages-changed')
    expect(first).toStrictEqual(
      isAccepted ? { type: 'stages-changed', changed: [], stages, elapsedMs: 0 } : undefined,
    )
  },
)
