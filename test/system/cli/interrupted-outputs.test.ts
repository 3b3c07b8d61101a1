import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Emulator, startEmulator } from '../../../src/emulator/server.js'
import { answeringSite } from '../../support/answering-site.js'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { codeCache } from '../../support/program.js'
import { stopRawServers } from '../../support/raw-server.js'
import { readReport } from '../../support/report-forms.js'
import { schemaComplaints } from '../../support/schema-complaints.js'
import { someSecrets } from '../../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

let slow: Emulator
let silent: string
let folder: string

beforeAll(async () => {
  slow = await startEmulator({ stageMs: 3_600_000 })
  folder = await temporaryFolder()
})
afterAll(async () => {
  await slow.close()
  await stopRawServers()
  await removeTemporaryFolders()
})

/** Runs the program, as users do. */
function program(args: readonly string[], stdout: 'pipe' | number = 'pipe') {
  const child = spawn(process.execPath, [landformProgram, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...someSecrets, XDG_CACHE_HOME: codeCache },
    stdio: ['ignore', stdout, 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout?.on('data', chunk => {
    said.out += chunk
  })
  child.stderr?.on('data', chunk => {
    said.err += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...said }))
  return { child, ended, said }
}

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

describe.each(signals)('%s', (signal, expected) => {
  test.each([
    ['apply', 'json', 'stdout'],
    ['apply', 'json', 'a file'],
    ['apply', 'text', 'stdout'],
    ['status', 'json', 'stdout'],
    ['status', 'json', 'a file'],
    ['status', 'text', 'a file'],
  ])('leaves whole documents behind: %s, %s to %s', async (command, format, place) => {
    const report = join(folder, 'report')
    writeFileSync(report, 'of an earlier run')
    const { child, ended, said } = program([
      command,
      'examples/quickstart.yaml',
      ...['--url', slow.url, '--state', `file:${join(folder, 'state')}`],
      command === 'apply' ? '--yes' : '--wait',
      ...['--format', place === 'stdout' ? format : `${format}=${report}`],
    ])
    // The first stage that moves is a sign that it waits.
    child.stderr?.on('data', () => {
      // Once: the second one ends the process.
      if (said.err.includes('License validation') && !child.killed) child.kill(signal)
    })
    const { code, out, err } = await ended
    expect({ code, err: code === expected ? '' : err }).toEqual({ code: expected, err: '' })
    const text = place === 'stdout' ? out : readFileSync(report, 'utf8')
    const document = readReport(format, text)
    if (format === 'json')
      expect(schemaComplaints(command === 'apply' ? 'receipt' : 'status', document)).toEqual([])
    if (format === 'json' && command === 'apply') expect(document).toMatchObject({ exitCode: expected })
  })

  test('ends a plan that waits for an answer, and leaves no report', async () => {
    let asked = () => {}
    const waiting = new Promise<void>(resolve => {
      asked = resolve
    })
    silent = (await answeringSite('', asked)).url
    const report = join(folder, 'plan-report')
    const formats = ['--format', 'json', '--format', `text=${report}`]
    const { child, ended } = program(['plan', 'examples/quickstart.yaml', '--url', silent, ...formats])
    await waiting
    child.kill(signal)
    expect(await ended).toMatchObject({ signal, out: '', err: '' })
    expect(existsSync(report)).toBe(false)
  })
})

test.each([
  ['validate'],
  ['validate', '--format', 'json'],
  ['plan', '--emulate'],
  ['plan', '--emulate', '--format', 'json'],
])('a product that finds no room on stdout is an error, and said to be: %s %s %s %s', async (...args) => {
  const [command = '', ...options] = args.filter(Boolean)
  const { ended } = program([command, 'examples/quickstart.yaml', ...options], openSync('/dev/full', 'w'))
  const { code, err } = await ended
  expect({ code, err }).toEqual({ code: 74, err: 'error: standard output cannot be written (ENOSPC)\n' })
})
