import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { parseEmulatedVersion, parseSpeed, parseStageTimes } from '../../src/cli/emulator/emulator-options.js'
import { parseWhole } from '../../src/cli/options.js'
import { run } from '../../src/cli/run.js'
import { stageNames } from '../../src/contract/responses.js'
import { newestReportedVersion } from '../../src/contract/versions.js'
import { fakeHost } from '../support/fake-host.js'
import { root } from '../support/manifests.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

/** What `emulate` writes before it is stopped, on a terminal or not. */
async function emulated(args: readonly string[], isTerminal: boolean) {
  const host = fakeHost()
  const stderr = { ...host.stderr, isTerminal }
  const ended = run(['emulate', ...args], { ...host, stderr })
  while (host.out() === '') await setImmediate()
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

test('one stage time is for all stages, and a later word may change one of them', () => {
  const times = parseStageTimes(['2s', 'relational STORE=1m'])
  expect(Object.keys(times)).toEqual(stageNames)
  expect(times).toMatchObject({
    'License validation': 2000,
    'Relational store': 60_000,
    'Pod replicas': 2000,
  })
  expect(parseStageTimes([])).toEqual({})
})

test.each([['soon'], ['Relational=1s'], ['=1s'], ['Queue store=']])('%s is no stage time', word => {
  expect(() => parseStageTimes([word])).toThrow(/stage-time/)
})

test.each([
  ['60x', 60],
  ['60', 60],
  ['0.5x', 0.5],
  ['1000000x', 1_000_000],
])('%s is a speed of %d', (text, speed) => {
  expect(parseSpeed(text)).toBe(speed)
})

test.each(['0', '0.0001', '-1', 'fast', '60xx', '10000000', ''])('"%s" is no speed', text => {
  expect(() => parseSpeed(text)).toThrow('--speed must be a factor such as 60x')
})

test.each(['', '-1', '1.5', '11', 'x', '99999999999'])('"%s" is no number from 1 to 10', text => {
  expect(() => parseWhole('sites', text, { from: 1, to: 10 })).toThrow(
    '--sites must be a number from 1 to 10',
  )
})

test.each(['10.4', '10.5', '11.0', '11.2'])('version %s can be emulated', version => {
  expect(parseEmulatedVersion(version, 'document')).toBe(version)
})

test('what is reported of later versions is for field fidelity alone', () => {
  expect(() => parseEmulatedVersion('12.0', 'document')).toThrow(
    `--service-version must be a version from 10.4 to 11.2, or to ${newestReportedVersion} with --fidelity field`,
  )
  expect(parseEmulatedVersion('12.0', 'field')).toBe('12.0')
  expect(() => parseEmulatedVersion('99.0', 'field')).toThrow(
    `--service-version must be a version from 10.4 to ${newestReportedVersion}`,
  )
})

afterEach(removeTemporaryFolders)

/** Runs `landform emulate` for as long as the address it prints is used. */
async function emulating<T>(version: string, use: (url: string) => Promise<T>): Promise<T> {
  const host = fakeHost()
  const ended = run(['emulate', '--service-version', version], host)
  try {
    while (!host.out().endsWith('\n')) await setImmediate()
    return await use(host.out().trim())
  } finally {
    host.signal('SIGINT')
    expect(await ended).toBe(0)
  }
}

test.each([
  ['10.4', false, false],
  ['10.5', false, false],
  ['10.10', true, false],
  ['11.0', true, false],
  ['11.1', true, true],
  ['11.1.7', true, true],
  ['11.2', true, true],
])('the emulated version may be %s: configure is there: %s, validate: %s', (version, configures, validates) =>
  emulating(version, async url => {
    const export_ = (values: Readonly<Record<string, string>>) =>
      fetch(`${url}/exportSite`, { method: 'POST', body: new URLSearchParams({ location: '/b', ...values }) })
    expect(await (await export_({})).json()).toHaveProperty('status', 'success')
    expect((await fetch(`${url}/configure`, { method: 'POST' })).status).toBe(configures ? 200 : 404)
    const validated = await (await export_({ validate: 'true' })).json()
    expect(validated).toEqual(validates ? { status: 'success' } : { error: expect.anything() })
  }),
)

test.each(['10.3', '10.3.9', '11.2.1', '11.3', '99.0', 'new'])(
  'the emulated version may not be %s, and the message has the range',
  async version => {
    const host = fakeHost()
    expect(await run(['emulate', '--service-version', version], host)).toBe(64)
    expect(host.err()).toContain('--service-version must be a version from 10.4 to 11.2')
    expect(host.out()).toBe('')
  },
)

test.each(['11.5', '12.0'])('a manifest of version %s is rehearsed as one of the newest', async version => {
  const text = readFileSync(join(root, 'examples/quickstart.yaml'), 'utf8')
  const file = join(await temporaryFolder(), 'site.yaml')
  writeFileSync(file, text.replace(/version: "?11\.2"?/, `version: "${version}"`))
  const host = fakeHost()
  expect(await run(['apply', '--emulate', file, '--yes'], host)).toBe(0)
  expect(host.screen()).toContain(version)
})
