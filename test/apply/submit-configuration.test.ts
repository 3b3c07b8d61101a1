import type { ServiceFailure } from '../../src/client/failure.js'
import type { ConfigureCall, SiteWriter } from '../../src/client/site-client.js'
import type { Observation } from '../../src/plan/observation.js'
import type { Submission } from '../../src/plan/submission.js'
import { overrideHeldState } from '../../src/state/held-state.js'
import { aSubmission } from '../support/a-submission.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { keep } from '../support/kept-state.js'
import { exampleManifest } from '../support/manifests.js'
import { virtualClock } from '../support/virtual-clock.js'

const url = 'https://gis.example.org/arcgis/admin'
const quickstart = exampleManifest()
const empty = { ok: true, value: { kind: 'not-configured', warnings: [], stages: [] } } as const
const begun = { ok: true, value: { kind: 'in-progress', warnings: [], stages: [] } as Observation } as const
const failure = { kind: 'no-answer', reason: 'cut' } as const satisfies ServiceFailure
const token = {
  kind: 'unauthorized',
  status: 200,
  code: 499,
  message: 'token',
} as const satisfies ServiceFailure

/** Plans for an empty site, and applies the plan while the site answers with `looks`. */
async function submitted(
  looks: Parameters<typeof scriptedSite>[0],
  {
    submission,
    stopAt,
    planned = empty,
    ...changes
  }: Partial<SiteWriter> & {
    submission?: Submission
    stopAt?: string
    planned?: Parameters<typeof scriptedSite>[0][number]
  } = {},
) {
  const clock = virtualClock()
  const stop = new AbortController()
  const ports = portsFor(url, { clock, client: scriptedSite([planned]) })
  if (submission !== undefined) await keep(ports.state, { submission })
  const plan = await planFor(url, quickstart, ports)
  const scripted = scriptedSite(looks, changes)
  let looked = 0
  let discarded = 0
  const client: SiteWriter = {
    ...scripted,
    async observe(...how) {
      looked += 1
      if (stopAt === `look ${looked}`) stop.abort()
      return scripted.observe(...how)
    },
    async openConfigure(...how) {
      looked += 1
      if (stopAt === `look ${looked}`) stop.abort()
      const opened = await scripted.openConfigure(...how)
      if (stopAt === 'opened') stop.abort()
      const discard = () => {
        discarded += 1
      }
      return opened.ok ? { ok: true, value: { ...opened.value, discard } } : opened
    },
  }
  const { receipt, events } = await applied(
    plan,
    { ...ports, client },
    { signal: stop.signal, resubmitAfterRejection: true },
  )
  const newest = await ports.state.read()
  const history = await ports.state.history()
  const entries = history.ok ? history.value.map(({ entry }) => entry) : []
  return {
    outcome: receipt.outcome,
    events,
    moves: entries.flatMap(entry => (entry.type === 'submission' ? [entry.state] : [])),
    types: events.map(({ type }) => type),
    sent: scripted.calls.filter(call => call === 'configure').length,
    discarded,
    submission: newest.ok ? newest.value?.submission : undefined,
    record: newest.ok ? newest.value?.record : undefined,
  }
}

test('a site that cannot be polled is not configured', async () => {
  const { outcome, sent } = await submitted([{ ok: false, error: failure }])
  expect([outcome, sent]).toStrictEqual([{ kind: 'not-taken', operation: 'configure', failure }, 0])
})

test('a site that is no longer empty makes the plan stale', async () => {
  const { outcome, sent } = await submitted([begun])
  expect([outcome, sent]).toStrictEqual([
    { kind: 'stale', moved: [{ kind: 'site-state', was: 'not-configured', is: 'in-progress' }] },
    0,
  ])
})

test('an interrupt while the site is polled, or the connection is opened, leaves no intent', async () => {
  const looked = await submitted([empty], { stopAt: 'look 1' })
  expect([looked.outcome, looked.submission, looked.discarded]).toStrictEqual([
    { kind: 'interrupted' },
    undefined,
    1,
  ])
  const opened = await submitted([empty], { stopAt: 'opened' })
  expect([opened.outcome, opened.submission, opened.discarded]).toStrictEqual([
    { kind: 'interrupted' },
    undefined,
    1,
  ])
  const openConfigure = async () => ({ ok: false, error: failure }) as const
  const refused = await submitted([empty], { stopAt: 'opened', openConfigure })
  expect([refused.outcome, refused.submission, refused.discarded]).toStrictEqual([
    { kind: 'interrupted' },
    undefined,
    0,
  ])
})

test('a connection that cannot be opened leaves no intent', async () => {
  const error = { kind: 'not-sent', cause: 'connection', reason: 'refused' } as const
  const { outcome, submission } = await submitted([empty], {
    openConfigure: async () => ({ ok: false, error }),
  })
  expect([outcome, submission]).toStrictEqual([
    { kind: 'not-taken', operation: 'configure', failure: error },
    undefined,
  ])
})

const answering = (error: ServiceFailure): Partial<SiteWriter> => ({
  openConfigure: async () => ({
    ok: true,
    value: {
      observed: empty.value,
      deadlineMs: 1,
      send: async () => ({ ok: false, error }) as const,
      discard: () => undefined,
    },
  }),
})

test.each<[string, ServiceFailure, string, object]>([
  [
    'rejects it',
    { kind: 'refused', status: 200, code: 400, message: 'too small' },
    'rejected',
    { isRejected: true },
  ],
  [
    'does not accept its token',
    { kind: 'unauthorized', status: 400, code: 498, message: 'Invalid token.' },
    'rejected',
    { isRejected: true },
  ],
  ['never receives it', { kind: 'not-sent', cause: 'connection', reason: 'refused' }, 'not-sent', {}],
])('the journal records a request if the service %s', async (_, error, state, more) => {
  const { outcome, submission, types } = await submitted([empty], answering(error))
  expect(outcome).toStrictEqual({ kind: 'not-taken', operation: 'configure', failure: error, ...more })
  expect(submission).toMatchObject({ state, generation: 1, nonce: 'a-request' })
  expect(submission?.reason).toBe('message' in error ? error.message : undefined)
  expect(types).not.toContain('configure-accepted')
})

const ready = { ok: true, value: { kind: 'ready', warnings: [], stages: [] } as Observation } as const
const no = { kind: 'refused', status: 200, code: 400, message: 'being configured' } as const

test('a rejection by a site that has begun has an unknown outcome, and the record has what was sent', async () => {
  const told = await submitted([empty, begun, begun, ready], answering(no))
  expect([told.outcome, told.submission?.state]).toStrictEqual([{ kind: 'done' }, 'ready'])
  expect(told.types).toEqual(expect.arrayContaining(['outcome-unknown', 'submission-adopted']))
  expect(told.record?.organization?.value).toEqual(quickstart.organization)
})

const silent = { ok: true, value: { ...empty.value, implied: true } } as const
const lost = (error: ServiceFailure) => ({ ok: false, error }) as const

test.each<[string, Parameters<typeof scriptedSite>[0]]>([
  ['is unavailable', [lost({ kind: 'trouble', status: 503 })]],
  ['resets the connection', [lost(failure)]],
  ['responds with a page', [lost({ kind: 'not-understood', status: 200, reason: 'not-a-json-object' })]],
  ['shows no state', [silent]],
  ['shows the begin later', [empty, empty]],
])('a rejected request that the site carried out is recorded even if the site first %s', async (_, first) => {
  const looks = [...first, ...first, ...first, begun, begun, ready]
  const { outcome, submission, record, sent } = await submitted(looks, answering(no))
  expect([outcome, submission?.state, sent]).toStrictEqual([{ kind: 'done' }, 'ready', 0])
  expect(record?.organization?.value).toEqual(quickstart.organization)
})

test.each<[string, Parameters<typeof scriptedSite>[0][number]]>([
  ['does not answer', lost(failure)],
  ['shows no state', silent],
])('a rejection proves nothing while the site %s', async (_, look) => {
  const { outcome, submission } = await submitted([look], answering(no))
  expect(outcome).toMatchObject({ kind: 'unknown', said: 'being configured', isRejection: true })
  expect(submission).toMatchObject({
    state: 'unknown',
    rejection: { kind: 'refused', status: 200, code: 400 },
  })
})

test('a later run proves a rejection that an earlier run had no time to prove', async () => {
  const submission = aSubmission({
    state: 'unknown',
    reason: 'too small',
    rejection: { kind: 'unauthorized', status: 400, code: 498 },
  })
  const told = await submitted([empty], { submission })
  expect(told.outcome).toStrictEqual({
    kind: 'not-taken',
    operation: 'configure',
    failure: { kind: 'unauthorized', status: 400, code: 498, message: 'too small' },
    isRejected: true,
  })
  expect([told.submission?.state, told.sent, told.record?.organization]).toStrictEqual([
    'rejected',
    0,
    undefined,
  ])
})

describe('the site at the other end of the connection', () => {
  const built = (build: string) => ({ ok: true, value: { ...empty.value, build } }) as const
  const stale = { kind: 'stale', moved: [{ kind: 'site-build', was: '1234', is: '9999' }] }
  const notSent = { kind: 'not-sent', cause: 'connection', reason: 'CONNECTION_LOST' } as const

  /** Closes the first connections before the request is sent, as many as `times`. */
  function closing(times: number, looks: readonly ReturnType<typeof built>[]) {
    let opened = 0
    const sentOn: unknown[] = []
    const openConfigure: SiteWriter['openConfigure'] = async () => {
      opened += 1
      const observed = looks[Math.min(opened, looks.length) - 1]?.value ?? empty.value
      const isClosed = opened <= times
      const send: ConfigureCall['send'] = async (_, on) => {
        sentOn.push(on)
        return isClosed ? { ok: false, error: notSent } : begun
      }
      return { ok: true, value: { observed, deadlineMs: 1, send, discard: () => undefined } }
    }
    return { openConfigure, sentOn, opened: () => opened }
  }

  test('is the planned one; otherwise the plan is stale and no intent is left', async () => {
    const told = await submitted([built('9999')], { planned: built('1234') })
    expect([told.outcome, told.sent, told.submission]).toStrictEqual([stale, 0, undefined])
  })

  test('is always recorded with the intent', async () => {
    const { submission } = await submitted([built('1234')], { planned: built('1234') })
    expect(submission?.site).toStrictEqual({ build: '1234' })
  })

  test('is polled again on each connection that replaces a closed one', async () => {
    const { openConfigure, opened, sentOn } = closing(2, [built('1234')])
    const told = await submitted([begun, ready], { planned: built('1234'), openConfigure })
    expect([told.outcome, opened()]).toStrictEqual([{ kind: 'done' }, 3])
    expect(sentOn).toStrictEqual([undefined, undefined, 'new-connection'])
    expect(told.moves).toStrictEqual(['intent', 'acknowledged'])
  })

  test('gets nothing if the next connection leads to another site', async () => {
    const { openConfigure, opened } = closing(1, [built('1234'), built('9999')])
    const told = await submitted([ready], { planned: built('1234'), openConfigure })
    expect([told.outcome, told.moves, opened()]).toStrictEqual([stale, ['intent', 'not-sent'], 2])
  })

  test('gets nothing if it closes every connection', async () => {
    const { openConfigure, opened } = closing(9, [built('1234')])
    const told = await submitted([ready], { planned: built('1234'), openConfigure })
    expect(told.outcome).toStrictEqual({ kind: 'not-taken', operation: 'configure', failure: notSent })
    expect([told.submission?.state, opened()]).toStrictEqual(['not-sent', 3])
  })
})

test('an incomplete response is reported, and the site is polled', async () => {
  const { outcome, events, submission, moves } = await submitted([empty], answering(failure))
  expect(outcome).toMatchObject({ kind: 'unknown', operation: 'configure', nonce: 'a-request' })
  expect(events).toContainEqual({ type: 'outcome-unknown', operation: 'configure', failure })
  expect(moves).toStrictEqual(['intent', 'unknown'])
  expect(submission).not.toHaveProperty('reason')
})

test.each([
  [undefined, []],
  [{}, [{ type: 'intent-not-noted' }]],
  [{ folder: '/notes' }, [{ type: 'intent-not-noted', folder: '/notes' }]],
])(
  'an intent that has no note on this machine is reported with its folder: %j',
  async (unnoted, reported) => {
    const ports = portsFor(url, { client: scriptedSite([empty, empty, begun, ready]) })
    const { take } = ports.state
    const state: typeof ports.state = {
      ...ports.state,
      async take(...asked) {
        const taken = await take(...asked)
        if (taken.kind !== 'held' || unnoted === undefined) return taken
        return { ...taken, held: overrideHeldState(taken.held, { unnoted }) }
      },
    }
    const { events } = await applied(await planFor(url, quickstart, ports), { ...ports, state })
    expect(events.filter(({ type }) => type === 'intent-not-noted')).toStrictEqual(reported)
  },
)

describe('after a rejection in the journal', () => {
  const submission = aSubmission({ state: 'rejected', reason: 'too small' })

  test('the next request has the next generation', async () => {
    const looks = [empty, begun, ready]
    const { submission: next, sent } = await submitted(looks, { submission })
    expect([next?.generation, sent]).toStrictEqual([2, 1])
  })

  test.each([
    [
      'shows a configuration',
      begun,
      { kind: 'stale', moved: [{ kind: 'site-state', was: 'not-configured', is: 'in-progress' }] },
    ],
    [
      'requires a token',
      { ok: false, error: token } as const,
      { kind: 'not-taken', operation: 'configure', failure: token },
    ],
    [
      'does not answer',
      { ok: false, error: failure } as const,
      { kind: 'not-taken', operation: 'configure', failure },
    ],
  ] as const)('nothing is sent to a site that %s', async (_, look, outcome) => {
    const told = await submitted([look], { submission })
    expect([told.outcome, told.sent, told.submission]).toStrictEqual([outcome, 0, submission])
  })

  test.each(['look 1', 'opened'])('nothing is sent after an interrupt at %s', async stopAt => {
    const told = await submitted([empty], { submission, stopAt })
    expect([told.outcome, told.sent, told.submission]).toStrictEqual([{ kind: 'interrupted' }, 0, submission])
  })
})
