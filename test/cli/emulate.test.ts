import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { parseEmulatedVersion, parseSpeed, parseStageTimes } from '../../src/cli/emulator/emulator-options.js'
import { parseWhole } from '../../src/cli/options.js'
import { run } from '../../src/cli/run.js'
import { stageNames } from '../../src/contract/responses.js'
import { newestReportedVersion } from '../../src/contract/versions.js'
import { exampleCopy } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { landform } from '../support/landform.js'
import { root } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** Returns the output of `emulate` until it is stopped, on a terminal or not. */
async function emulated(args: readonly string[], isTerminal: boolean) {
  const host = fakeHost()
  const stderr = { ...host.stderr, isTerminal }
  const ended = run(['emulate', ...args], { ...host, stderr })
  while (host.out() === '') await setImmediate()
  host.signal('SIGTERM')
  return { exitCode: await ended, out: host.out(), err: host.err() }
}

test('the address is printed first, followed on a terminal by the page to watch', async () => {
  const { exitCode, out, err } = await emulated(['--base-path', '/arcgis/admin'], true)
  expect(exitCode).toBe(0)
  expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/arcgis\/admin\n$/)
  expect(err).toBe(`open ${out.replace('arcgis/admin\n', '')} to watch\n`)
})

test.each([
  ['elsewhere', [], false],
  ['with less output', ['--quiet'], true],
] as const)('%s the page is not mentioned', async (_where, args, isTerminal) => {
  expect((await emulated(args, isTerminal)).err).toBe('')
})

test('an emulator that cannot print its address ends', async () => {
  const host = fakeHost()
  expect(await run(['emulate'], { ...host, stdout: { ...host.stdout, isBroken: true } })).toBe(0)
})

test('one stage time applies to all stages, and a later option may change one of them', () => {
  const times = parseStageTimes(['2s', 'relational STORE=1m'])
  expect(Object.keys(times)).toEqual(stageNames)
  expect(times).toMatchObject({
    'License validation': 2000,
    'Relational store': 60_000,
    'Pod replicas': 2000,
  })
  expect(parseStageTimes([])).toEqual({})
})

test.each([['soon'], ['Relational=1s'], ['=1s'], ['Queue store=']])('%s is not a stage time', word => {
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

test.each(['0', '0.0001', '-1', 'fast', '60xx', '10000000', ''])('"%s" is not a speed', text => {
  expect(() => parseSpeed(text)).toThrow('--speed must be a factor such as 60x')
})

test.each(['', '-1', '1.5', '11', 'x', '99999999999'])('"%s" is not a number from 1 to 10', text => {
  expect(() => parseWhole('sites', text, { from: 1, to: 10 })).toThrow(
    '--sites must be a number from 1 to 10',
  )
})

test('later versions require field fidelity', () => {
  expect(() => parseEmulatedVersion('12.0', 'document')).toThrow(
    `--service-version must be a version from 10.4 to 11.2, or to ${newestReportedVersion} with --fidelity field`,
  )
  expect(parseEmulatedVersion('12.0', 'field')).toBe('12.0')
  expect(() => parseEmulatedVersion('99.0', 'field')).toThrow(
    `--service-version must be a version from 10.4 to ${newestReportedVersion}`,
  )
})

/** Runs `landform emulate` while `use` runs with the address that it prints. */
async function emulating<T>(options: readonly string[], use: (url: string) => Promise<T>): Promise<T> {
  const host = fakeHost()
  const ended = run(['emulate', ...options], host)
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
])(
  'the emulated version may be %s: it has configure: %s, and validate: %s',
  (version, configures, validates) =>
    emulating(['--service-version', version], async url => {
      const export_ = (values: Readonly<Record<string, string>>) =>
        fetch(`${url}/exportSite`, {
          method: 'POST',
          body: new URLSearchParams({ location: '/b', ...values }),
        })
      expect(await (await export_({})).json()).toHaveProperty('status', 'success')
      expect((await fetch(`${url}/configure`, { method: 'POST' })).status).toBe(configures ? 200 : 404)
      const validated = await (await export_({ validate: 'true' })).json()
      expect(validated).toEqual(validates ? { status: 'success' } : { error: expect.anything() })
    }),
)

/** Writes the quickstart with an extra parameter that is in no version. */
async function writeExtra() {
  const file = await exampleCopy('quickstart')
  writeFileSync(
    file,
    `${readFileSync(file, 'utf8').trimEnd()}
  extra: { futureParameter: 1 }
`,
  )
  return file
}

test('a rehearsal accepts extra parameters', async () => {
  expect(await landform(['apply', '--emulate', await writeExtra()])).toMatchObject({ exitCode: 0 })
})

test.each<[readonly string[], number, RegExp]>([
  [['--accept', 'other', '--accept', 'futureParameter'], 0, /the site is ready/],
  [['--accept', 'futureparameter'], 5, /The parameter "futureParameter" is unknown/],
])('an apply to an emulator with %j ends with %d', (options, exitCode, words) =>
  emulating(['--speed', '600', ...options], async url => {
    const applied = await landform(['apply', '--yes', await writeExtra(), '--url', url], {
      environment: someSecrets,
    })
    expect([applied.exitCode, applied.err]).toEqual([exitCode, expect.stringMatching(words)])
  }),
)

test.each(['11.5', '12.0'])(
  'a manifest of version %s is rehearsed with the newest version',
  async version => {
    const text = readFileSync(join(root, 'examples/quickstart.yaml'), 'utf8')
    const file = join(await temporaryFolder(), 'site.yaml')
    writeFileSync(file, text.replace(/version: "?11\.2"?/, `version: "${version}"`))
    const host = fakeHost()
    expect(await run(['apply', '--emulate', file, '--yes'], host)).toBe(0)
    expect(host.screen()).toContain(version)
  },
)
