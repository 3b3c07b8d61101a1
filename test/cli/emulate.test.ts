import { run } from '../../src/cli/run.js'
import { fakeHost } from '../support/fake-host.js'

/** What `emulate` writes before it is stopped, on a terminal or not. */
async function emulated(args: readonly string[], isTerminal: boolean) {
  const host = fakeHost()
  const stderr = { ...host.stderr, isTerminal }
  const ended = run(['emulate', ...args], { ...host, stderr })
  while (host.out() === '') await new Promise(resolve => setImmediate(resolve))
  host.signal('SIGTERM')
  return { exitCode: await ended, out: host.out(), err: host.err() }
}

test('the address comes first, and on a terminal the page to watch', async () => {
  const { exitCode, out, err } = await emulated(['--base-path', '/arcgis/admin'], true)
  expect(exitCode).toBe(0)
  expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/arcgis\/admin\n$/)
  expect(err).toBe(`open ${out.replace('arcgis/admin\n', '')} to watch\n`)
})

test.each([
  ['elsewhere', [], false],
  ['where less is wanted', ['--quiet'], true],
] as const)('%s nothing is said about the page', async (_where, args, isTerminal) => {
  expect((await emulated(args, isTerminal)).err).toBe('')
})

test('an emulator that cannot say where it is does not stay', async () => {
  const host = fakeHost()
  expect(await run(['emulate'], { ...host, stdout: { ...host.stdout, isBroken: true } })).toBe(0)
})
