import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { exitCodes } from '../../src/cli/exit-code.js'
import { run } from '../../src/cli/run.js'
import { type Emulator, startEmulator } from '../../src/emulator/server.js'
import { damageState } from '../support/damaged-state.js'
import { fakeHost } from '../support/fake-host.js'
import { landformProgram } from '../support/landform-program.js'
import { root } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'

const quickstart = 'examples/quickstart.yaml'
const invalid = 'test/invalid/volume/missing-component.yaml'
const newSite = [
  '--name',
  'production',
  '--url',
  'https://gis.example.org/admin',
  '--email',
  'admin@example.org',
]
const nobody = 'http://127.0.0.1:9/admin'

const landform = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
  const host = fakeHost({ environment })
  return { exitCode: await run(args, host), host }
}

describe('every command line has the exit code of the contract', () => {
  test.each([
    ['a valid manifest', 0, ['validate', quickstart]],
    ['all examples', 0, ['validate', 'examples/minimal-10.9.yaml', 'examples/placement-policy.yaml']],
    ['the help', 0, ['--help']],
    ['the help of a command', 0, ['apply', '--help']],
    ['the version', 0, ['--version']],
    ['the schema', 0, ['schema']],
    ['the description of the oldest operation', 0, ['schema', '--openapi', '--service-version', '10.4']],
    ['a plan on the emulator', 0, ['plan', '--emulate', quickstart]],
    ['a plan with changes, asked for', 2, ['plan', '--emulate', '--detailed-exitcode', quickstart]],
    ['an apply on the emulator', 0, ['apply', '--emulate', quickstart]],
    ['a state on the emulator', 0, ['status', '--emulate', quickstart]],
    ['no command', 64, []],
    ['an unknown command', 64, ['aplly', quickstart]],
    ['an unknown option', 64, ['validate', quickstart, '--fast']],
    ['an option of another command', 64, ['validate', quickstart, '--yes']],
    ['a missing argument', 64, ['plan']],
    ['a value missing', 64, ['plan', quickstart, '--url']],
    ['an option given twice', 64, ['plan', quickstart, '--url', nobody, '--url', nobody]],
    ['an unknown format', 64, ['validate', quickstart, '--format', 'xml']],
    ['two formats on stdout', 64, ['validate', quickstart, '--format', 'text', '--format', 'json']],
    ['a report over the manifest', 64, ['validate', quickstart, '--format', `json=${quickstart}`]],
    ['a report where no folder is', 64, ['validate', quickstart, '--format', 'json=nowhere/deep/x.json']],
    [
      'events in the place of a report',
      64,
      ['apply', '--emulate', quickstart, '--format', 'json=dist/one', '--events', 'dist/one'],
    ],
    ['detaching from an emulator that ends with the run', 64, ['apply', '--emulate', quickstart, '--detach']],
    [
      'a pause between looks that is none',
      64,
      ['apply', quickstart, '--url', nobody, '--poll-interval', '0'],
    ],
    ['a duration that is none', 64, ['apply', quickstart, '--timeout', '5']],
    ['plain http beyond this machine', 64, ['plan', quickstart, '--url', 'http://gis.example.org/admin']],
    ['an address and the emulator', 64, ['plan', quickstart, '--url', nobody, '--emulate']],
    [
      'a record of an emulator that leaves none',
      64,
      ['plan', quickstart, '--emulate', '--state', 'file:dist/x'],
    ],
    ['a state that is no folder', 64, ['plan', quickstart, '--url', nobody, '--state', 's3:x']],
    ['an export on the emulator', 0, ['export-site', '--emulate', quickstart, '--location', '/b']],
    ['a deletion on the emulator', 0, ['webhooks', 'delete-all', '--emulate', 'R.GPServer', quickstart]],
    ['an export without a folder', 64, ['export-site', '--emulate', quickstart]],
    ['half a command', 64, ['webhooks']],
    ['an export of an invalid manifest', 65, ['export-site', invalid, '--location', '/b', '--yes']],
    ['a service that is none', 65, ['webhooks', 'delete-all', '--emulate', '..', quickstart]],
    ['an export of a missing manifest', 66, ['export-site', 'nowhere.yaml', '--location', '/b', '--yes']],
    ['an export there', 69, ['export-site', '--url', nobody, '--location', '/b', '--yes']],
    [
      'a deletion there',
      69,
      ['webhooks', 'delete-all', 'R.GPServer', '--url', nobody, '--confirm', 'R.GPServer@127.0.0.1:9'],
    ],
    [
      'a rule of the team that is violated',
      78,
      [
        'validate',
        'test/invalid/policy/violated.yaml',
        '--policy',
        'test/invalid/policy/rules/landform.policy.yaml',
      ],
    ],
    ['an export without a yes', 78, ['export-site', '--url', nobody, '--location', '/b']],
    [
      'a deletion with no more than a yes',
      78,
      ['webhooks', 'delete-all', 'R.GPServer', '--url', nobody, '--yes'],
    ],
    [
      'an export from an origin that is not allowed',
      78,
      [
        'export-site',
        '--url',
        nobody,
        '--location',
        '/b',
        '--yes',
        '--allow-origin',
        'https://a.example.org',
      ],
    ],
    ['a schema of no version', 64, ['schema', '--service-version', 'new']],
    ['a schema before configure', 64, ['schema', '--service-version', '10.4']],
    ['a description before every operation', 64, ['schema', '--openapi', '--service-version', '10.3']],
    ['two documents at once', 64, ['schema', '--openapi', '--overlay']],
    ['an emulated version that is none', 64, ['emulate', '--service-version', 'new']],
    ['an emulated version before all operations', 64, ['emulate', '--service-version', '10.3']],
    ['an emulated version of long ago', 64, ['emulate', '--service-version', '9.0']],
    ['an emulated version after the newest', 64, ['emulate', '--service-version', '11.2.1']],
    ['an emulated version far ahead', 64, ['emulate', '--service-version', '99.0']],
    ['an invalid manifest', 65, ['validate', invalid]],
    ['a plan of an invalid manifest', 65, ['plan', '--emulate', invalid]],
    ['an apply of an invalid manifest', 65, ['apply', '--emulate', invalid, '--yes']],
    ['a device that never ends', 65, ['validate', '/dev/zero']],
    ['a missing manifest', 66, ['validate', 'nowhere.yaml']],
    ['a plan of a missing manifest', 66, ['plan', 'nowhere.yaml']],
    ['a folder without a manifest', 66, ['validate', '.ci']],
    ['a report on a full disk', 74, ['validate', quickstart, '--format', 'json=/dev/full']],
    ['a plan on a full disk', 74, ['plan', '--emulate', quickstart, '--format', 'json=/dev/full']],
    ['an explanation of nothing', 64, ['explain', '.']],
    ['a pattern that nothing fits', 66, ['validate', 'nowhere/*.yaml']],
    ['a folder without a manifest', 66, ['plan', 'src/cli']],
    ['two manifests for one site', 65, ['plan', 'examples/quickstart.yaml', 'examples/minimal-10.9.yaml']],
    ['many sites with an option for one', 64, ['plan', 'examples', '--out', 'dist/plan.json']],
    ['no waves', 64, ['apply', quickstart, '--waves', '0']],
    ['a folder of manifests', 0, ['validate', 'examples']],
    ['a dry run without a fix', 64, ['validate', quickstart, '--dry-run']],
    ['a fix of standard input', 64, ['validate', '-', '--fix']],
    ['a name of a standard input that is not read', 64, ['validate', quickstart, '--stdin-filename', 'x']],
    ['a check for a version that is none', 64, ['validate', quickstart, '--service-version', 'new']],
    ['a check for an older version', 65, ['validate', quickstart, '--service-version', '10.9,11.2']],
    ['a check of secrets that are absent', 66, ['validate', quickstart, '--check-secrets']],
    ['a rendered manifest', 0, ['render', quickstart]],
    ['a rendered manifest on the wire', 0, ['render', quickstart, '--wire']],
    ['a rendered manifest that is invalid', 65, ['render', invalid]],
    ['a rendered manifest in two ways', 64, ['render', quickstart, '--wire', '--origins']],
    ['a new manifest, printed', 0, ['init', '-', ...newSite]],
    ['a new manifest without its answers', 64, ['init', '-', '--name', 'production']],
    [
      'a credential of another cloud',
      64,
      ['init', '-', ...newSite, '--cloud', 'aws', '--credential', 'HMAC-KEYS'],
    ],
    ['a credential of no cloud', 64, ['init', '-', ...newSite, '--credential', 'HMAC-KEYS']],
    ['a server license that is not needed', 64, ['init', '-', ...newSite, '--server-license', 'x.ecp']],
    ['a workflow beside what is printed', 64, ['init', '-', ...newSite, '--ci', 'github']],
    ['a new manifest in no folder', 64, ['init', 'nowhere/site.yaml', ...newSite]],
    ['a new manifest that would be invalid', 65, ['init', '-', ...newSite, '--storage-class', 'GP3']],
    [
      'a cloud before its version',
      65,
      ['init', '-', ...newSite, '--cloud', 'aws', '--service-version', '11.1'],
    ],
    ['a new manifest over another', 78, ['init', quickstart, ...newSite]],
    ['a completion', 0, ['completion', 'bash']],
    ['a completion for no shell', 64, ['completion']],
    ['a completion for a strange shell', 64, ['completion', 'fish']],
    ['a site that nobody answers for', 69, ['plan', quickstart, '--url', nobody]],
    ['an apply there', 69, ['apply', quickstart, '--url', nobody, '--yes']],
    ['a state there', 69, ['status', quickstart, '--url', nobody]],
    [
      'an origin that is not allowed',
      78,
      ['plan', quickstart, '--allow-origin', 'https://other.example.org'],
    ],
    [
      'an origin that begins as an allowed one',
      78,
      ['plan', quickstart, '--allow-origin', 'https://gis.example'],
    ],
  ])('%s: %i', async (_what, expected, args) => {
    expect((await landform(args)).exitCode).toBe(expected)
  })

  test('a missing license file: 66, before the site is asked', async () => {
    const host = fakeHost({ input: readFileSync(join(root, quickstart), 'utf8') })
    expect(await run(['plan', '-', '--url', nobody], host)).toBe(exitCodes.missing)
    expect(host.err()).toContain('file/missing')
  })

  test('an origin pinned by the environment: 78', async () => {
    const { exitCode, host } = await landform(['plan', quickstart], {
      LANDFORM_ALLOWED_ORIGINS: 'https://a.example.org, https://b.example.org',
    })
    expect(exitCode).toBe(exitCodes.refused)
    expect(host.err()).toContain('https://gis.example.org is not one of the allowed origins')
  })

  test('TLS that is switched off from outside: 78', async () => {
    const environment = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    expect((await landform(['plan', quickstart], environment)).exitCode).toBe(exitCodes.refused)
  })

  test('a damaged record: 74, and never taken for empty', async () => {
    const emulator = await startEmulator({ stageMs: 5 })
    const state = join(root, 'dist', 'damaged-state')
    const args = [quickstart, '--url', emulator.url, '--state', `file:${state}`]
    try {
      expect((await landform(['apply', ...args, '--yes'], someSecrets)).exitCode).toBe(0)
      await damageState(state)
      expect((await landform(['plan', ...args])).exitCode).toBe(exitCodes.state)
    } finally {
      await emulator.close()
    }
  })

  test('an address that answers with a web page: 75', async () => {
    const server = createServer(socket =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>'),
    )
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const { exitCode, host } = await landform(['plan', quickstart, '--url', `http://127.0.0.1:${port}/admin`])
    expect(exitCode).toBe(exitCodes.trouble)
    expect(host.err()).not.toContain('<html>')
    server.close()
  })
})

describe('on a running emulator', () => {
  let emulator: Emulator
  let site: readonly string[]
  const state = join(root, 'dist', `state-${process.pid}`)

  beforeAll(async () => {
    emulator = await startEmulator({ stageMs: 60_000 })
    site = [quickstart, '--url', emulator.url, '--state', `file:${state}`]
  })
  afterAll(() => emulator.close())

  test('without --yes, where nobody can be asked, nothing is sent: 78', async () => {
    expect((await landform(['apply', ...site], someSecrets)).exitCode).toBe(exitCodes.refused)
    expect(emulator.world().counters.configure.received).toBe(0)
  })

  test('another answer than yes sends nothing: 78', async () => {
    const host = fakeHost({ environment: someSecrets, answer: 'y' })
    expect(await run(['apply', ...site], host)).toBe(exitCodes.refused)
    expect(emulator.world().counters.configure.received).toBe(0)
  })

  test('--no-input asks nobody, even where somebody is: 78', async () => {
    const host = fakeHost({ environment: someSecrets, answer: 'yes' })
    expect(await run(['apply', ...site, '--no-input'], host)).toBe(exitCodes.refused)
  })

  test('an unknown option never runs the command: 64', async () => {
    expect((await landform(['apply', ...site, '--yes', '--dry_run'], someSecrets)).exitCode).toBe(
      exitCodes.usage,
    )
    expect(emulator.world().counters.configure.received).toBe(0)
  })

  test('secrets that are missing: 66, and nothing is sent', async () => {
    const { exitCode, host } = await landform(['apply', ...site, '--yes'])
    expect(exitCode).toBe(exitCodes.missing)
    expect(host.err().match(/secret\/missing/g)).toHaveLength(3)
    expect(host.err()).toContain('examples/quickstart.yaml:')
    expect(emulator.world().counters.configure.received).toBe(0)
  })

  test('a password that breaks a rule: 65, without a word of it', async () => {
    const environment = { ...someSecrets, LANDFORM_ADMIN_PASSWORD: 'xyzzyplugh' }
    const { exitCode, host } = await landform(['apply', ...site, '--yes'], environment)
    expect(exitCode).toBe(exitCodes.invalid)
    expect(host.screen()).toContain('lacks a digit')
    expect(host.screen()).not.toContain('xyzzy')
    expect(emulator.world().counters.configure.received).toBe(0)
  })

  test('a yes starts it, and --detach leaves it alone: 3', async () => {
    const host = fakeHost({ environment: someSecrets, answer: 'yes' })
    expect(await run(['apply', ...site, '--detach'], host)).toBe(exitCodes.inProgress)
    expect(emulator.world().counters.configure).toEqual({ received: 1, accepted: 1 })
  })

  test('the time that is up: 3, and the next command is named', async () => {
    const { exitCode, host } = await landform(['apply', ...site, '--yes', '--timeout', '2m'], someSecrets)
    expect(exitCode).toBe(exitCodes.inProgress)
    expect(host.err()).toContain(`next: run \`landform apply ${site.join(' ')} --yes --timeout 2m\``)
  })

  test('waiting for the state, too: 3', async () => {
    expect((await landform(['status', ...site, '--wait', '--timeout', '2m'])).exitCode).toBe(
      exitCodes.inProgress,
    )
  })

  test.each([
    ['SIGINT', exitCodes.interrupted],
    ['SIGTERM', exitCodes.terminated],
  ] as const)('%s stops the waiting: %i', async (signal, expected) => {
    const host = fakeHost({ environment: someSecrets })
    const sleep = host.clock.sleep
    const clock = {
      ...host.clock,
      sleep: (milliseconds: number, stop: AbortSignal) => {
        host.signal(signal)
        return sleep(milliseconds, stop)
      },
    }
    expect(await run(['apply', ...site, '--yes'], { ...host, clock })).toBe(expected)
    expect(emulator.world().counters.configure.received).toBe(1)
  })
})

describe('the program itself', () => {
  const program = (...args: string[]) =>
    spawnSync(process.execPath, [landformProgram, ...args], { cwd: root, encoding: 'utf8' })

  test.each([
    [0, ['validate', quickstart]],
    [64, ['validate', quickstart, '--fast']],
    [65, ['validate', invalid]],
    [66, ['validate', 'nowhere.yaml']],
    [69, ['plan', quickstart, '--url', nobody]],
  ])('ends with %i', (expected, args) => {
    expect(program(...args).status).toBe(expected)
  })

  test('puts the product on stdout and everything else on stderr', () => {
    const { stdout, stderr } = program('apply', '--emulate', quickstart, '--format', 'json')
    expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1, outcome: 'done', exitCode: 0 })
    expect(stderr).toContain('Queue store: completed')
  })
})
