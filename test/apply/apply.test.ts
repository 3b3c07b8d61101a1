import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stageNames } from '../../src/contract/responses.js'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { startEmulator } from '../../src/emulator/server.js'
import { hasChanges } from '../../src/plan/plan.js'
import { describeOutcome } from '../../src/report/endings/apply.js'
import { type SecretSource, secretSource } from '../../src/secrets/secret-source.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { httpDouble, type Reply } from '../support/http-double.js'
import { exampleManifest } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'
import { failingFrom, someState } from '../support/some-state.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'
import { virtualClock } from '../support/virtual-clock.js'

const quickstart = exampleManifest()
let clock = virtualClock()
let emulator: Emulator

beforeEach(async () => {
  clock = virtualClock()
  // Longer stages than polls, so that every state of every stage is seen.
  emulator = await startEmulator({ now: clock.now, stageMs: 12_000 })
})

afterEach(() => emulator.close())
afterEach(removeTemporaryFolders)

test('a new site is configured once, followed through all stages, and given its policy', async () => {
  const ports = portsFor(emulator.url, { clock })
  const { events, receipt } = await applied(await planFor(emulator.url, quickstart, ports), ports)

  expect(receipt.outcome).toStrictEqual({ kind: 'done' })
  expect(emulator.world().counters.configure).toStrictEqual({ received: 1, accepted: 1 })
  expect(emulator.world().counters.update).toStrictEqual({ received: 1, accepted: 1 })
  const seen = events.flatMap(event => (event.type === 'stages-changed' ? event.changed : []))
  const through = stageNames.filter(name => name !== 'Cloud Native Storage')
  expect(seen.map(({ name, state }) => `${name} ${state}`)).toStrictEqual(
    through.flatMap(name => [`${name} in_progress`, `${name} completed`]),
  )
  expect(
    events.map(event => event.type).filter(type => type !== 'stages-changed' && type !== 'heartbeat'),
  ).toStrictEqual([
    'stream-started',
    'site-locked',
    'action-started',
    'intent-written',
    'configure-accepted',
    'configure-begun',
    'site-said',
    'site-said',
    'site-ready',
    'action-finished',
    'action-started',
    'action-finished',
    'record-written',
    'stream-finished',
  ])
})

test('a second plan has nothing to do, and performing it sends nothing', async () => {
  const ports = portsFor(emulator.url, { clock })
  await applied(await planFor(emulator.url, quickstart, ports), ports)
  const second = await planFor(emulator.url, quickstart, ports)
  expect(hasChanges(second)).toBe(false)
  expect(second.actions.map(({ change, reason }) => [change, reason])).toStrictEqual([
    ['no-op', 'already-configured'],
    ['no-op', 'policy-unchanged'],
  ])
  const before = [emulator.requests.length, await ports.state.read()]
  const { events, receipt } = await applied(second, ports)
  expect(receipt.outcome).toStrictEqual({ kind: 'done' })
  const [configure, update] = [{ operation: 'configure' }, { operation: 'update' }]
  expect(events.slice(1, -1)).toStrictEqual([
    { type: 'action-started', ...configure, change: 'no-op', reason: 'already-configured' },
    { type: 'action-finished', ...configure },
    { type: 'action-started', ...update, change: 'no-op', reason: 'policy-unchanged' },
    { type: 'action-finished', ...update },
  ])
  expect([emulator.requests.length, await ports.state.read()]).toStrictEqual(before)
})

test('a plan without changes is not performed while another run has the site locked, or after it has changed its state', async () => {
  const ports = portsFor(emulator.url, { clock })
  await applied(await planFor(emulator.url, quickstart, ports), ports)
  const second = await planFor(emulator.url, quickstart, ports)
  const taken = await ports.state.take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  expect((await applied(second, ports)).receipt.outcome).toMatchObject({ kind: 'locked', liveness: 'alive' })
  taken.held.note(content => ({ ...content, record: { serial: content.record.serial } }))
  await taken.held.release({ type: 'released' })
  const { outcome } = (await applied(second, ports)).receipt
  expect(outcome).toStrictEqual({ kind: 'stale', moved: [{ kind: 'state-written' }] })
})

test('only a changed policy is sent again', async () => {
  const ports = portsFor(emulator.url, { clock })
  await applied(await planFor(emulator.url, quickstart, ports), ports)
  const changed = { ...quickstart, policy: { nodeAffinity: {}, tolerations: [] } }
  const plan = await planFor(emulator.url, changed, ports)
  expect(plan.actions.map(({ reason }) => reason)).toStrictEqual(['already-configured', 'policy-changed'])
  await applied(plan, ports)
  expect(emulator.world().upgradeConfig).toStrictEqual({ podPlacementPolicy: changed.policy })
  expect(emulator.world().counters.configure.received).toBe(1)
})

test('a site that is being configured is resumed, not configured again', async () => {
  const first = portsFor(emulator.url, { clock })
  const detached = await applied(await planFor(emulator.url, quickstart, first), first, { detach: true })
  expect(detached.receipt.outcome).toStrictEqual({ kind: 'in-progress', because: 'detached' })

  const second = portsFor(emulator.url, { clock })
  const plan = await planFor(emulator.url, quickstart, second)
  expect(plan.actions.map(({ change }) => change)).toStrictEqual(['resume', 'update'])
  const { receipt } = await applied(plan, second)
  expect(receipt.outcome).toStrictEqual({ kind: 'done' })
  expect(emulator.world().counters.configure.received).toBe(1)
})

test('a site that Landform never touched is not configured, and its policy counts as unknown', async () => {
  const ports = portsFor(emulator.url, { clock })
  await applied(await planFor(emulator.url, quickstart, ports), ports)
  const stranger = portsFor(emulator.url, { clock })
  const plan = await planFor(emulator.url, quickstart, stranger)
  expect(plan.actions.map(({ reason }) => reason)).toStrictEqual(['already-configured', 'cannot-be-read'])
})

test('a site configured between plan and apply makes the plan stale, and is not configured again', async () => {
  const ports = portsFor(emulator.url, { clock })
  const early = await planFor(emulator.url, quickstart, ports)
  const other = portsFor(emulator.url, { clock })
  await applied(await planFor(emulator.url, quickstart, other), other)
  const { receipt } = await applied(early, ports)
  expect(receipt.outcome).toStrictEqual({
    kind: 'stale',
    moved: [{ kind: 'site-state', was: 'not-configured', is: 'ready' }],
  })
  expect(emulator.world().counters.configure.received).toBe(1)
})

test('all missing secrets are reported before anything is sent', async () => {
  const ports = portsFor(emulator.url, { clock, secrets: secretSource({}, 'examples') })
  const { receipt } = await applied(await planFor(emulator.url, quickstart, ports), ports)
  const { outcome } = receipt
  expect(outcome.kind === 'references' && outcome.diagnostics.map(({ pointer }) => pointer)).toStrictEqual([
    '/spec/administrator/password',
    '/spec/administrator/securityQuestion/answer',
    '/spec/site/token',
  ])
  expect(emulator.requests.every(({ method }) => method === 'GET')).toBe(true)
})

const staleLicense = { kind: 'stale', moved: [{ kind: 'file', file: 'licenses/site.json' }] }
test.each([
  ['changed since the plan was made', true, staleLicense],
  ['did not exist when the plan was made', false, { kind: 'done' }],
])('after a license file that %s, the apply is %#', async (_, isBound, outcome) => {
  const ports = portsFor(emulator.url, { clock })
  const plan = await planFor(emulator.url, quickstart, ports)
  const bytes = Buffer.from('{}')
  const file = async () => ({ kind: 'read', bytes }) as const
  const binds = isBound ? plan.binds : { ...plan.binds, files: {} }
  const secrets = { ...secretSource(someSecrets, 'examples'), file }
  const { receipt } = await applied({ ...plan, binds }, { ...ports, secrets })
  expect(receipt.outcome).toStrictEqual(outcome)
  expect(emulator.world().counters.configure.received).toBe(isBound ? 0 : 1)
})

test('a request that the service rejects ends with the message of the service', async () => {
  const organization = { ...quickstart.organization, extra: { notAParameter: '1' } }
  const ports = portsFor(emulator.url, { clock })
  const plan = await planFor(emulator.url, { ...quickstart, organization }, ports)
  const { receipt } = await applied(plan, ports)
  expect(receipt.outcome).toMatchObject({
    kind: 'not-taken',
    operation: 'configure',
    failure: { kind: 'refused', message: expect.stringContaining('notAParameter') },
  })
  expect(emulator.world().counters.configure).toStrictEqual({ received: 1, accepted: 0 })
})

/** Forwards requests to the site, except each POST, which gets `reply`. */
async function cutting(reply: Reply) {
  const proxy = await httpDouble([{ method: 'POST', reply }, { reply: { forward: emulator.url } }])
  return { proxy, url: proxy.at(emulator.url) }
}

test('if the response is lost after the service began, the site is polled and nothing is sent again', async () => {
  const { proxy, url } = await cutting({ forward: emulator.url, lost: true })
  const ports = portsFor(url, { clock })
  const { policy: _, ...withoutPolicy } = quickstart
  const { events, receipt } = await applied(await planFor(url, withoutPolicy, ports), ports)
  expect(events.map(({ type }) => type)).toContain('outcome-unknown')
  expect(receipt.outcome).toStrictEqual({ kind: 'done' })
  expect(proxy.posts()).toHaveLength(1)
  expect(emulator.world().counters.configure).toStrictEqual({ received: 1, accepted: 1 })
})

test('a request that is lost on the way has an unknown outcome and is not sent again', async () => {
  const { proxy, url } = await cutting({ close: 'destroy' })
  const ports = portsFor(url, { clock })
  const { receipt } = await applied(await planFor(url, quickstart, ports), ports)
  expect(receipt.outcome).toMatchObject({ kind: 'unknown', operation: 'configure' })
  expect(proxy.posts()).toHaveLength(1)
  expect(emulator.world().counters.configure.received).toBe(0)
})

test.each([
  ['done', 1],
  ['locked', 0],
])('the password is wiped when the apply is %s', async (kind, received) => {
  const bytes = Buffer.from('Secret-in-a-file-1')
  const source = secretSource(someSecrets, 'examples')
  const file: SecretSource['file'] = async (at, most) =>
    at.path === 'secrets/password' ? { kind: 'read', bytes } : source.file(at, most)
  const administrator = { ...quickstart.organization.administrator, password: { file: 'secrets/password' } }
  const manifest = { ...quickstart, organization: { ...quickstart.organization, administrator } }
  const ports = portsFor(emulator.url, { clock, secrets: { ...source, file } })
  if (kind === 'locked') await ports.state.take('apply')
  const { receipt } = await applied(await planFor(emulator.url, manifest, ports), ports)
  expect([receipt.outcome.kind, emulator.world().counters.configure.received]).toStrictEqual([kind, received])
  expect([...bytes].every(byte => byte === 0)).toBe(true)
})

describe('a license that is too large for memory', () => {
  const length = 5_000_000

  async function planned() {
    const folder = await temporaryFolder()
    const path = join(folder, 'license.json')
    writeFileSync(path, `{${' '.repeat(length - 2)}}`)
    const organization = { ...quickstart.organization, license: { file: 'license.json' } }
    const ports = portsFor(emulator.url, { clock, secrets: secretSource(someSecrets, folder) })
    return { path, ports, plan: await planFor(emulator.url, { ...quickstart, organization }, ports) }
  }

  test('is sent unchanged', async () => {
    const { ports, plan } = await planned()
    const { receipt } = await applied(plan, ports)
    expect(receipt.outcome.kind).toBe('done')
    expect(emulator.world().counters.configure).toStrictEqual({ received: 1, accepted: 1 })
  })

  test('makes the plan stale if it has changed', async () => {
    const { path, ports, plan } = await planned()
    writeFileSync(path, `{${' '.repeat(length - 3)}1}`)
    const { receipt } = await applied(plan, ports)
    expect(receipt.outcome).toStrictEqual({ kind: 'stale', moved: [{ kind: 'file', file: 'license.json' }] })
    expect(emulator.world().counters.configure.received).toBe(0)
  })
})

test.each([
  // The writes are the lock, the intent, and everything after the response.
  ['from the first version on', 1, 'nothing', 0],
  ['from the intent on', 2, 'nothing', 0],
  ['from the response on', 3, 'configure', 1],
])('state that cannot be written %s is reported', async (_, write, after, received) => {
  const failure = {
    kind: 'unwritable',
    where: '/state',
    reason: { kind: 'system', message: 'no space left' },
  } as const
  const state = someState(emulator.url, clock.now, failingFrom(write, failure))
  const ports = portsFor(emulator.url, { clock, state })
  const { receipt } = await applied(await planFor(emulator.url, quickstart, ports), ports)
  expect(receipt.outcome).toStrictEqual({ kind: 'not-recorded', after, failure })
  expect(emulator.world().counters.configure.received).toBe(received)
  expect(emulator.world().counters.update.received).toBe(0)
})

test('a policy whose update has an unknown outcome counts as unknown', async () => {
  const ports = portsFor(emulator.url, { clock })
  await applied(await planFor(emulator.url, quickstart, ports), ports)
  const changed = { ...quickstart, policy: { nodeAffinity: {}, tolerations: [] } }
  const lost = {
    ...ports.client,
    update: async () => ({ ok: false, error: { kind: 'no-answer', reason: 'x' } }) as const,
  }
  const { receipt } = await applied(await planFor(emulator.url, changed, ports), { ...ports, client: lost })
  expect(receipt.outcome).toMatchObject({ kind: 'unknown', operation: 'update' })
  const back = await planFor(emulator.url, quickstart, ports)
  expect(back.actions.map(({ change }) => change)).toStrictEqual(['no-op', 'update'])
})

test('an interrupt before the request sends nothing', async () => {
  const stop = new AbortController()
  const ports = portsFor(emulator.url, { clock })
  const plan = await planFor(emulator.url, quickstart, ports)
  stop.abort()
  const { receipt } = await applied(plan, ports, { signal: stop.signal })
  expect(receipt.outcome).toStrictEqual({ kind: 'interrupted' })
  expect(emulator.world().counters.configure.received).toBe(0)
})

test('a rejection with an HTTP 5xx status proves nothing: the site is polled', async () => {
  const ports = portsFor(emulator.url, { clock })
  const failure = { kind: 'refused', status: 502, code: 502, message: 'bad gateway' } as const
  const send = async () => ({ ok: false, error: failure }) as const
  const observed = { kind: 'not-configured', warnings: [], stages: [] } as const
  const call = { observed, deadlineMs: 1, send, discard: () => undefined }
  const client = { ...ports.client, openConfigure: async () => ({ ok: true, value: call }) as const }
  const { receipt } = await applied(await planFor(emulator.url, quickstart, ports), { ...ports, client })
  expect(receipt.outcome).toMatchObject({ kind: 'unknown', operation: 'configure' })
})

test('an accepted configuration is in progress even if the site never answers again', async () => {
  const ports = portsFor(emulator.url, { clock })
  const plan = await planFor(emulator.url, quickstart, ports)
  let looks = 0
  const observe: typeof ports.client.observe = async signal => {
    looks += 1
    return looks === 1 ? ports.client.observe(signal) : { ok: false, error: { kind: 'trouble', status: 503 } }
  }
  const { receipt } = await applied(
    plan,
    { ...ports, client: { ...ports.client, observe } },
    { timeoutMs: 60_000 },
  )
  const failure = { kind: 'trouble', status: 503 } as const
  expect(receipt.outcome).toStrictEqual({ kind: 'in-progress', because: 'timeout', failure })
  expect(describeOutcome(receipt.outcome)).toMatch(/ The last poll of the site failed: .*HTTP 503/)
})

test('a failed configuration is not recorded, since the site may be repaired by hand', async () => {
  const failed = { kind: 'failed', warnings: [], stages: [], message: 'a stage failed' } as const
  const client = scriptedSite([
    { ok: true, value: { kind: 'not-configured', warnings: [], stages: [] } },
    { ok: true, value: failed },
  ])
  const ports = portsFor(emulator.url, { client, clock })
  const { events, receipt } = await applied(
    await planFor(emulator.url, quickstart, portsFor(emulator.url)),
    ports,
  )
  expect(receipt.outcome.kind).toBe('site-failed')
  expect(events.map(({ type }) => type)).toContain('configure-accepted')
  const kept = await ports.state.read()
  expect(kept.ok && kept.value).toMatchObject({ submission: { state: 'failed', reason: 'a stage failed' } })
  expect(kept.ok && Object.keys(kept.value?.record ?? {})).toStrictEqual(['serial'])
})
