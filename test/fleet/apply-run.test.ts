import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyRun } from '../../packages/fleet/src/workflow/apply-run.js'
import type { Clock } from '../../src/apply/clock.js'
import { run } from '../../src/cli/run.js'
import { applySite, planSite } from '../../src/index.js'
import { statePorts } from '../../src/library/system-ports.js'
import { fileBackend } from '../../src/state/file-backend.js'
import type { SiteState } from '../../src/state/site-state.js'
import { stateStore } from '../../src/state/state-store.js'
import { fakeHost } from '../support/fake-host.js'
import { diaryInMemory, runFor, runPorts } from '../support/fleet-run.js'
import { aFleetSite } from '../support/fleet-site.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

test('a new site is configured once, and its run goes through all phases', async () => {
  const { aRun, accepted } = await aFleetSite()
  const { worker, phases, diary } = aRun()
  const end = await worker()
  expect(end).toMatchObject({ state: 'done', exitCode: 0 })
  expect(accepted()).toEqual([1, 1])
  expect(phases()).toEqual(['observe', 'configure', 'wait', 'update'])
  expect(diary.written.ends).toEqual([end])
})

test('an up-to-date site is polled and not changed', async () => {
  const { aRun, accepted } = await aFleetSite([], { stageMs: 1000 })
  await aRun().worker()
  const { worker, phases } = aRun({ generation: 2 })
  expect(await worker()).toMatchObject({ state: 'done' })
  expect(accepted()).toEqual([1, 1])
  expect(phases()).toEqual(['observe', 'update'])
})

test('a configuration that a single run began is resumed, and its record is written', async () => {
  const { aRun, accepted, request } = await aFleetSite([], { stageMs: 1000 })
  const plan = await planSite(request)
  if (!plan.ok) throw new Error(plan.error.kind)
  for await (const _ of applySite(plan.value, { detach: true }));
  const { worker, phases } = aRun()
  expect(await worker()).toMatchObject({ state: 'done' })
  expect(phases()).toEqual(['observe', 'wait', 'update'])
  expect(accepted()).toEqual([1, 1])
  const kept = await request.state.series(request.url.replace(/\/$/, '')).newest()
  expect(JSON.parse((kept.ok && kept.value?.text) || '{}')).toMatchObject({ submission: { state: 'ready' } })
})

const quickly = { stageMs: 1000 }
const tenMinutesMs = 10 * 60_000
const table: readonly (readonly [
  what: string,
  faults: readonly string[],
  end: readonly [string, number],
  message: RegExp,
  accepted: readonly [number, number],
])[] = [
  [
    'a configuration that is rejected',
    ['configure=error:400,message:No.'],
    ['failed', 5],
    /No .*landform apply site\.yaml --state postgres:env:LANDFORM_DATABASE_URL.* --resubmit-after-rejection/,
    [0, 0],
  ],
  [
    'a request that was lost',
    ['configure=drop-before'],
    ['ambiguous', 4],
    /shows no sign of it.*landform state discard-intent site\.yaml --state postgres:\S+ --intent [0-9a-f]{24}/,
    [0, 0],
  ],
  [
    'a web page as the response to the request',
    ['configure=html:413'],
    ['ambiguous', 4],
    /HTTP 413.*the site shows no sign of it/,
    [0, 0],
  ],
  ['a response that was lost', ['configure=drop-after'], ['done', 0], /success/, [1, 1]],
  [
    'a stage that fails',
    ['site@Object store=fail:It did not start.'],
    ['failed', 5],
    /It did not start/,
    [1, 0],
  ],
  [
    'a site that forgets its configuration',
    ['site@Queue store=forget'],
    ['ambiguous', 6],
    /no longer reports a configuration/,
    [1, 0],
  ],
  [
    'another site at the same address',
    ['site@Queue store=replace,version:11.1,build:other'],
    ['ambiguous', 6],
    /another site responds/,
    [1, 0],
  ],
  [
    'a stage that stalls for ever',
    ['site@Object store=stall'],
    ['unfinished', 3],
    /the wait timed out.*landform fleet resume/,
    [1, 0],
  ],
  ['an undocumented state', ['site@Queue store=state:paused'], ['ambiguous', 4], /paused/, [1, 0]],
  [
    'an update that is rejected',
    ['update=error:400,message:No.'],
    ['failed', 5],
    /update was not carried out.*No /,
    [1, 0],
  ],
  ['an update without a response, three times', ['update@1-3=drop-before'], ['done', 0], /success/, [1, 1]],
  ['a service that is unavailable for a while', ['root@1-2=status:503'], ['done', 0], /success/, [1, 1]],
  [
    'a service that is unavailable for hours',
    ['root=status:503'],
    ['failed', 75],
    /503.*tried 9 times/,
    [0, 0],
  ],
  [
    'a token that is rejected from the start',
    ['root=error:498,message:No.'],
    ['refused', 77],
    /authentication failed/,
    [0, 0],
  ],
  ['polls that fail during the wait', ['root@3-17=status:503'], ['done', 0], /success/, [1, 1]],
]
test.each(table)('%s', async (_, faults, [state, exitCode], message, counted) => {
  const { aRun, accepted, emulator } = await aFleetSite(faults, quickly)
  const { worker } = aRun({
    timeoutMs: faults.some(one => one.startsWith('site')) ? tenMinutesMs : 3 * 3_600_000,
  })
  expect(await worker()).toMatchObject({ state, exitCode, message: expect.stringMatching(message) })
  expect(accepted()).toEqual(counted)
  expect(emulator.world().counters.configure.received).toBeLessThanOrEqual(1)
})

test('a failure is recorded as the executor records it', async () => {
  const { aRun, request } = await aFleetSite(['site@Object store=fail'], quickly)
  await aRun().worker()
  const newest = await request.state.series(request.url ?? '').newest()
  const text = (newest.ok && newest.value?.text) || '{}'
  expect(JSON.parse(text)).toMatchObject({ submission: { state: 'failed' }, record: {} })
  expect(JSON.parse(text)).not.toHaveProperty('record.organization')
  expect(JSON.parse(text)).not.toHaveProperty('lock')
})

test("an ambiguous site becomes ready by the command in its run's message and a second run", async () => {
  const { aRun, accepted, clock, emulator, request } = await aFleetSite(['configure@1=drop-before'], quickly)
  const folder = join(await temporaryFolder(), 'kept')
  const openManifest = async () => ({ ok: true, value: { ...request, state: fileBackend(folder) } }) as const
  const readState = runPorts({ ...request, state: fileBackend(folder) }).readState
  const ports = { openManifest, readState }
  const { state, message = '' } = (await aRun({ timeoutMs: tenMinutesMs }).worker(ports)) ?? {}
  expect([state, accepted()]).toEqual(['ambiguous', [0, 0]])

  const [, typed = ''] = /(state discard-intent \S+ --state \S+ --intent \w+ --wait)/.exec(message) ?? []
  const words = typed
    .replace('site.yaml', request.file)
    .replace(/postgres:\S+/, `file:${folder}`)
    .split(' ')
  const host = { ...fakeHost({ environment: someSecrets }), clock }
  // The manifest is that of an example, with another address.
  expect([await run([...words, '--url', emulator.url], host), host.err()]).toEqual([
    0,
    expect.stringContaining('next: '),
  ])
  expect(accepted()).toEqual([0, 0])

  expect(await aRun({ generation: 2 }).worker(ports)).toMatchObject({ state: 'done', exitCode: 0 })
  expect(accepted()).toEqual([1, 1])
  // The first request was lost.
  expect(emulator.world().counters.configure.received).toBe(2)
})

test('after a rejection the next run requires consent', async () => {
  const { aRun, accepted } = await aFleetSite(['configure@1=error:400,message:No.'], quickly)
  await aRun().worker()
  expect(await aRun({ generation: 2 }).worker()).toMatchObject({
    state: 'ambiguous',
    exitCode: 4,
    message: expect.stringMatching(/rejected an earlier configure.*--resubmit-after-rejection/),
  })
  expect(accepted()).toEqual([0, 0])
})

describe('missing input of a worker', () => {
  test('rejects the run and names the secret, if it is a secret', async () => {
    const { aRun, accepted, request } = await aFleetSite()
    const { LANDFORM_ADMIN_PASSWORD: _, ...environment } = someSecrets
    const openManifest = async () => ({ ok: true, value: { ...request, environment } }) as const
    const end = await aRun().worker({ openManifest })
    expect(end).toMatchObject({
      state: 'refused',
      exitCode: 66,
      message: expect.stringContaining('LANDFORM_ADMIN_PASSWORD'),
    })
    expect(accepted()).toEqual([0, 0])
  })

  test('rejects the run before its site is polled, if the manifest is not the submitted one', async () => {
    const { aRun, emulator, request, order } = await aFleetSite()
    writeFileSync(request.file, `${readFileSync(request.file, 'utf8')}\n# edited\n`)
    const end = await aRun().worker()
    expect(end).toMatchObject({ state: 'refused', exitCode: 78 })
    expect(end?.message).toContain(order.digest.slice(0, 19))
    expect(emulator.world().counters.root.received).toBe(0)
  })

  test('ends the run with the problem of its lookup, if the manifest is missing', async () => {
    const { aRun } = await aFleetSite()
    const openManifest = async () =>
      ({ ok: false, error: { exitCode: 66, message: 'the commit is not there' } }) as const
    expect(await aRun().worker({ openManifest })).toEqual({
      state: 'refused',
      exitCode: 66,
      message: 'the commit is not there',
    })
  })
})

describe('another run that has the site locked', () => {
  async function lockedSite() {
    const found = await aFleetSite([], quickly)
    const { request, order, clock } = found
    const taken = await stateStore(request.state, { url: order.site }, statePorts(clock)).take('apply')
    if (taken.kind !== 'held') throw new Error(taken.kind)
    return { ...found, held: taken.held }
  }

  test('is waited for as long as the time of the site allows', async () => {
    const { aRun, accepted, clock, held } = await lockedSite()
    const untilMs = clock.monotonicMs() + 3_600_000
    let released: Promise<unknown> | undefined
    const sleep: Clock['sleep'] = async (milliseconds, signal) => {
      await clock.sleep(milliseconds, signal)
      if (clock.monotonicMs() >= untilMs) released ??= held.release({ type: 'released' })
      await released
    }
    const { worker, diary } = aRun()
    expect(await worker({ clock: { ...clock, sleep } })).toMatchObject({ state: 'done' })
    expect(accepted()).toEqual([1, 1])
    expect(diary.written.notes[0]).toEqual({
      type: 'retry',
      message: expect.stringMatching(/^the site is locked by .*; nothing was sent; retrying in 1m 00s$/),
    })
    expect(diary.written.progress).toContainEqual({ message: '', phase: 'observe' })
  })

  test('leaves the run unfinished if it never unlocks the site', async () => {
    const { aRun, accepted } = await lockedSite()
    expect(await aRun().worker()).toMatchObject({ state: 'unfinished', exitCode: 7 })
    expect(accepted()).toEqual([0, 0])
  })

  test('may be one that ended after its request was accepted', async () => {
    const { aRun, accepted, request, clock } = await aFleetSite([], quickly)
    const plan = await planSite(request)
    if (!plan.ok) throw new Error(plan.error.kind)
    const stream = applySite(plan.value, { detach: true })
    for (;;) {
      const { value } = await stream.next()
      if ('type' in value && value.type === 'configure-accepted') break
    }
    const sleep = async (milliseconds: number) => {
      clock.pass(milliseconds)
      await stream.return(undefined as never)
    }
    const end = await aRun().worker({ clock: { ...clock, sleep } })
    expect(end).toMatchObject({ state: 'done' })
    expect(accepted()).toEqual([1, 1])
  })
})

test('a worker signs in if the manifest requires it, for polls and for updates', async () => {
  const { request, accepted } = await aFleetSite([], { fidelity: 'field', stageMs: 1000 })
  const text = readFileSync(request.file, 'utf8').replace(/token: .*/, 'signIn: { as: administrator }')
  writeFileSync(request.file, text)
  const { LANDFORM_TOKEN: _, ...environment } = someSecrets
  const signing = { ...request, environment }
  const runLog = diaryInMemory()
  expect(await applyRun(await runFor(signing), runPorts(signing, { runLog }))).toMatchObject({
    state: 'done',
  })
  expect(accepted()).toEqual([1, 1])
  expect(JSON.stringify(runLog.written)).not.toContain(someSecrets.LANDFORM_ADMIN_PASSWORD)
})

test('metrics of a run are the durations of its phases and its retries', async () => {
  const { aRun } = await aFleetSite(['root@1=status:503'])
  const told: unknown[] = []
  await aRun().worker({ report: telling => told.push(telling) })
  const phase = (name: string, durationMs: unknown) => ({ type: 'phase-ended', phase: name, durationMs })
  expect(told).toEqual([
    phase('observe', 0),
    { type: 'run-retried', why: expect.stringMatching(/503/), pauseMs: 60_000 },
    phase('observe', 0),
    { type: 'configure-accepted' },
    phase('configure', 0),
    phase('wait', 795_000),
    phase('update', 0),
  ])
})

/** The times of the stages that later configurations of the site use. */
async function keptTimings({ state, url = '' }: Awaited<ReturnType<typeof aFleetSite>>['request']) {
  const newest = await state.series(url).newest()
  const text = (newest.ok && newest.value?.text) || ''
  const { submission } = JSON.parse(text) as SiteState
  return submission?.timings ?? []
}

test('the times of the stages are stored as a single run stores them', async () => {
  const single = await aFleetSite()
  const plan = await planSite(single.request)
  if (!plan.ok) throw new Error(plan.error.kind)
  for await (const _ of applySite(plan.value, { pollMs: 15_000 }));
  const expected = await keptTimings(single.request)
  expect(expected.length).toBeGreaterThan(5)

  const { aRun, request } = await aFleetSite()
  expect(await aRun().worker()).toMatchObject({ state: 'done' })
  expect(await keptTimings(request)).toEqual(expected)
})

test('an unexpected exception ends the run without its message', async () => {
  const { aRun } = await aFleetSite()
  const { worker, diary } = aRun()
  const openManifest = async () => {
    throw new TypeError('password=Correct-horse-1')
  }
  const end = await worker({ openManifest })
  expect(end).toMatchObject({ state: 'failed', exitCode: 70, message: expect.stringContaining('TypeError') })
  expect(JSON.stringify(diary.written)).not.toContain('horse')
})

const canaries = Object.values(someSecrets)
const echo = canaries.join(' ')

/** A site that repeats secrets wherever it can send text. */
test.each([
  ['in the response to configure', [`configure=error:400,message:${echo}`]],
  ['in a web page', ['configure=html']],
  ['in its message', [`site=message:${echo}`]],
  ['when a stage fails', [`site@Queue store=fail:${echo}`]],
  ['as a state', [`site@Queue store=state:${someSecrets.LANDFORM_TOKEN}`]],
  ['as the name of a stage', [`site=rename:Queue store,to:${someSecrets.LANDFORM_TOKEN}`]],
  ['in the response to update', [`update=error:400,message:${echo}`]],
  ['in the response to a poll', [`root@3-4=error:498,message:${echo}`]],
])('no secret that a site repeats %s is stored or reported', async (_, faults) => {
  const { aRun, request } = await aFleetSite(faults, { stageMs: 1000 })
  const { worker, diary } = aRun({ timeoutMs: 20 * 60_000 })
  const end = await worker()
  const state = await request.state.series(request.url ?? '').all()
  const text = JSON.stringify([diary.written, end, state])
  expect(diary.written.progress.length).toBeGreaterThan(0)
  expect(canaries.filter(canary => text.includes(canary))).toEqual([])
})
