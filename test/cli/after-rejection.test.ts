import { join } from 'node:path'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../src/emulator/faults/notation.js'
import { anEmulator } from '../support/emulator.js'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

let site: Emulator
/** A site that rejects the first configure, and accepts the next one. */
async function rejected() {
  site = await anEmulator({
    stageMs: 5,
    faults: parseBuiltInRules(['configure@1=error-before:400,message:The license is expired.']),
  })
  const state = `file:${join(await temporaryFolder(), 'kept')}`
  const apply = (args: readonly string[], answer?: string) =>
    landform(['apply', 'examples/quickstart.yaml', '--url', site.url, '--state', state, ...args], {
      environment: someSecrets,
      ...(answer !== undefined && { answer }),
    })
  const first = await apply(['--yes'])
  expect(first.exitCode).toBe(5)
  return { apply, first }
}

const accepted = () => site.world().counters.configure.accepted

test('after a rejection --yes alone sends nothing, and the message names the option', async () => {
  const { apply } = await rejected()
  const { exitCode, err } = await apply(['--yes'])
  expect(exitCode).toBe(4)
  expect(err).toContain(
    'error: the service rejected an earlier configure: The license is expired; nothing was sent\n',
  )
  expect(err).toMatch(
    /^next: .*`landform apply examples\/quickstart.yaml .*--yes --resubmit-after-rejection`/m,
  )
  expect(site.world().counters.configure.received).toBe(1)
})

test('the run that was rejected names the command that sends the request again', async () => {
  const { apply, first } = await rejected()
  expect(first.err).toContain('error: the service rejected configure: The license is expired (code 400)\n')
  expect(first.err).toMatch(
    /^next: fix the cause, then run `landform apply .*--yes --resubmit-after-rejection`/m,
  )
  expect((await apply(['--yes', '--resubmit-after-rejection'])).exitCode).toBe(0)
})

test('the question mentions the rejection, and `yes` is the consent', async () => {
  const { apply } = await rejected()
  expect((await apply([], 'no')).exitCode).toBe(78)
  expect(accepted()).toBe(0)
  const { exitCode, err } = await apply([], 'yes')
  expect(err).toContain('The service rejected an earlier configure: The license is expired.')
  expect(exitCode).toBe(0)
  expect(accepted()).toBe(1)
})

test.each([
  [
    'error-before:400,message:The license is expired.',
    'the service responded "The license is expired.", which does not prove that it had no effect',
  ],
  ['status:403', 'got "HTTP 403: 403 Error", which proves no rejection'],
])(
  'a response that proves nothing (%s) is reported in one sentence with its source',
  async (fault, answered) => {
    site = await anEmulator({ stageMs: 5, faults: parseBuiltInRules([`configure@1=${fault}`]) })
    const state = ['--state', `file:${join(await temporaryFolder(), 'kept')}`]
    const run = (...words: readonly string[]) =>
      landform([...words, ...state, '--url', site.url], { environment: someSecrets })
    const { exitCode, err } = await run('apply', 'examples/quickstart.yaml', '--yes', '--timeout', '1ms')
    expect([exitCode, site.world().counters.configure.received]).toEqual([4, 1])
    const ending = `${answered}; the site shows no sign of it`
    expect(err).toContain(`error: the outcome of configure is unknown: ${ending}\n`)
    expect(err).not.toContain('no valid response')
    const { out } = await run('state', 'show', 'examples/quickstart.yaml', '-v')
    expect(out).toContain('; the site shows no sign of it')
    expect(out).not.toContain('no valid response')
  },
)
