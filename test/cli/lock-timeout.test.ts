import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockTimeout } from '../../src/ci/ci-facts.js'
import { ciFiles } from '../../src/ci/ci-systems.js'
import { gitlabComponent } from '../../src/ci/gitlab.js'
import { run } from '../../src/cli/run.js'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { type ApplyEvent, applySite, planSite } from '../../src/index.js'
import { parseDurationMs } from '../../src/schema/fields.js'
import { gitBackend } from '../../src/state/git-backend.js'
import { stateStore } from '../../src/state/state-store.js'
import { anEmulator } from '../support/emulator.js'
import { writeExample } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { s3Location, s3Place } from '../support/s3-place.js'
import { type S3Server, s3Server } from '../support/s3-server.js'
import { someSecrets } from '../support/some-secrets.js'
import { statePortsFor } from '../support/some-state.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { virtualClock } from '../support/virtual-clock.js'

let emulator: Emulator
let server: S3Server
const minute = 60_000

/** A site with shared state, a first runner, and a second one on another machine, all with the same clock. */
async function twoRunners() {
  const clock = virtualClock()
  server = await s3Server()
  emulator = await anEmulator({ now: clock.now, stageMs: 20_000 })
  const folder = await temporaryFolder()
  const declared = { url: emulator.url, state: s3Location(server) }
  const file = writeExample(folder, { example: 'placement-policy', ...declared })
  /** Starts a run on the first machine, which stops for good after one of its events. */
  const runUntil = async (isLast: (event: ApplyEvent) => boolean) => {
    const ports = { clock, random: () => 0.5 }
    const planned = await planSite({ file, environment: someSecrets, state: s3Place(server), ports })
    if (!planned.ok) throw new Error(planned.error.kind)
    const { site } = planned.value
    const named = { url: site.url, name: site.manifest.name }
    const state = stateStore(s3Place(server), named, statePortsFor(clock.now))
    const stream = applySite({ ...planned.value, site: { ...site, state } }, { pollMs: 5000 })
    for (;;) {
      const step = await stream.next()
      if (step.done || isLast(step.value)) return stream
    }
  }
  /** Runs a command on the second machine. */
  const landform = async (...words: readonly string[]) => {
    const environment = { ...someSecrets, ...server.environment, HOME: join(folder, 'home') }
    const host = { ...fakeHost({ environment }), clock }
    const begunMs = clock.monotonicMs()
    const exitCode = await run(words, host)
    const lines = host.err().match(/^waiting up to .* for the lock of .*/gm) ?? []
    return { exitCode, err: host.err(), lines, waitedMs: clock.monotonicMs() - begunMs }
  }
  const apply = (...more: readonly string[]) =>
    landform('apply', file, '--yes', '--poll-interval', '5s', ...more)
  return { file, folder, clock, runUntil, landform, apply }
}

const accepted = () => emulator.world().counters.configure.accepted

describe('the lock of a runner that died', () => {
  test.each<[string, (event: ApplyEvent) => boolean]>([
    ['right after taking it', event => event.type === 'site-locked'],
    ['after the request', event => event.type === 'configure-accepted'],
    ['during the stages', event => event.type === 'stages-changed'],
    ['when the site was ready', event => event.type === 'site-ready'],
    ['before the update', event => event.type === 'action-started' && event.operation === 'update'],
  ])('%s is waited for on another machine, whose run succeeds', async (_, isLast) => {
    const { runUntil, apply } = await twoRunners()
    await runUntil(isLast)
    expect((await apply()).exitCode).toBe(7)
    const { exitCode, err, lines } = await apply('--lock-timeout', lockTimeout)
    expect([exitCode, err]).toEqual([0, expect.stringContaining('lock taken over from process 1 on runner')])
    // The rest of a 15-minute lease, and two minutes for clock differences.
    expect(lines.length).toBeGreaterThan(10)
    expect(lines.length).toBeLessThanOrEqual(17)
    expect(lines[0]).toMatch(
      /^waiting up to 20m 00s for the lock of http:\S+: the site is locked by apply of process/,
    )
    expect(accepted()).toBe(1)
  })

  test('right after its intent leaves an unknown outcome, which needs a person', async () => {
    const { runUntil, apply } = await twoRunners()
    await runUntil(event => event.type === 'intent-written')
    expect((await apply('--lock-timeout', lockTimeout, '--timeout', '10m')).exitCode).toBe(4)
    expect(accepted()).toBe(0)
  })

  test('at one of several sites is waited for, and each line names the site', async () => {
    const { runUntil, apply, folder, file, clock } = await twoRunners()
    await runUntil(event => event.type === 'stages-changed')
    const second = await anEmulator({ now: clock.now, stageMs: 1000 })
    const text = readFileSync(file, 'utf8').replace(emulator.url, second.url)
    const other = join(folder, 'other.yaml')
    writeFileSync(other, text.replace('name: placement-policy', 'name: other'))
    const { exitCode, lines, err } = await apply(other, '--lock-timeout', lockTimeout)
    expect([exitCode, err]).toEqual([0, expect.any(String)])
    expect(lines.filter(line => line.includes(`the lock of ${emulator.url}: `))).toHaveLength(lines.length)
    expect([accepted(), second.world().counters.configure.accepted]).toEqual([1, 1])
  })
})

describe('a run that is still active', () => {
  test('is waited for before the plan is made, so that the plan is not stale', async () => {
    const { runUntil, apply, clock } = await twoRunners()
    const first = await runUntil(event => event.type === 'stages-changed')
    // The first run continues whenever the second one pauses.
    const sleep = clock.sleep
    let isOver = false
    clock.sleep = async (milliseconds, signal) => {
      await sleep(milliseconds, signal)
      clock.sleep = sleep
      while (!isOver) isOver = (await first.next()).done === true
    }
    const { exitCode, err, lines } = await apply('--lock-timeout', lockTimeout)
    expect([exitCode, err]).toEqual([0, expect.any(String)])
    expect([lines.length, accepted()]).toEqual([1, 1])
  })

  test('ends the wait with 7 if it takes longer than the given time', async () => {
    const { runUntil, apply } = await twoRunners()
    await runUntil(event => event.type === 'stages-changed')
    const { exitCode, lines, waitedMs, err } = await apply('--lock-timeout', '150s', '--quiet')
    expect([exitCode, lines, waitedMs]).toEqual([7, [], 2.5 * minute])
    expect(err).toContain('the site is locked by apply of process')
  })
})

test('the generated pipelines wait for longer than the lock of a dead run lasts', () => {
  const files = [...Object.values(ciFiles).map(({ template }) => template), gitlabComponent()]
  for (const file of files) {
    const applies = file.match(/landform apply (?:.*\\\n)?.*/g) ?? []
    expect(applies.length).toBeGreaterThan(0)
    for (const apply of applies) expect(apply).toContain(`--lock-timeout ${lockTimeout}`)
  }
  const { leaseMs = 0 } = gitBackend('origin', { folder: '.', environment: {}, deadlineMs: minute })
  expect(parseDurationMs(lockTimeout)).toBeGreaterThan(leaseMs + 2 * minute)
})

test('state move waits for the lock as well', async () => {
  const { runUntil, landform, file, folder } = await twoRunners()
  await runUntil(event => event.type === 'site-locked')
  const ends = [s3Location(server), `file:${folder}/kept`]
  const { exitCode, lines } = await landform('state', 'move', ...ends, file, '--lock-timeout', lockTimeout)
  expect([exitCode, lines.length]).toEqual([0, 17])
})

test('state discard-intent waits for the lock as well', async () => {
  const { runUntil, landform, file } = await twoRunners()
  await runUntil(event => event.type === 'intent-written')
  const discard = ['state', 'discard-intent', file]
  const { err } = await landform(...discard)
  const [, nonce = ''] = /--intent (\S+)/.exec(err) ?? []
  const more = ['--intent', nonce, '--runner-is-gone', '--wait', '--lock-timeout', lockTimeout]
  const { exitCode, lines } = await landform(...discard, ...more)
  expect([exitCode, lines.length]).toEqual([0, 17])
})
