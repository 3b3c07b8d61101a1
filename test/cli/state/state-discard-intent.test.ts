import { join } from 'node:path'
import type { EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../../src/emulator/faults/notation.js'
import type { Submission } from '../../../src/plan/submission.js'
import { aSubmission } from '../../support/a-submission.js'
import { anEmulator } from '../../support/emulator.js'
import { keep, kept, keptBy, someHolders } from '../../support/kept-state.js'
import { landform } from '../../support/landform.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

/** A time `afterMs` after the start of the commands' clock. */
const recordedAt = (afterMs: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, 5) + afterMs).toISOString()
const longAgo = recordedAt(-3_600_000)

interface Situation {
  readonly by?: 'dead' | 'elsewhere' | 'alive'
  readonly submission?: Partial<Submission>
  readonly site?: EmulatorOptions
  readonly locks?: boolean
  /** The URL of another site than the emulator. */
  readonly url?: string
}

/** A site, a recorded request, and functions that run the command for them. */
async function situation({ by = 'dead', submission, site, locks = false, ...at }: Situation = {}) {
  const emulator = await anEmulator({ stageMs: 5, ...site })
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

test('without --intent it describes the request, and the printed command discards the intent', async () => {
  const { discard, store, emulator } = await situation({ submission: { state: 'unknown' } })
  const { exitCode, out, err } = await discard()
  expect(exitCode).toBe(4)
  expect(out).toMatch(/^Configure: .*\. Recorded by .* \(no longer running\)\. It may still arrive\./)
  expect(err).not.toContain('error')
  const [, typed = ''] = /`(landform state discard-intent [^`]*)`/.exec(err) ?? []
  expect(await landform(typed.split(' ').slice(1))).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('Submission intent discarded'),
  })
  expect((await kept(store)).submission?.state).toBe('cleared')
  expect(emulator.world().counters.configure.received).toBe(0)
})

test('status names the open request first, also if the site does not respond', async () => {
  const { args, emulator } = await situation({ submission: { state: 'unknown' } })
  const status = (...more: readonly string[]) =>
    landform(['status', 'examples/quickstart.yaml', ...args, ...more], { environment: someSecrets })
  const text = await status()
  expect([text.exitCode, text.out]).toEqual([
    0,
    expect.stringMatching(/^open request: configure a1b2: sent at .*, not confirmed/),
  ])
  const json = JSON.parse((await status('--format', 'json')).out)
  expect(json).toMatchObject({ request: { nonce: 'a1b2', state: 'unknown' } })
  await emulator.close()
  const gone = await status()
  expect([gone.exitCode, gone.err]).toEqual([69, expect.stringMatching(/^Open request: configure a1b2: /m)])
})

test('discarding sends nothing, and the next apply sends once', async () => {
  const { discard, apply, emulator, store } = await situation({ submission: { state: 'unknown' } })
  expect((await apply()).exitCode).toBe(4)
  expect(emulator.world().counters.configure.received).toBe(0)
  expect((await discard('--intent', 'a1b2', '--wait')).exitCode).toBe(0)
  expect((await apply()).exitCode).toBe(0)
  expect(emulator.world().counters.configure).toEqual({ received: 1, accepted: 1 })
  expect((await kept(store)).submission).toMatchObject({ state: 'ready', generation: 2 })
})

/** A drain that began `agoMs` ago, by the clock of the machine that runs the commands. */
const asked = (agoMs: number, of = 'a virtual machine') =>
  ({ state: 'unknown', drain: { since: { of, ms: -agoMs }, notedAt: longAgo } }) as const
const recently = asked(60_000)

test.each<[string, Situation, readonly string[], number, RegExp]>([
  ['another name', { submission: { nonce: 'ffff' } }, [], 6, /is a different one/],
  ['a process that is alive', { by: 'alive' }, [], 7, /is still running: it could still send the request/],
  ['a process that cannot be checked', { by: 'elsewhere' }, [], 7, /--runner-is-gone/],
  [
    'a run that has the site locked',
    { locks: true, by: 'elsewhere' },
    ['--runner-is-gone'],
    7,
    /the site is locked by/,
  ],
  ['a request that may still arrive', { submission: recently }, [], 6, /may still arrive for 14m 00s/],
  ['a site that is ready', { site: { configured: true } }, [], 6, /reports a configuration \(ready\)/],
])('it fails because of %s', async (_, given, more, code, words) => {
  const { discard, store } = await situation(given)
  const before = await kept(store)
  const { exitCode, err } = await discard('--intent', 'a1b2', ...more)
  expect({ exitCode, err }).toEqual({ exitCode: code, err: expect.stringMatching(words) })
  expect(await kept(store)).toEqual(before)
})

test('without --intent it prints how long the request may still arrive, and does not start the count', async () => {
  const first = await situation({ submission: { state: 'unknown' } })
  const before = await kept(first.store)
  expect((await first.discard()).out).toContain(
    'It may still arrive. The wait of 15m 00s starts when you run the command in step 2',
  )
  expect(await kept(first.store)).toEqual(before)
  const { discard } = await situation({ submission: recently })
  expect((await discard()).out).toMatch(/may still arrive for 14m 00s\.$/m)
})

test('--runner-is-gone confirms that another machine is gone', async () => {
  const { discard, store } = await situation({ by: 'elsewhere' })
  expect((await discard('--intent', 'a1b2', '--runner-is-gone', '--wait')).exitCode).toBe(0)
  expect((await kept(store)).submission?.state).toBe('cleared')
})

test('a process that recorded the end of its request need not be gone', async () => {
  const { discard, store } = await situation({ by: 'alive', submission: { state: 'unknown' } })
  expect((await discard()).err).not.toContain('--runner-is-gone')
  expect((await discard('--intent', 'a1b2', '--wait')).exitCode).toBe(0)
  expect((await kept(store)).submission?.state).toBe('cleared')
})

test('if the site does not answer, nothing is proven, and the message says how to continue', async () => {
  const words = /could not be polled.*: 13 polls failed, the last one: /
  const faults = parseBuiltInRules(['root=drop-before'])
  const { discard, store } = await situation({ site: { faults } })
  const { exitCode, err } = await discard('--intent', 'a1b2', '--wait')
  expect({ exitCode, err }).toEqual({ exitCode: 4, err: expect.stringMatching(words) })
  expect(err).toMatch(
    /1\. run the same command again once the site responds: the time already waited counts$/m,
  )
  expect((await kept(store)).submission?.state).toBe('intent')
})

test('for a site that was ready and is deployed again, the plan names the command after which an apply continues', async () => {
  const { apply, emulator } = await situation({
    submission: { state: 'ready', intendedAt: recordedAt(-1000) },
  })
  const { exitCode, err } = await apply()
  expect(exitCode).toBe(6)
  const [, typed = ''] = /`(landform state discard-intent [^`]*)`/.exec(err) ?? []
  expect((await landform(typed.split(' ').slice(1))).exitCode).toBe(0)
  expect((await apply()).exitCode).toBe(0)
  expect(emulator.world().counters.configure.accepted).toBe(1)
})

test('for a site that was ready nothing is open', async () => {
  const { discard } = await situation({ submission: { state: 'ready' } })
  const { exitCode, out, err } = await discard()
  expect(exitCode).toBe(0)
  expect(out).toMatch(/^No open submission intent: the (site|configuration) /)
  expect(err).toMatch(
    /^next: only if the site was removed and must be created again: `.* --intent a1b2 --wait`$/m,
  )
  expect(err).not.toContain('sure that the request')
})

test('for a rejected request it names the apply that sends another', async () => {
  const { discard } = await situation({ submission: { state: 'rejected' } })
  const { exitCode, err } = await discard()
  expect(exitCode).toBe(4)
  expect(err).toMatch(/^next: fix the cause, then run `landform apply .* --resubmit-after-rejection`/m)
})

test.each<[Submission['state'], RegExp]>([
  ['not-sent', /^No open submission intent: .*: The license is bad\.$/m],
  ['failed', /^No open submission intent: .*: The license is bad\.$/m],
  ['unknown', /^Configure: .*: The license is bad\. Recorded by /m],
])('a message of the service ends with one full stop (%s)', async (state, words) => {
  const { discard } = await situation({ submission: { state, reason: 'The license is bad.' } })
  const { out, err } = await discard()
  expect(`${out}${err}`).toMatch(words)
  expect(`${out}${err}`).not.toMatch(/\.\.(?!\.)/)
})

test('a new emulator at the same address is another site until the intent is discarded', async () => {
  const { apply, args, emulator } = await situation({ submission: { state: 'cleared' } })
  const run = (...words: readonly string[]) => landform([...words, ...args], { environment: someSecrets })
  expect((await run('apply', 'examples/quickstart.yaml', '--yes', '--detach')).exitCode).toBe(3)
  const { port, pathname: basePath } = new URL(emulator.url)
  await emulator.close()
  await anEmulator({ stageMs: 5, port: Number(port), basePath })
  const { exitCode, err } = await apply()
  expect([exitCode, err]).toEqual([6, expect.stringContaining('if the one that was configured is gone')])
  const [, intent = ''] = /--intent (\w+)/.exec(err) ?? []
  expect((await run('state', 'discard-intent', '--intent', intent, '--wait')).exitCode).toBe(0)
  expect((await apply()).exitCode).toBe(0)
})
