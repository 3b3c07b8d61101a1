import type { ServiceFailure } from '../../src/client/failure.js'
import type { SiteWriter } from '../../src/client/site-client.js'
import { noSettings, type SiteSettings } from '../../src/plan/observation.js'
import type { JsonObject } from '../../src/schema/json-schema.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { aManifest, aPolicy } from '../support/a-manifest.js'
import { aPlan, ready } from '../support/a-plan.js'
import { aSubmission } from '../support/a-submission.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { keep } from '../support/kept-state.js'
import { exampleManifest } from '../support/manifests.js'
import { addingBy, failingFrom, someState } from '../support/some-state.js'
import { virtualClock } from '../support/virtual-clock.js'

const url = 'https://gis.example.org/arcgis/admin'

function telling(value: JsonObject): SiteSettings {
  return { ...noSettings('not-offered'), upgradeConfig: { kind: 'read', value } }
}

/** Performs a plan that was made with the settings `planned` on a site that has the settings `now`. */
async function performed(planned: SiteSettings, now: SiteSettings) {
  const plan = aPlan({ desired: aManifest({ policy: aPolicy() }), observed: ready, settings: planned })
  const sent: JsonObject[] = []
  const client = scriptedSite([], {
    settings: async () => now,
    async update({ upgradeConfig }) {
      sent.push(upgradeConfig)
      return { ok: true, value: undefined }
    },
  })
  const { receipt } = await applied(plan, portsFor(url, { client }))
  return { outcome: receipt.outcome, sent }
}

test('the reviewed policy is sent together with the other settings of the site', async () => {
  const settings = telling({ limits: { memory: '1Gi' } })
  expect(await performed(settings, settings)).toStrictEqual({
    outcome: { kind: 'done' },
    sent: [{ limits: { memory: '1Gi' }, podPlacementPolicy: aPolicy() }],
  })
})

test.each<[string, SiteSettings, SiteSettings]>([
  ['another value', telling({ limits: 1 }), telling({ limits: 2 })],
  ['a new key', telling({}), telling({ limits: 2 })],
  ['a new key in the policy', telling({}), telling({ podPlacementPolicy: { topology: 'zone' } })],
  ['no such setting any more', telling({ limits: 1 }), noSettings('no-answer')],
])('nothing is sent if the site now has %s, which would be lost', async (_what, planned, now) => {
  expect(await performed(planned, now)).toStrictEqual({
    outcome: { kind: 'stale', moved: [{ kind: 'site-setting', setting: 'upgradeConfig' }] },
    sent: [],
  })
})

test.each<[string, readonly SiteSettings[], number]>([
  ['as before', [telling({ limits: 1 })], 3],
  ['with the policy already in place', [telling({ limits: 1, podPlacementPolicy: aPolicy() })], 3],
  ['with a change by others', [telling({ limits: 2 })], 1],
  ['no more', [noSettings('no-answer')], 1],
])(
  'a request without a response is sent again to a site that reports its settings %s',
  async (_, after, times) => {
    const before = telling({ limits: 1 })
    const plan = aPlan({ desired: aManifest({ policy: aPolicy() }), observed: ready, settings: before })
    let sent = 0
    const client = scriptedSite([], {
      settings: async () => (sent === 0 ? before : (after[0] ?? before)),
      async update() {
        sent += 1
        return { ok: false, error: { kind: 'no-answer', reason: 'x' } }
      },
    })
    const { receipt } = await applied(plan, portsFor(url, { client }))
    expect([receipt.outcome.kind, sent]).toStrictEqual(['unknown', times])
  },
)

/** Performs an update: `update` responds, write `failsAt` of the state fails, read `stopsAt` of the settings interrupts. */
async function updated({
  update = async () => ({ ok: true, value: undefined }),
  failsAt = 99,
  stopsAt = 99,
}: {
  update?: SiteWriter['update']
  failsAt?: number
  stopsAt?: number
} = {}) {
  const settings = telling({ limits: 1 })
  const plan = aPlan({ desired: aManifest({ policy: aPolicy() }), observed: ready, settings })
  const clock = virtualClock()
  const stop = new AbortController()
  let asked = 0
  const client = scriptedSite([], {
    update,
    async settings() {
      asked += 1
      if (asked === stopsAt) stop.abort()
      return settings
    },
  })
  const state = someState(url, clock.now, failingFrom(failsAt, unwritable))
  const { receipt, events } = await applied(plan, portsFor(url, { client, clock, state }), {
    signal: stop.signal,
  })
  const newest = await state.read()
  const record = newest.ok ? newest.value?.record : undefined
  return { outcome: receipt.outcome, events, types: events.map(({ type }) => type), record }
}

const unwritable = {
  kind: 'unwritable',
  where: 'there',
  reason: { kind: 'system', message: 'full' },
} as const
const refused = { kind: 'refused', status: 200, code: 400, message: 'no' } as const

test('the applied policy is recorded with its time', async () => {
  const { outcome, record, types } = await updated()
  expect(outcome).toStrictEqual({ kind: 'done' })
  expect(record?.policy).toMatchObject({ appliedAt: '2026-01-02T03:04:05.000Z', value: aPolicy() })
  expect(types).toContain('record-written')
})

test('an interrupt while the settings are read sends nothing', async () => {
  const { outcome, types } = await updated({ stopsAt: 1 })
  expect(outcome).toStrictEqual({ kind: 'interrupted' })
  expect(types).not.toContain('record-written')
})

test.each([
  [2, 'nothing'],
  [3, 'update'],
])('a record that cannot be written, from write %d on, is a failure', async (failsAt, after) => {
  const { outcome, types } = await updated({ failsAt })
  expect(outcome).toStrictEqual({ kind: 'not-recorded', after, failure: unwritable })
  expect(types).not.toContain('record-written')
})

test('a rejection is final if it is the first response, and the record claims no policy', async () => {
  const { outcome, record } = await updated({ update: async () => ({ ok: false, error: refused }) })
  expect(outcome).toStrictEqual({ kind: 'not-taken', operation: 'update', failure: refused })
  expect(record).not.toHaveProperty('policy')
})

const notUnderstood = { kind: 'not-understood', reason: 'not-a-json-object' } as const
const notConfirmed = 'not-confirmed' as const
test.each<[ServiceFailure, number, object]>([
  [{ kind: 'no-answer', reason: 'cut' }, 3, { reason: 'no-complete-response' }],
  [
    { kind: 'refused', status: 503, code: 503, message: 'busy' },
    3,
    { reason: notConfirmed, said: 'HTTP 503: busy' },
  ],
  [
    { ...notUnderstood, status: 413, cause: 'too-large', server: 'nginx', message: 'Large' },
    1,
    { reason: notConfirmed, said: 'HTTP 413 from nginx: Large' },
  ],
  [{ kind: 'trouble', status: 502 }, 3, { reason: notConfirmed, said: 'HTTP 502' }],
  [{ ...notUnderstood, status: 200 }, 3, { reason: notConfirmed, said: 'HTTP 200' }],
  [{ ...notUnderstood, status: 413, message: 'Large' }, 1, { reason: notConfirmed, said: 'HTTP 413: Large' }],
  [{ ...notUnderstood, status: 404 }, 1, { reason: notConfirmed, said: 'HTTP 404' }],
  [{ ...notUnderstood, status: 405 }, 1, { reason: notConfirmed, said: 'HTTP 405' }],
  [{ kind: 'redirected', status: 302, to: 'slash' }, 1, { reason: notConfirmed, said: 'HTTP 302' }],
  [
    { kind: 'unauthorized', status: 200, message: '', cause: 'sign-in' },
    1,
    { reason: notConfirmed, said: 'HTTP 200' },
  ],
])(
  'a response that confirms nothing is reported each time: %j, sent %i times',
  async (error, times, told) => {
    const { outcome, events } = await updated({ update: async () => ({ ok: false, error }) })
    expect(outcome).toStrictEqual({ kind: 'unknown', operation: 'update', ...told })
    expect(events.filter(({ type }) => type === 'outcome-unknown')).toStrictEqual(
      Array(times).fill({ type: 'outcome-unknown', operation: 'update', failure: error }),
    )
  },
)

describe('the removal of the policy from the record, before it is sent, is written', () => {
  const reply = (kind: 'not-configured' | 'in-progress' | 'ready') =>
    ({ ok: true, value: { kind, warnings: [], stages: [] } }) as const
  const desired = exampleManifest()
  const { organization } = aSubmission()
  const recorded = (value = aPolicy()) => ({ appliedAt: organization.appliedAt, value })
  const [same, other] = [recorded(desired.policy), recorded({ nodeAffinity: {}, tolerations: [] })]

  test.each<
    [string, 'not-configured' | 'in-progress' | 'ready', typeof same | undefined, number[], string[], number]
  >([
    ['with the intent', 'not-configured', undefined, [], ['locked', 'intent', 'acknowledged', 'receipt'], 1],
    [
      'by itself if the intent is behind',
      'not-configured',
      undefined,
      [3, 4],
      ['locked', 'intent', 'policy', 'receipt'],
      1,
    ],
    ['by itself after a wait', 'in-progress', other, [], ['locked', 'policy', 'receipt'], 1],
    ['by itself', 'ready', undefined, [], ['locked', 'policy', 'receipt'], 1],
    ['by no run that sends no policy', 'ready', same, [], ['locked', 'receipt'], 0],
  ])(
    '%s, at a site that is %s (policy: %j; lost writes: %j): %j',
    async (_, kind, policy, lost, entries, updates) => {
      const clock = virtualClock()
      const backend = memoryBackend()
      // If the site is empty, configure polls it once more.
      const client = scriptedSite([
        reply(kind),
        ...(kind === 'not-configured' ? [reply(kind)] : []),
        reply('ready'),
      ])
      const ports = portsFor(url, { clock, client, state: someState(url, clock.now, backend) })
      if (kind !== 'not-configured')
        await keep(ports.state, {
          submission: aSubmission({ state: 'begun' }),
          record: { serial: 1, organization, ...(policy && { policy }) },
        })
      const plan = await planFor(url, desired, ports)
      const earlier = await ports.state.history()
      let writes = 0
      const failing = addingBy(backend, async (series, version) => {
        writes += 1
        return lost.includes(writes) ? { ok: false, error: unwritable } : series.add(version)
      })
      const { receipt } = await applied(plan, { ...ports, state: someState(url, clock.now, failing) })
      const history = await ports.state.history()
      if (!earlier.ok || !history.ok) throw new Error('no history')
      const written = history.value.slice(earlier.value.length).map(({ entry }) => entry)
      expect(receipt.outcome).toStrictEqual({ kind: 'done' })
      expect(written.map(entry => ('state' in entry ? entry.state : entry.type))).toStrictEqual(entries)
      expect(client.calls.filter(call => call === 'update')).toHaveLength(updates)
    },
  )
})

test('after an interrupt, a request without a response is not sent again', async () => {
  let sent = 0
  const update: SiteWriter['update'] = async () => {
    sent += 1
    return { ok: false, error: { kind: 'no-answer', reason: 'cut' } }
  }
  expect((await updated({ update, stopsAt: 2 })).outcome.kind).toBe('unknown')
  expect(sent).toBe(1)
})
