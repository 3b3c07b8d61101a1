import { spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { basename, dirname, join } from 'node:path'
import { run } from '../../../src/cli/run.js'
import { fakeHost } from '../../support/fake-host.js'
import { landformProgram, startProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const valid = ['validate', 'examples/quickstart.yaml']
const invalid = ['validate', 'test/invalid/volume/missing-component.yaml']

function launched(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  program = landformProgram,
) {
  const { PATH = '' } = process.env
  const options = { cwd: root, encoding: 'utf8', env: { PATH, ...environment } } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options)
  return { status, stdout, stderr }
}

test.each([
  [['--version']],
  [['--help']],
  [['help', 'plan']],
  [['state', 'show', '-h']],
  [['validate', '--help']],
  [['validate', '--', '-']],
  [['lint']],
  [['schema']],
  [valid],
  [[...valid, '--check-secrets']],
  [invalid],
  [[...invalid, '--format', 'gitlab']],
  [['check', 'test/*/volume/missing-*.yaml']],
  [[...valid, '--fast']],
  [['validate', 'nowhere.yaml']],
  [['validate', `${'long'.repeat(100)}.yaml`]],
  [['plan', 'examples/quickstart.yaml', '--url', 'http://127.0.0.1:9/admin']],
])('the bundled program prints for %j what the sources print', async args => {
  const host = fakeHost({ columns: 80 })
  const status = await run(args, host)
  expect(launched(args)).toEqual({ status, stdout: host.out(), stderr: host.err() })
})

test('compiled code is cached beside the program if Node supports it, and never in CI', async () => {
  const place = await temporaryFolder()
  cpSync(dirname(landformProgram), join(place, 'bin'), { recursive: true })
  const check = (environment: Readonly<Record<string, string>>) => {
    const { status } = launched(valid, environment, join(place, 'bin', basename(landformProgram)))
    return [status, existsSync(join(place, 'compiled'))]
  }
  expect(check({ CI: '' })).toEqual([0, false])
  expect(check({})).toEqual([0, 'enableCompileCache' in nodeModule])
})

test.each(['validate', 'render'])('%s ends with 70 if nothing can continue', command => {
  const { PATH = '' } = process.env
  // A stdin that never yields anything and does not keep the process alive.
  const input = '{ value: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) } }'
  const stalled = `data:text/javascript,Object.defineProperty(process, 'stdin', ${input})`
  const words = ['--import', stalled, landformProgram, command, '-']
  const { status } = spawnSync(process.execPath, words, { cwd: root, env: { PATH } })
  expect(status).toBe(70)
})

test('the result is written to stdout, and everything else to stderr', () => {
  const args = ['apply', '--emulate', 'examples/quickstart.yaml', '--format', 'json']
  const { stdout, stderr } = launched(args)
  expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1, outcome: 'done', exitCode: 0 })
  expect(stderr).toContain('Queue store: completed')
})

test('if nobody reads the help, only the exit code tells', async () => {
  const { child, ended } = startProgram(['--help'])
  child.stdout?.destroy()
  expect(await ended).toMatchObject({ code: 141, err: '' })
})
