import { anEmulator } from '../support/emulator.js'
import { exampleCopy } from '../support/example-copy.js'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'

let site: Awaited<ReturnType<typeof anEmulator>>

/** Applies an example with a person who answers the question, or without a terminal. */
async function apply(file: string, answer?: string, ...more: readonly string[]) {
  const words = ['apply', file, '--url', site.url, '--quiet', ...more]
  return landform(words, { environment: someSecrets, ...(answer !== undefined && { answer }) })
}

const configured = () => site.world().counters.configure.received

test('the question before a creation repeats the host and the fields that become immutable', async () => {
  site = await anEmulator()
  const { err, exitCode } = await apply(await exampleCopy('quickstart'), 'no')
  expect(err).toContain(
    [
      `Create the organization at ${new URL(site.url).host}? This cannot be undone. Immutable afterwards: spec.administrator, spec.license, spec.volumes, spec.profile.`,
      'Type `yes` to confirm: no',
    ].join('\n'),
  )
  expect([exitCode, configured()]).toEqual([78, 0])
})

test('a plan that only waits asks no question, with or without a terminal', async () => {
  site = await anEmulator({ stageMs: 20 })
  const file = await exampleCopy('minimal-10.9')
  expect(await apply(file, undefined, '--yes', '--detach')).toMatchObject({ exitCode: 3 })
  const { err, exitCode } = await apply(file, undefined, '--poll-interval', '50ms')
  expect(exitCode).toBe(0)
  expect(err).not.toContain('confirm')
  expect((await apply(file, 'no')).err).not.toContain('confirm')
  expect(configured()).toBe(1)
})

test('a plan that waits and then sends a policy asks about the policy only', async () => {
  site = await anEmulator({ stageMs: 3_600_000 })
  const file = await exampleCopy('quickstart')
  expect(await apply(file, undefined, '--yes', '--detach')).toMatchObject({ exitCode: 3 })
  const { err } = await apply(file, 'no')
  expect(err).toContain(
    `Set the upgrade placement policy at ${new URL(site.url).host} once its configuration is complete?\nType`,
  )
  expect(err).not.toContain('cannot be undone')
})
