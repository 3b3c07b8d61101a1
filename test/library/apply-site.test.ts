import { readFileSync, writeFileSync } from 'node:fs'
import type { Emulator, EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../src/emulator/faults/notation.js'
import { startEmulator } from '../../src/emulator/server.js'
import { eventDocument } from '../../src/entry/report.js'
import {
  type ApplyEvent,
  type ApplySiteOptions,
  applySite,
  compareSite,
  describeProblem,
  memoryBackend,
  observeSite,
  type PlannedSite,
  planSite,
  type SiteRequest,
  siteWriter,
} from '../../src/index.js'
import { buildPlanDocument } from '../../src/plan/saved/plan-document.js'
import { formatSavedPlan, parsePlan } from '../../src/plan/saved/saved-plan.js'
import { aRequest } from '../support/library-site.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders } from '../support/temporary-folder.js'
import { virtualClock } from '../support/virtual-clock.js'

const opened: Emulator[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  await removeTemporaryFolders()
})

async function aSite(options: EmulatorOptions = {}) {
  const clock = virtualClock()
  const emulator = await startEmulator({ now: clock.now, stageMs: 1000, ...options })
  opened.push(emulator)
  return { emulator, request: await aRequest(emulator.url, clock) }
}

async function planned(request: SiteRequest): Promise<PlannedSite> {
  const reply = await planSite(request)
  if (!reply.ok) throw new Error(describeProblem(reply.error))
  return reply.value
}

/** Performs a plan, and returns its events and its receipt. */
async function run(site: PlannedSite, options?: ApplySiteOptions) {
  const events: ApplyEvent[] = []
  const stream = applySite(site, options)
  for (;;) {
    const step = await stream.next()
    if (step.done === true) return { events, receipt: step.value }
    events.push(step.value)
  }
}

test('a plan is performed event by event to a receipt, and then there is nothing left to do', async () => {
  const { emulator, request } = await aSite()
  const { events, receipt } = await run(await planned(request))
  expect(events.at(0)?.type).toBe('stream-started')
  expect(events.at(-1)).toEqual({ type: 'stream-finished', outcome: { kind: 'done' } })
  expect(receipt.outcome).toEqual({ kind: 'done' })
  const { configure, update } = emulator.world().counters
  expect([configure.accepted, update.accepted]).toEqual([1, 1])
  const { plan } = await planned(request)
  expect(plan.actions.map(({ change }) => change)).toEqual(['no-op', 'no-op'])
})

test('a saved plan is performed as it was reviewed, and sends nothing when it is performed again', async () => {
  const { emulator, request } = await aSite()
  const read = parsePlan(formatSavedPlan(buildPlanDocument((await planned(request)).plan)))
  if (!read.ok) throw new Error(read.error)
  const { value: saved } = read
  const reviewed = await planned({ ...request, saved })
  expect(reviewed.plan).toEqual(saved.plan)
  expect((await run(reviewed)).receipt.outcome).toEqual({ kind: 'done' })
  const again = await planned({ ...request, saved })
  expect(again.plan.actions.map(({ change }) => change)).toEqual(['no-op', 'no-op'])
  expect((await run(again)).receipt.outcome).toEqual({ kind: 'done' })
  expect(emulator.world().counters.configure.received).toBe(1)
})

test('a saved plan is stale for another address', async () => {
  const { request } = await aSite()
  const { plan } = await planned(request)
  const { id } = buildPlanDocument(plan)
  const other = await aSite()
  const reply = await planSite({ ...other.request, saved: { id, plan } })
  expect(reply).toMatchObject({ error: { kind: 'stale', moved: [{ kind: 'address' }] } })
  expect(other.emulator.world().counters.root.received).toBe(0)
})

test('the signal ends the wait, and the next run resumes without a second configure', async () => {
  const { emulator, request } = await aSite()
  const stop = new AbortController()
  const stream = applySite(await planned(request), { signal: stop.signal })
  for await (const { type } of stream) if (type === 'configure-begun') stop.abort()
  const again = await planned(request)
  expect(again.plan.actions[0]).toMatchObject({ change: 'resume' })
  expect((await run(again)).receipt.outcome).toEqual({ kind: 'done' })
  expect(emulator.world().counters.configure.received).toBe(1)
})

test('leaving the loop unlocks the site for the next run', async () => {
  const { emulator, request } = await aSite()
  for await (const { type } of applySite(await planned(request))) if (type === 'configure-accepted') break
  expect((await run(await planned(request))).receipt.outcome).toEqual({ kind: 'done' })
  expect(emulator.world().counters.configure.received).toBe(1)
})

test('a detached run ends once the service has accepted the request', async () => {
  const { request } = await aSite()
  const { receipt } = await run(await planned(request), { detach: true })
  expect(receipt.outcome).toEqual({ kind: 'in-progress', because: 'detached' })
})

test('a custom backend that lost everything does not send configure again on this machine', async () => {
  const { emulator, request } = await aSite({ faults: parseBuiltInRules(['configure=drop-before']) })
  const environment = { ...request.environment, HOME: request.folder }
  const own = () => ({ ...memoryBackend(), kind: 'etcd', where: 'etcd:sites', isTemporary: false })
  const { receipt } = await run(await planned({ ...request, environment, state: own() }))
  expect(receipt.outcome.kind).toBe('unknown')
  const again = await planSite({ ...request, environment, state: own() })
  if (again.ok) throw new Error('it was planned again')
  expect(describeProblem(again.error)).toMatch(
    /^a submission intent is recorded on this machine with state in etcd:sites/,
  )
  expect(emulator.world().counters.configure.received).toBe(1)
  // The caller declares the state as temporary.
  const passing = await planSite({ ...request, environment, state: { ...own(), isTemporary: true } })
  expect(passing.ok).toBe(true)
})

test("a program's events have the texts and the times of the published format", async () => {
  const { request } = await aSite()
  const { events } = await run(await planned(request))
  const [first] = events.map(event => eventDocument(event, Date.UTC(2026, 0, 2)))
  expect(first).toMatchObject({
    at: '2026-01-02T00:00:00.000Z',
    message: expect.stringMatching(/^applying /),
  })
})

describe('a site that a program only reads', () => {
  test('is observed, with a request whose outcome is unknown', async () => {
    const { emulator, request } = await aSite({ faults: parseBuiltInRules(['configure=drop-before']) })
    expect(await observeSite(request)).toEqual({
      ok: true,
      value: { url: emulator.url, observed: expect.objectContaining({ kind: 'not-configured' }) },
    })
    await run(await planned(request))
    expect(await observeSite(request)).toMatchObject({ value: { pending: { state: 'unknown' } } })
  })

  test('is compared with its manifest once it is ready', async () => {
    const { request, emulator } = await aSite({ fidelity: 'field', field: { securityFrom: 'never' } })
    expect(await compareSite(request)).toMatchObject({
      value: { comparison: { ok: false, error: { kind: 'not-configured' } } },
    })
    await run(await planned(request))
    const writes = emulator.world().counters
    const compared = await compareSite(request)
    if (!compared.ok || !compared.value.comparison.ok) throw new Error('it was not compared')
    const { fields } = compared.value.comparison.value
    expect(fields.filter(({ verdict }) => verdict === 'different')).toEqual([])
    expect(fields.some(({ verdict }) => verdict === 'equal')).toBe(true)
    expect([writes.configure.received, writes.update.received]).toEqual([1, 1])
  })

  test('is a problem if it cannot be read', async () => {
    const { request, emulator } = await aSite()
    await emulator.close()
    opened.length = 0
    for (const read of [compareSite, observeSite])
      expect(await read(request)).toMatchObject({ ok: false, error: { kind: 'look' } })
  })
})

test('of two plans for the same site, the later one sends nothing', async () => {
  const { emulator, request } = await aSite()
  const [first, second] = [await planned(request), await planned(request)]
  await run(first)
  expect((await run(second)).receipt.outcome).toMatchObject({ kind: 'stale' })
  expect(emulator.world().counters.configure.received).toBe(1)
})

test('an expired plan is not performed', async () => {
  const { emulator, request } = await aSite()
  const site = await planned(request)
  request.ports.clock.pass(25 * 3_600_000)
  expect((await run(site)).receipt.outcome).toMatchObject({
    kind: 'stale',
    moved: [{ kind: 'expired' }],
  })
  expect(emulator.world().counters.configure.received).toBe(0)
})

describe('input that a program does not pass is not read', () => {
  test('the environment of the process is not used without an environment', async () => {
    const before = { ...process.env }
    try {
      Object.assign(process.env, someSecrets)
      const { emulator, request } = await aSite()
      const { environment: _, ...rest } = request
      const { receipt } = await run(await planned(rest))
      expect(receipt.outcome).toMatchObject({ kind: 'references' })
      expect(emulator.world().counters.configure.received).toBe(0)
    } finally {
      process.env = before
    }
  })

  test('a client that replaces the real one gets every request', async () => {
    const { emulator, request } = await aSite()
    const client = siteWriter(emulator.url)
    const url = 'https://gis.example.org/arcgis/admin'
    const site = await planned({ ...request, url, ports: { ...request.ports, client } })
    expect(site.plan.url).toBe(url)
    expect((await run(site)).receipt.outcome).toEqual({ kind: 'done' })
    expect(emulator.world().counters.configure.accepted).toBe(1)
  })
})

describe('a plan that must not be performed', () => {
  const smaller = ({ file }: { readonly file: string }) =>
    writeFileSync(file, readFileSync(file, 'utf8').replace('size: 30Gi', 'size: 31Gi'))

  test('names the edits of immutable fields', async () => {
    const { request } = await aSite()
    await run(await planned(request))
    smaller(request)
    const reply = await planSite(request)
    if (reply.ok) throw new Error('it was planned')
    expect(reply.error).toMatchObject({ kind: 'immutable' })
    expect(describeProblem(reply.error)).toContain('spec.volumes.REST_METRICS_API.size')
  })

  test('may be performed if they are ignored', async () => {
    const { request } = await aSite()
    await run(await planned(request))
    smaller(request)
    const site = await planned({ ...request, ignoreImmutable: ['/spec/volumes'] })
    expect((await run(site)).receipt.outcome).toEqual({ kind: 'done' })
  })

  test('has the blocker of a site for which no plan is possible', async () => {
    const { request, emulator } = await aSite()
    await run(await planned(request))
    await emulator.close()
    opened.pop()
    const other = await startEmulator({ now: request.ports.clock.now })
    opened.push(other)
    const ports = { ...request.ports, client: siteWriter(other.url) }
    const reply = await planSite({ ...request, ports })
    if (reply.ok) throw new Error('it was planned')
    expect(reply.error).toMatchObject({ kind: 'obstacle', blocker: { kind: 'site-replaced' } })
    expect(describeProblem(reply.error)).toContain('it was ready')
  })
})

test('a manifest with sign-in obtains its token itself', async () => {
  const { emulator, request } = await aSite({ fidelity: 'field' })
  const text = readFileSync(request.file, 'utf8').replace(/token: .*/, 'signIn: { as: administrator }')
  writeFileSync(request.file, text)
  const { LANDFORM_TOKEN: _, ...environment } = someSecrets
  const { receipt } = await run(await planned({ ...request, environment }), { pollMs: 5000 })
  expect(receipt.outcome).toEqual({ kind: 'done' })
  expect(emulator.world().counters.update.accepted).toBe(1)
})
