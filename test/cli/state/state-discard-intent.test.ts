import { join } from 'node:path'
import type { Emulator, EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../../src/emulator/faults/notation.js'
import { startEmulator } from '../../../src/emulator/server.js'
import type { Submission } from '../../../src/plan/submission.js'
import { aSubmission } from '../../support/a-submission.js'
import { keep, kept, keptBy, someHolders } from '../../support/kept-state.js'
import { landform } from '../../support/landform.js'
import { startRawServer, stopRawServers } from '../../support/raw-server.js'
import { someSecrets } from '../../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

const sites: Emulator[] = []
afterEach(async () => {
  await Promise.all(sites.splice(0).map(site => site.close()))
  await stopRawServers()
  await removeTemporaryFolders()
})

/** Promised when the clock of the commands was still to begin, or so long after that. */
const recordedAt = (afterMs: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, 5) + afterMs).toISOString()
const longAgo = recordedAt(-3_600_000)

interface Situation {
  readonly by?: 'dead' | 'elsewhere' | 'alive'
  readonly submission?: Partial<Submission>
  readonly site?: EmulatorOptions
  readonly locks?: boolean
  /** Of another site than the emulator. */
  readonly url?: string
}

/** A site, a request on record, and the command for them. */
async function situation({ by = 'dead', submission, site, locks = false, ...at }: Situation = {}) {
  const emulator = await startEmulator({ stageMs: 5, ...site })
  sites.push(emulator)
  const folder = join(await temporaryFolder(), 'kept')
  const { url } = { ...emulator, ...at }
  const holder = (await someHolders())[by]
  const store = keptBy(holder, { folder, url })
  const promise = aSubmission({ intendedAt: longAgo, by: holder, nonce: 'a1b2', ...submission })
  await keep(store, { submission: promise }, locks ? 'keeps it' : 'lets go')
  const args = ['--url', url, '--state', `file:${folder}`]
  return {
    emulator,
    store,
    args,
    discard: (...more: string[]) => landform(['state', 'discard-intent', ...args, ...more]),
    apply: () =>
      landform(['apply', 'examples/quickstart.yaml', ...args, '--yes'], { environment: someSecrets }),
  }
}

test('without a name it says what is known, and the command that it prints takes the request back', async () => {
  const { discard, store, emulator } = await situation({ submission: { state: 'unknown' } })
  const { exitCode, out, err } = await discard()
  expect(exitCode).toBe(4)
  expect(out).toMatch(/^Configure: .*; recorded by .* \(no longer running\)\. It may still arrive\./)
  expect(err).not.toContain('error')
  const [, typed = ''] = /`(landform state discard-intent [^`]*)`/.exec(err) ?? []
  expect(await landform(typed.split(' ').slice(1))).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('Submission intent discarded'),
  })
  expect((await kept(store)).submission?.state).toBe('cleared')
  expect(emulator.world().counters.configure.received).toBe(0)
})

test('status names the open request first, and also where the site does not answer', async () => {
  const { args } = await situation({ submission: { state: 'unknown' } })
  const status = (...more: readonly string[]) =>
    landform(['status', 'examples/quickstart.yaml', ...args, ...more], { environment: someSecrets })
  const text = await status()
  expect([text.exitCode, text.out]).toEqual([
    0,
    expect.stringMatching(/^open request: configure a1b2: sent, but no response confirms it/),
  ])
  const json = JSON.parse((await status('--format', 'json')).out)
  expect(json).toMatchObject({ request: { nonce: 'a1b2', state: 'unknown' } })
  await sites.pop()?.close()
  const gone = await status()
  expect([gone.exitCode, gone.err]).toEqual([69, expect.stringMatching(/^Open request: configure a1b2: /m)])
})

test('nothing is sent by it, and the next apply sends once', async () => {
  const { discard, apply, emulator, store } = await situation({ submission: { state: 'unknown' } })
  expect((await apply()).exitCode).toBe(4)
  expect(emulator.world().counters.configure.received).toBe(0)
  expect((await discard('--intent', 'a1b2', '--wait')).exitCode).toBe(0)
  expect((await apply()).exitCode).toBe(0)
  expect(emulator.world().counters.configure).toEqual({ received: 1, accepted: 1 })
  expect((await kept(store)).submission).toMatchObject({ state: 'ready', generation: 2 })
})

/** Somebody wanted to take it back so long ago, by the clock of the machine that the commands run on. */
const asked = (agoMs: number, of = 'a virtual machine') =>
  ({ state: 'unknown', drain: { since: { of, ms: -agoMs }, notedAt: longAgo } }) as const
const recently = asked(60_000)

test.each<[string, Situation, readonly string[], number, RegExp]>([
  ['another name', { submission: { nonce: 'ffff' } }, [], 6, /is a different one/],
  ['a request that was never sent', { submission: { state: 'not-sent' } }, [], 6, /nothing of it was sent/],
  [
    'one that was taken back',
    { submission: { state: 'cleared' } },
    [],
    6,
    /as not having reached the service/,
  ],
  ['a process that lives', { by: 'alive' }, [], 7, /is still running: it could still send the request/],
  ['a process that cannot be seen', { by: 'elsewhere' }, [], 7, /--runner-is-gone/],
  [
    'a run that has the site',
    { locks: true, by: 'elsewhere' },
    ['--runner-is-gone'],
    7,
    /the site is locked by/,
  ],
  ['a request that may still arrive', { submission: recently }, [], 6, /may still arrive for 14m 00s/],
  ['one with a longer deadline', { submission: { ...recently, deadlineMs: 3_600_000 } }, [], 6, /59m 00s/],
  ['a site that is ready', { site: { configured: true } }, [], 6, /reports a configuration \(ready\)/],
])('it refuses for the sake of %s', async (_, given, more, code, words) => {
  const { discard, store } = await situation(given)
  const before = await kept(store)
  const { exitCode, err } = await discard('--intent', 'a1b2', ...more)
  expect({ exitCode, err }).toEqual({ exitCode: code, err: expect.stringMatching(words) })
  expect(await kept(store)).toEqual(before)
})

test.each<[string, Partial<Submission>, RegExp]>([
  ['nobody wanted to take back before', { intendedAt: longAgo }, /for 15m 00s, counting from now$/m],
  ['was promised by a clock that is ahead', { intendedAt: recordedAt(365 * 86_400_000) }, /for 15m 00s, /],
  [
    'another machine counted for',
    asked(3_600_000, 'another'),
    /for 15m 00s, counting from now: the count was started by another/,
  ],
])('the time counts from now for a request that %s, and that is kept', async (_, submission, words) => {
  const { discard, store } = await situation({ submission: { state: 'unknown', ...submission } })
  const before = await kept(store)
  const { exitCode, err } = await discard('--intent', 'a1b2')
  expect({ exitCode, err }).toEqual({ exitCode: 6, err: expect.stringMatching(words) })
  const since = { of: 'a virtual machine', ms: 0 }
  const drain = { since, siteDate: expect.stringMatching(/^20.*Z$/), notedAt: recordedAt(0) }
  expect(await kept(store)).toEqual({ ...before, submission: { ...before.submission, drain } })
})

test('a site for which two minutes have passed is believed, whatever the clock of this machine says', async () => {
  const anHourAgo = asked(3_600_000)
  const siteDate = recordedAt(0)
  let answers = 0
  const { port } = await startRawServer((socket, received) => {
    if (!received.endsWith('\r\n\r\n')) return
    answers += 1
    const date = new Date(Date.parse(siteDate) + 120_000 + answers * 1000).toUTCString()
    const root = JSON.stringify({
      resources: ['orgs'],
      currentVersion: '11.4',
      status: { state: 'not_configured' },
    })
    socket.end(
      `HTTP/1.1 200 OK\r\ndate: ${date}\r\ncontent-type: application/json\r\ncontent-length: ${root.length}\r\n\r\n${root}`,
    )
  })
  const url = `http://127.0.0.1:${port}/arcgis/admin`
  const { discard } = await situation({
    url,
    submission: { ...anHourAgo, drain: { ...anHourAgo.drain, siteDate } },
  })
  const { exitCode, err } = await discard('--intent', 'a1b2')
  expect({ exitCode, err }).toEqual({
    exitCode: 6,
    err: expect.stringMatching(
      /may still arrive for 12m 5\ds by the clock of the site, for which less time has passed/,
    ),
  })
})

test('once the time is over that is counted here, the request is taken back without more waiting', async () => {
  const { discard, store } = await situation({ submission: asked(15 * 60_000) })
  const { exitCode, err } = await discard('--intent', 'a1b2')
  expect(exitCode).toBe(0)
  expect(err).not.toContain('waiting')
  expect((await kept(store)).submission?.state).toBe('cleared')
})

test('without a name it says how long the request may still arrive, and does not begin to count', async () => {
  const first = await situation({ submission: { state: 'unknown' } })
  const before = await kept(first.store)
  expect((await first.discard()).out).toContain(
    'It may still arrive. The wait of 15m 00s starts when you run the command in step 2',
  )
  expect(await kept(first.store)).toEqual(before)
  const { discard } = await situation({ submission: recently })
  expect((await discard()).out).toMatch(/may still arrive for 14m 00s\.$/m)
})

test('a machine that is gone for good can be vouched for', async () => {
  const { discard, store } = await situation({ by: 'elsewhere' })
  expect((await discard('--intent', 'a1b2', '--runner-is-gone', '--wait')).exitCode).toBe(0)
  expect((await kept(store)).submission?.state).toBe('cleared')
})

test.each(['alive', 'elsewhere'] as const)(
  "a process that wrote down how its request ended stands in nobody's way (%s)",
  async by => {
    const { discard, store } = await situation({ by, submission: { state: 'unknown' } })
    expect((await discard()).err).not.toContain('--runner-is-gone')
    expect((await discard('--intent', 'a1b2', '--wait')).exitCode).toBe(0)
    expect((await kept(store)).submission?.state).toBe('cleared')
  },
)

test('it can wait until the request cannot arrive any more', async () => {
  const { discard } = await situation({ submission: recently })
  const { exitCode, err } = await discard('--intent', 'a1b2', '--wait')
  expect(exitCode).toBe(0)
  expect(err).toContain('waiting for 14m 00s')
})

test('a few looks that are lost are made again', async () => {
  const faults = parseBuiltInRules(['root@1=drop-before', 'root@4=garbage', 'root@6=status:503'])
  const { discard, store } = await situation({ site: { faults } })
  expect((await discard('--intent', 'a1b2', '--wait')).exitCode).toBe(0)
  expect((await kept(store)).submission?.state).toBe('cleared')
})

test.each<[string, string, RegExp]>([
  ['cannot be looked at', 'root=drop-before', /could not be polled.*: 13 polls failed, the last one: /],
  ['gives no answers any more', 'root@4-=garbage', /13 polls failed/],
  ['wants another token', 'root=error:499,message:Token required.', /could not be polled/],
])('where the site %s, nothing is proven, and it is said how to go on', async (_, fault, words) => {
  const { discard, store } = await situation({ site: { faults: parseBuiltInRules([fault]) } })
  const { exitCode, err } = await discard('--intent', 'a1b2', '--wait')
  expect({ exitCode, err }).toEqual({ exitCode: 4, err: expect.stringMatching(words) })
  expect(err).toMatch(
    /1\. run the same command again once the site responds: the time already waited counts$/m,
  )
  expect((await kept(store)).submission?.state).toBe('intent')
})

test.each(['begun', 'ready', 'failed'] as const)(
  'of a site that was %s and was deployed anew, a plan names the command, and after it apply goes on',
  async state => {
    const { apply, emulator } = await situation({ submission: { state, intendedAt: recordedAt(-1000) } })
    const { exitCode, err } = await apply()
    expect(exitCode).toBe(6)
    const [, typed = ''] = /`(landform state discard-intent [^`]*)`/.exec(err) ?? []
    expect((await landform(typed.split(' ').slice(1))).exitCode).toBe(0)
    expect((await apply()).exitCode).toBe(0)
    expect(emulator.world().counters.configure.accepted).toBe(1)
  },
)

test.each(['begun', 'ready', 'failed'] as const)(
  "of a site that was %s nothing is open, and a doubt is not put into anybody's mouth",
  async state => {
    const { discard } = await situation({ submission: { state } })
    const { exitCode, out, err } = await discard()
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^No open submission intent: the (site|configuration) /)
    expect(err).toMatch(
      /^next: only if the site was removed and must be created again: `.* --intent a1b2 --wait`$/m,
    )
    expect(err).not.toContain('sure that the request')
  },
)

test('of a request that was refused it names the apply that sends another', async () => {
  const { discard } = await situation({ submission: { state: 'rejected' } })
  const { exitCode, err } = await discard()
  expect(exitCode).toBe(4)
  expect(err).toMatch(/^next: fix the cause, then run `landform apply .* --resubmit-after-rejection`/m)
})

test.each<[Submission['state'], RegExp]>([
  ['not-sent', /^No open submission intent: .*: The license is bad\.$/m],
  ['failed', /^No open submission intent: .*: The license is bad\.$/m],
  ['unknown', /^Configure: .*: The license is bad; recorded by /m],
])('words of the service end with one full stop (%s)', async (state, words) => {
  const { discard } = await situation({ submission: { state, reason: 'The license is bad.' } })
  const { out, err } = await discard()
  expect(`${out}${err}`).toMatch(words)
  expect(`${out}${err}`).not.toMatch(/\.\.(?!\.)/)
})
