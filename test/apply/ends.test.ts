import { apply } from '../../src/apply/apply.js'
import type { Clock } from '../../src/apply/clock.js'
import { toOpenOutcome } from '../../src/apply/configure-site.js'
import type { Outcome } from '../../src/apply/outcome.js'
import type { Reply, ServiceFailure } from '../../src/client/failure.js'
import type { Observation } from '../../src/plan/observation.js'
import type { Plan } from '../../src/plan/plan.js'
import type { Liveness } from '../../src/plan/submission.js'
import { Secret } from '../../src/secrets/secret.js'
import { secretSource } from '../../src/secrets/secret-source.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { StateBackend } from '../../src/state/series.js'
import { stateStore } from '../../src/state/state-store.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { exampleManifest } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'
import { failingFrom, statePortsFor } from '../support/some-state.js'
import { virtualClock } from '../support/virtual-clock.js'

const url = 'https://gis.example.org/arcgis/admin'
const quickstart = exampleManifest()
const planId = `sha256:${'b'.repeat(64)}`
const hours = 3_600_000
const observation = (kind: Observation['kind'], more: object = {}): Reply<Observation> => ({
  ok: true,
  value: { kind, warnings: [], stages: [], ...more } as Observation,
})
const [empty, ready] = [observation('not-configured'), observation('ready')]

const no = { kind: 'refused', status: 200, code: 400, message: 'no policy' } as const

/** A plan for a site without state, and the ports to apply it with. */
async function anApply(looks: readonly Reply<Observation>[] = [empty, empty, ready]) {
  const clock = virtualClock()
  const client = scriptedSite(looks)
  const ports = portsFor(url, { clock, client })
  return { clock, client, ports, plan: await planFor(url, quickstart, ports) }
}

/** The state of the site on a backend, with processes of this liveness. */
const storeOf = (clock: Clock, backend: StateBackend, liveness: Liveness = 'alive') =>
  stateStore(backend, { url }, statePortsFor(clock.now, { liveness: async () => liveness }))
const unwritable = {
  kind: 'unwritable',
  where: 'there',
  reason: { kind: 'system', message: 'full' },
} as const

describe('a plan', () => {
  test.each([
    [-1, 'done'],
    [0, 'stale'],
    [1, 'stale'],
  ])('that is used %d ms after it expired: %s', async (late, kind) => {
    const { clock, plan, ports, client } = await anApply()
    clock.pass(Date.parse(plan.expiresAt) + late - clock.now())
    const { receipt } = await applied(plan, ports)
    expect(receipt.outcome.kind).toBe(kind)
    if (kind !== 'stale') return
    expect(receipt.outcome).toStrictEqual({ kind, moved: [{ kind: 'expired', expiresAt: plan.expiresAt }] })
    expect(client.calls).toStrictEqual(['observe'])
  })

  test('that was saved is recorded before anything is sent, with its id in the receipt', async () => {
    const { clock, plan, ports } = await anApply()
    const usedAt = new Date(clock.now()).toISOString()
    await applied(plan, ports, { planId })
    const history = await ports.state.history()
    if (!history.ok) throw new Error(history.error.reason.kind)
    const intent = history.value.find(({ entry }) => entry.type === 'submission')
    expect(intent).toMatchObject({ entry: { state: 'intent' }, record: { plan: { id: planId, usedAt } } })
    const last = history.value.at(-1)
    expect(last?.record.plan).toStrictEqual({ id: planId, usedAt })
    expect(last?.entry).toMatchObject({
      type: 'receipt',
      receipt: {
        outcome: 'done',
        plan: planId,
        manifest: plan.binds.manifest,
        startedAt: usedAt,
        finishedAt: new Date(clock.now()).toISOString(),
        actions: plan.actions.map(({ operation, change }) => ({ operation, change })),
      },
    })
    expect(last?.entry).not.toHaveProperty('receipt.reason')
  })

  test('that was not saved leaves no id', async () => {
    const { plan, ports } = await anApply()
    await applied(plan, ports)
    const newest = await ports.state.read()
    expect(newest.ok && newest.value?.record).not.toHaveProperty('plan')
    expect(newest.ok && newest.value?.entry).not.toHaveProperty('receipt.plan')
  })

  test('is stale if another run changed the state', async () => {
    const { plan, ports, client } = await anApply()
    const taken = await ports.state.take('apply')
    if (taken.kind !== 'held') throw new Error(taken.kind)
    await taken.held.write({ type: 'renewed' }, content => ({
      ...content,
      record: { ...content.record, plan: { id: planId, usedAt: plan.expiresAt } },
    }))
    expect((await applied(plan, ports)).receipt.outcome).toMatchObject({
      kind: 'locked',
      lock: taken.held.lock,
      liveness: 'alive',
    })
    await taken.held.release({ type: 'released' })
    expect((await applied(plan, ports)).receipt.outcome).toStrictEqual({
      kind: 'stale',
      moved: [{ kind: 'state-written' }],
    })
    expect(client.calls).toStrictEqual(['observe'])
  })

  test('unlocks the site if its events are read no further', async () => {
    const { plan, ports } = await anApply()
    const { signal } = new AbortController()
    for await (const { type } of apply(plan, ports, {
      timeoutMs: hours,
      pollMs: 5000,
      detach: false,
      signal,
    }))
      if (type === 'site-locked') break
    const newest = await ports.state.read()
    expect(newest.ok && [newest.value?.lock, newest.value?.entry]).toStrictEqual([
      undefined,
      { type: 'released' },
    ])
  })

  test('is not done if its end cannot be recorded', async () => {
    const { plan, ports } = await anApply()
    const failure = unwritable
    const state: typeof ports.state = {
      ...ports.state,
      async take(...asked) {
        const taken = await ports.state.take(...asked)
        if (taken.kind !== 'held') return taken
        const release = async () => ({ ok: false, error: failure }) as const
        const { held } = taken
        const broken = {
          get content() {
            return held.content
          },
          lock: held.lock,
          lineage: held.lineage,
          isBehind: held.isBehind,
          note: held.note,
          write: held.write,
          confirm: held.confirm,
          renew: held.renew,
          release,
        }
        return { ...taken, held: broken }
      },
    }
    const { receipt } = await applied(plan, { ...ports, state })
    expect(receipt.outcome).toStrictEqual({ kind: 'not-recorded', after: 'update', failure })
  })
})

describe('a plan without changes for a site that has no state', () => {
  async function performed(backend: StateBackend) {
    const { policy: _, ...desired } = quickstart
    const clock = virtualClock()
    const ports = portsFor(url, { clock, client: scriptedSite([ready]) })
    const plan = await planFor(url, desired, ports)
    const state = storeOf(clock, backend)
    const { events, receipt } = await applied(plan, { ...ports, state })
    return { types: events.map(({ type }) => type).slice(1, -1), outcome: receipt.outcome }
  }

  test('leaves a receipt and no record', async () => {
    const backend = memoryBackend()
    expect(await performed(backend)).toStrictEqual({
      types: ['site-locked', 'action-started', 'action-finished'],
      outcome: { kind: 'done' },
    })
    const kept = await storeOf(virtualClock(), backend).read()
    expect(kept).toMatchObject({ value: { record: { serial: 0 }, entry: { type: 'receipt' } } })
  })

  test.each([
    ['cannot be locked', failingFrom(1, unwritable)],
    ['cannot have its receipt written', failingFrom(2, unwritable)],
    [
      'cannot be read',
      {
        ...memoryBackend(),
        series: () => ({
          ...memoryBackend().series(url),
          newest: async () => ({ ok: false, error: unwritable }) as const,
        }),
      },
    ],
  ])("sends nothing if the site's state %s", async (_, backend) => {
    const { outcome } = await performed(backend)
    expect(outcome).toStrictEqual({ kind: 'not-recorded', after: 'nothing', failure: unwritable })
  })
})

describe('the lock of another run', () => {
  const leaseMs = 15 * 60_000
  const holder = { host: 'runner', pid: 1 }

  test.each<[string, Liveness, object, object]>([
    ['whose process is gone', 'dead', {}, { former: holder, isGone: true }],
    ['whose lease has expired', 'elsewhere', { leaseMs }, { former: holder }],
  ])('%s is taken over, and the event names its owner', async (_, liveness, lease, former) => {
    const { clock, plan, ports } = await anApply()
    const state = storeOf(clock, { ...memoryBackend(), ...lease }, liveness)
    await state.take('apply')
    clock.pass(2 * leaseMs)
    const { events, receipt } = await applied(plan, { ...ports, state })
    expect(receipt.outcome).toStrictEqual({ kind: 'done' })
    expect(events.find(({ type }) => type === 'site-locked')).toStrictEqual({
      type: 'site-locked',
      fence: 2,
      ...former,
    })
  })

  test('is not mentioned if there was none, and others see why the site is locked', async () => {
    const { plan, ports } = await anApply()
    const { events } = await applied(plan, ports)
    expect(events.find(({ type }) => type === 'site-locked')).toStrictEqual({ type: 'site-locked', fence: 1 })
    const history = await ports.state.history()
    expect(history.ok && history.value[0]?.lock?.purpose).toBe('apply')
  })
})

describe('the secrets of a plan', () => {
  const signIn = {
    kind: 'secret',
    pointer: '/spec/site/signIn/password',
    reference: { env: 'OF_ADA' },
  } as const
  const administrator = ['/spec/administrator/password', '/spec/administrator/securityQuestion/answer']
  const token = '/spec/site/token'

  test.each([
    ['create and update', 'configure update', [...administrator, token, signIn.pointer]],
    ['only create', 'configure', administrator],
    ['only update', 'update', [token, signIn.pointer]],
  ])('to %s are all read before anything is sent', async (_, operations, pointers) => {
    const { plan, ports, client } = await anApply()
    const actions = plan.actions.filter(({ operation }) => operations.includes(operation))
    const secrets = secretSource({}, 'examples')
    const { receipt } = await applied({ ...plan, actions }, { ...ports, secrets, signInReferences: [signIn] })
    const { outcome } = receipt
    expect(outcome.kind === 'references' && outcome.diagnostics.map(({ pointer }) => pointer)).toStrictEqual(
      pointers,
    )
    expect(client.calls).toStrictEqual(['observe'])
  })

  test('for configure are in memory while it is sent; those for a token are read again when they are needed', async () => {
    const { plan, ports, client } = await anApply()
    const inMemory: string[] = []
    const openConfigure: typeof client.openConfigure = (organization, secrets, signal) => {
      for (const [pointer, one] of secrets)
        if (one instanceof Secret && one.bytes.some(byte => byte !== 0)) inMemory.push(pointer)
      return client.openConfigure(organization, secrets, signal)
    }
    const secrets = secretSource({ ...someSecrets, OF_ADA: 'ada' }, 'examples')
    await applied(plan, {
      ...ports,
      client: { ...client, openConfigure },
      secrets,
      signInReferences: [signIn],
    })
    expect(inMemory.filter(pointer => !pointer.includes('license'))).toStrictEqual(administrator)
  })
})

/** The plan with only the action of this operation. */
const only = (plan: Plan, operation: string): Plan => ({
  ...plan,
  actions: plan.actions.filter(action => action.operation === operation),
})

describe('a receipt', () => {
  test('has the message of the service that rejected a request', async () => {
    const { plan, ports, client } = await anApply([empty, empty, ready])
    const update = async () => ({ ok: false, error: no }) as const
    const { receipt } = await applied(plan, { ...ports, client: { ...client, update } })
    expect(receipt.outcome).toStrictEqual({
      kind: 'not-taken',
      operation: 'update',
      failure: no,
      after: 'configure',
    })
    const newest = await ports.state.read()
    expect(newest.ok && newest.value?.entry).toMatchObject({
      receipt: { outcome: 'not-taken', reason: 'no policy' },
    })
  })

  test.each<[string, ServiceFailure, string]>([
    ['', { kind: 'no-answer', reason: 'cut' }, 'no-sign-of-configuration'],
    [
      ', with the message of the service',
      { kind: 'refused', status: 503, code: 5, message: 'busy' },
      'no-sign-of-configuration: HTTP 503: busy',
    ],
  ])('has the reason for an unknown outcome%s', async (_, error, reason) => {
    const { plan, ports, client } = await anApply([empty])
    const send = async () => ({ ok: false, error }) as const
    const call = { observed: seen('not-configured'), deadlineMs: 1, send, discard: () => undefined }
    const openConfigure = async () => ({ ok: true, value: call }) as const
    const { receipt } = await applied(plan, { ...ports, client: { ...client, openConfigure } })
    expect(receipt.outcome).toMatchObject({ kind: 'unknown', operation: 'configure', nonce: 'a-request' })
    const newest = await ports.state.read()
    expect(newest.ok && newest.value?.entry).toMatchObject({ receipt: { reason } })
  })

  test('of a failed site has its message', async () => {
    const { plan, ports } = await anApply([empty, empty, observation('failed', { message: 'no volume' })])
    const { receipt, events } = await applied(plan, ports)
    expect(receipt.outcome).toStrictEqual({ kind: 'site-failed', message: 'no volume', stages: [] })
    expect(events.map(({ type }) => type)).not.toContain('record-written')
    const newest = await ports.state.read()
    expect(newest.ok && newest.value?.entry).toMatchObject({ receipt: { reason: 'no volume' } })
  })
})

describe('an interrupt', () => {
  test.each([
    ['while another run has the site locked', true, []],
    ['before the first action', false, ['site-locked']],
  ])('%s begins no action', async (_, isLocked, types) => {
    const { plan, ports, client } = await anApply()
    if (isLocked) await ports.state.take('apply')
    const { receipt, events } = await applied(plan, ports, { signal: AbortSignal.abort() })
    expect(receipt.outcome).toStrictEqual({ kind: 'interrupted' })
    expect(events.map(({ type }) => type).slice(1, -1)).toStrictEqual(types)
    expect(client.calls).toStrictEqual(['observe'])
  })

  test('between two actions prevents the second', async () => {
    const { plan, ports, client } = await anApply()
    const stop = new AbortController()
    const stream = apply(plan, ports, { timeoutMs: hours, pollMs: 5000, detach: false, signal: stop.signal })
    let step = await stream.next()
    for (; step.done !== true; step = await stream.next())
      if (step.value.type === 'action-finished') stop.abort()
    expect(step.value.outcome).toStrictEqual({ kind: 'interrupted' })
    expect(client.calls).not.toContain('update')
  })

  test('before the only action, an update, sends nothing', async () => {
    const { plan, ports, client } = await anApply([ready])
    const stop = new AbortController()
    stop.abort()
    const { receipt } = await applied(only(plan, 'update'), ports, { signal: stop.signal })
    expect(receipt.outcome).toStrictEqual({ kind: 'interrupted' })
    expect(client.calls).not.toContain('update')
  })
})

const failure = { kind: 'trouble', status: 503 } as const
const seen = (kind: Observation['kind'], more: object = {}) =>
  ({ kind, warnings: [], stages: [], ...more }) as Observation
type OpenEnd = Parameters<typeof toOpenOutcome>[0]

test.each<[string, OpenEnd, boolean, Partial<Outcome>]>([
  [
    'showing no sign of a configuration',
    { kind: 'not-begun', isShown: true },
    false,
    { kind: 'unknown', reason: 'no-sign-of-configuration' },
  ],
  [
    'another one',
    { kind: 'replaced', because: { kind: 'not-configured-any-more' } },
    true,
    { kind: 'replaced' },
  ],
  [
    'denying access, accepted',
    { kind: 'not-allowed', failure, begun: false },
    true,
    { kind: 'in-progress', because: 'not-allowed', failure },
  ],
  [
    'denying access, begun',
    { kind: 'not-allowed', failure, begun: true },
    false,
    { kind: 'in-progress', because: 'not-allowed', failure },
  ],
  [
    'denying access',
    { kind: 'not-allowed', failure, begun: false },
    false,
    {
      kind: 'unknown',
      reason: 'no-valid-token',
    },
  ],
  [
    'interrupted, accepted',
    { kind: 'interrupted', begun: false },
    true,
    { kind: 'in-progress', because: 'interrupted' },
  ],
  [
    'interrupted, begun',
    { kind: 'interrupted', begun: true, failure },
    false,
    { kind: 'in-progress', because: 'interrupted', failure },
  ],
  ['interrupted', { kind: 'interrupted', begun: false }, false, { kind: 'unknown', reason: 'interrupted' }],
  [
    'never seen, accepted',
    { kind: 'timeout', last: undefined, begun: false },
    true,
    { kind: 'in-progress', because: 'timeout' },
  ],
  [
    'never seen',
    { kind: 'timeout', last: undefined, begun: false },
    false,
    { kind: 'unknown', reason: 'no-response-while-waiting' },
  ],
  [
    'silent',
    { kind: 'timeout', last: undefined, begun: false, wasSilent: true },
    false,
    { kind: 'unknown', reason: 'shows-no-configuration' },
  ],
  [
    'under way',
    { kind: 'timeout', last: seen('in-progress'), begun: false },
    false,
    { kind: 'in-progress', because: 'timeout' },
  ],
  [
    'ready',
    { kind: 'timeout', last: seen('ready'), begun: false, failure },
    false,
    { kind: 'in-progress', because: 'timeout', failure },
  ],
  [
    'empty',
    { kind: 'timeout', last: seen('not-configured'), begun: false },
    true,
    { kind: 'unknown', reason: 'shows-no-configuration' },
  ],
  [
    'failed',
    { kind: 'timeout', last: seen('failed'), begun: false },
    true,
    { kind: 'unknown', reason: 'site-failed' },
  ],
  [
    'odd',
    { kind: 'timeout', last: seen('unrecognized', { state: 'upside' }), begun: false },
    true,
    { kind: 'unknown', reason: 'unknown-state', state: 'upside' },
  ],
  [
    'contradictory',
    { kind: 'timeout', last: seen('unrecognized', { state: 'upside', contradiction: ['x'] }), begun: false },
    true,
    { kind: 'unknown', reason: 'contradictory-state', state: 'upside' },
  ],
])('a wait without a result is reported for a site that is %s', (_, end, accepted, outcome) => {
  const plain = toOpenOutcome(end, { accepted })
  if (outcome.kind !== 'unknown')
    return expect(plain).toStrictEqual(outcome.kind === 'replaced' ? end : outcome)
  expect(plain).toStrictEqual({ ...outcome, operation: 'configure' })
  expect(toOpenOutcome(end, { accepted, nonce: 'n', said: 's' })).toStrictEqual({
    ...plain,
    nonce: 'n',
    said: 's',
  })
  expect(toOpenOutcome(end, { accepted, rejection: no })).toStrictEqual(
    end.kind === 'not-begun'
      ? { kind: 'not-taken', operation: 'configure', failure: no, isRejected: true }
      : { ...plain, isRejection: true },
  )
})
