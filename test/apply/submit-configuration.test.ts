import type { ServiceFailure } from '../../src/client/failure.js'
import type { SiteWriter } from '../../src/client/site-client.js'
import type { Observation } from '../../src/plan/observation.js'
import type { Submission } from '../../src/plan/submission.js'
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

/** Plans for an empty site, and applies to one that answers so from then on. */
async function submitted(
  looks: Parameters<typeof scriptedSite>[0],
  { submission, stopAt, ...changes }: Partial<SiteWriter> & { submission?: Submission; stopAt?: string } = {},
) {
  const clock = virtualClock()
  const stop = new AbortController()
  const ports = portsFor(url, { clock, client: scriptedSite([empty]) })
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
      const opened = await scripted.openConfigure(...how)
      if (stopAt === 'opened') stop.abort()
      const discard = () => {
        discarded += 1
      }
      return opened.ok ? { ok: true, value: { ...opened.value, discard } } : opened
    },
  }
  const sleep: typeof clock.sleep = async (ms, signal) => {
    if (stopAt === 'sleep') stop.abort()
    await clock.sleep(ms, signal)
  }
  const { receipt, events } = await applied(
    plan,
    { ...ports, client, clock: { ...clock, sleep } },
    { signal: stop.signal, resubmitAfterRejection: true },
  )
  const newest = await ports.state.read()
  return {
    outcome: receipt.outcome,
    types: events.map(({ type }) => type),
    sent: scripted.calls.filter(call => call === 'configure').length,
    discarded,
    submission: newest.ok ? newest.value?.submission : undefined,
    record: newest.ok ? newest.value?.record : undefined,
  }
}

test('a site that cannot be looked at is not configured', async () => {
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

test('an interrupt while the site is looked at, or the connection is made, promises nothing', async () => {
  const looked = await submitted([empty], { stopAt: 'look 1' })
  expect([looked.outcome, looked.submission, looked.discarded]).toStrictEqual([
    { kind: 'interrupted' },
    undefined,
    0,
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

test('a connection that cannot be made promises nothing', async () => {
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
    value: { deadlineMs: 1, send: async () => ({ ok: false, error }) as const, discard: () => undefined },
  }),
})

test.each<[string, ServiceFailure, string, object]>([
  [
    'says no',
    { kind: 'refused', status: 200, code: 400, message: 'too small' },
    'rejected',
    { isRejected: true },
  ],
  ['never got it', { kind: 'not-sent', cause: 'connection', reason: 'refused' }, 'not-sent', {}],
])('of a service that %s the journal has it', async (_, error, state, more) => {
  const { outcome, submission, types } = await submitted([empty], answering(error))
  expect(outcome).toStrictEqual({ kind: 'not-taken', operation: 'configure', failure: error, ...more })
  expect(submission).toMatchObject({ state, generation: 1, nonce: 'a-request' })
  expect(submission?.reason).toBe(error.kind === 'refused' ? 'too small' : undefined)
  expect(types).not.toContain('configure-accepted')
})

const ready = { ok: true, value: { kind: 'ready', warnings: [], stages: [] } as Observation } as const
const no = { kind: 'refused', status: 200, code: 400, message: 'being configured' } as const

test('a rejection by a site that has begun is of unknown outcome, and what was sent becomes the record', async () => {
  const told = await submitted([empty, begun, begun, ready], answering(no))
  expect([told.outcome, told.submission?.state]).toStrictEqual([{ kind: 'done' }, 'ready'])
  expect(told.types).toEqual(expect.arrayContaining(['outcome-unknown', 'submission-adopted']))
  expect(told.record?.organization?.value).toEqual(quickstart.organization)
})

test('a site that does not answer after a rejection does not change it', async () => {
  const { outcome, submission } = await submitted([empty, { ok: false, error: failure }], answering(no))
  expect([outcome.kind, submission?.state]).toStrictEqual(['not-taken', 'rejected'])
})

test('an answer that says nothing is told, and the site is watched', async () => {
  const { outcome, types, submission } = await submitted([empty], answering(failure))
  expect(outcome).toMatchObject({ kind: 'unknown', operation: 'configure', nonce: 'a-request' })
  expect(types).toContain('outcome-unknown')
  expect(submission?.state).toBe('unknown')
})

describe('after a refusal that the journal has', () => {
  const submission = aSubmission({ state: 'rejected', reason: 'too small' })

  test('the next request has the next number', async () => {
    const looks = [...Array(5).fill(empty), begun, ready]
    const { submission: next, sent } = await submitted(looks, { submission })
    expect([next?.generation, sent]).toStrictEqual([2, 1])
  })

  test.each([
    ['shows a configuration', begun, { kind: 'stale', moved: [{ kind: 'site-not-idle' }] }],
    [
      'wants a token',
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

  test.each(['look 1', 'sleep', 'look 5'])('nothing is sent after an interrupt at %s', async stopAt => {
    const told = await submitted([empty], { submission, stopAt })
    expect([told.outcome, told.sent, told.submission]).toStrictEqual([{ kind: 'interrupted' }, 0, submission])
  })
})
