import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { loadScenario } from '../../src/cli/emulator/emulator-options.js'
import { run } from '../../src/cli/run.js'
import { newestReportedVersion } from '../../src/contract/versions.js'
import { parseRule } from '../../src/emulator/faults/notation.js'
import {
  mergeScenarios,
  type Scenario,
  type ScenarioName,
  scenarios,
} from '../../src/emulator/scenarios/scenarios.js'
import { anEmulator } from '../support/emulator.js'
import { writeExample } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { landform } from '../support/landform.js'
import { root } from '../support/manifests.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const manifest = 'examples/quickstart.yaml'
const once = { received: 1, accepted: 1 }
const lost = { received: 1, accepted: 0 }
const never = { received: 0, accepted: 0 }

/** For each scenario, the exit code of an apply, the service's counters of configure, and the message. */
const outcomes: Readonly<Record<ScenarioName, readonly [number, object, RegExp]>> = {
  'slow-relational-store': [0, once, /the site is ready after 10m/],
  stuck: [3, once, /wait timed out/],
  'stage-fails': [5, once, /The object store did not start in time \(failed: Object store\)/],
  'goes-backwards': [0, once, /Portal REST API: in progress[\s\S]*Portal REST API: in progress/],
  'unknown-state': [0, once, /the site is ready/],
  'unknown-stages': [0, once, /Blob store: completed/],
  'already-configured': [0, never, /update: done/],
  'upgrade-in-progress': [5, never, /An upgrade is in progress/],
  'license-refused': [5, never, /the service refused the license before configure: /],
  'drop-before-accept': [4, lost, /outcome of configure is unknown/],
  'drop-after-accept': [0, once, /closed before a complete response[\s\S]*the site is ready/],
  // Of the two responses the rejection arrived; the site shows that the other one was accepted.
  'balancer-duplicates': [
    0,
    { received: 2, accepted: 1 },
    /The site is being configured[\s\S]*was accepted[\s\S]*the site is ready/,
  ],
  'gateway-timeout-after-accept': [0, once, /HTTP 504[\s\S]*the site is ready/],
  'html-login': [0, once, /a sign-in page[\s\S]*the site is ready/],
  'flaky-polls': [0, once, /polling the site failed[\s\S]*the site is ready/],
  'rate-limited': [0, once, /HTTP 429[\s\S]*the site is ready/],
  redirects: [0, once, /HTTP 307[\s\S]*HTTP 302[\s\S]*the site is ready/],
  garbage: [
    0,
    once,
    /not JSON at line 1, column \d+: [\s\S]*not a site root resource[\s\S]*the site is ready/,
  ],
  'huge-answer': [0, once, /ANSWER_TOO_LARGE[\s\S]*the site is ready/],
  truncated: [0, once, /closed before a complete response[\s\S]*the site is ready/],
  'token-expires': [77, once, /code 498[\s\S]*rejected: a valid token is required/],
  'clock-skew': [0, once, /the site is ready/],
  'site-replaced': [6, once, /another site responds at this address: version 11\.1/i],
  'falls-back': [6, once, /no longer reports a configuration/i],
  // It requires a token in between.
  'webhooks-listed': [77, once, /code 49[89][\s\S]*rejected: a valid token is required/],
  'export-warns': [0, once, /the site is ready/],
  'export-refused': [0, once, /the site is ready/],
  'one-shot-answers-lost': [0, once, /the site is ready/],
  'hostile-texts': [0, once, /the site is ready/],
}

/** Frequent polls where faults occur during polls; rare ones where only time passes, or every poll is slow. */
const polls = [
  [/slow|stuck|state|token|webhooks/, '20s'],
  [/hostile/, '2s'],
  [/back|flaky/, '200ms'],
] as const

describe('an apply in the scenario', () => {
  test.each(Object.entries(outcomes))('%s ends with %j', async (name, [exitCode, configure, words]) => {
    const host = fakeHost({ environment: someSecrets })
    const { now, sleep: wait } = host.clock
    const emulator = await anEmulator({
      ...mergeScenarios([scenarios[name as ScenarioName]]),
      now,
      wait,
    })
    const state = `file:${await temporaryFolder()}`
    const poll = polls.find(([names]) => names.test(name))?.[1] ?? '500ms'
    // A site with field fidelity reports another profile than the manifest.
    const ignored = ['--ignore-immutable', 'spec.profile']
    const options = [
      '--url',
      emulator.url,
      '--state',
      state,
      '--timeout',
      '11m',
      '--poll-interval',
      poll,
      ...ignored,
    ]
    expect(await run(['apply', manifest, '--yes', ...options], host)).toBe(exitCode)
    expect(host.screen()).toMatch(words)
    expect(emulator.world().counters.configure).toEqual(configure)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
    expect(host.screen()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/)
    // An apply neither exports nor deletes.
    const unmet = emulator.unmet().filter(({ word = '' }) => !/^(?:exportSite|deleteAll)=/.test(word))
    expect(unmet).toEqual([])
  })
})

test('a rehearsal with a site that requires a token has one', async () => {
  const args = ['apply', '--emulate', '--scenario', 'webhooks-listed', manifest]
  const { exitCode, err } = await landform(args)
  expect([exitCode, err]).toEqual([0, expect.not.stringMatching(/code 49[89]/)])
})

test('after a request that was sent twice, the record has what was sent: an edit of it stops the plan', async () => {
  const host = fakeHost({ environment: someSecrets })
  const { now, sleep: wait } = host.clock
  const emulator = await anEmulator({ ...mergeScenarios([scenarios['balancer-duplicates']]), now, wait })
  const site = ['--url', emulator.url, '--state', `file:${await temporaryFolder()}`]
  expect(await run(['apply', manifest, '--yes', ...site], host)).toBe(0)
  const edit = (text: string) => text.replace(/username: .*/, 'username: somebody')
  const edited = writeExample(await temporaryFolder(), { edit })
  expect(await run(['plan', edited, ...site], host)).toBe(6)
  expect(host.screen()).toContain('administrator.username')
  expect(emulator.world().counters.configure).toEqual({ received: 2, accepted: 1 })
})

test('several scenarios can be combined', async () => {
  const names = ['drop-after-accept', 'stage-fails'].flatMap(name => ['--scenario', name])
  const { exitCode, err } = await landform(['apply', '--emulate', ...names, manifest])
  expect([exitCode, err]).toEqual([
    5,
    expect.stringMatching(/before a complete response[\s\S]*did not start in time/),
  ])
})

describe('a command line with an invalid scenario or fault runs nothing', () => {
  test.each([
    [['apply', manifest, '--scenario', 'stuck'], '--scenario is for the emulator; add --emulate'],
    [['plan', '--emulate', manifest, '--scenario', 'stuk'], 'unknown scenario "stuk"; did you mean stuck?'],
    [['emulate', '--scenario', 'rain'], 'unknown scenario "rain"; use one of slow-relational-store, stuck,'],
    [
      ['emulate', '--fault', 'rot=drop-after'],
      '--fault "rot=drop-after": `rot` is not an operation; did you mean root?',
    ],
    [
      ['emulate', '--fault', 'root=drop-afterr'],
      '`drop-afterr` does not have the form drop-before or drop-after',
    ],
    [['emulate', '--fault', '2:root=html'], '--fault must be a number from 1 to 1'],
    [['emulate', '--sites', '9', '--fault', '3-2:root=html'], '--fault must be a number from 3 to 9'],
    [['emulate', '--sites', '9', '--fault', '2:rot=html'], '`rot` is not an operation; did you mean root?'],
    [
      ['emulate', '--fault', 'root=redirect:302,location:https://evil.example/'],
      'an address on this machine',
    ],
  ])('%j', async (args, words) => {
    const { exitCode, err } = await landform(args)
    expect([exitCode, err]).toEqual([64, expect.stringContaining(words)])
  })
})

/** Runs `landform emulate`, calls `work` once its address is printed, and interrupts it. */
async function emulated(args: readonly string[], work: (url: string) => Promise<unknown> = async () => 0) {
  const host = fakeHost()
  const ended = run(['emulate', ...args], host)
  while (!host.out().includes('\n')) await new Promise(resolve => setImmediate(resolve))
  await work(host.out().trim().split('\n')[0] ?? '')
  host.signal('SIGINT')
  return { exitCode: await ended, out: host.out(), err: host.err() }
}

test('options take precedence over a scenario, and their faults follow its own', async () => {
  const faults = ['--fault', 'root@2=garbage', '--fault', 'root@1=html:502']
  const file = 'examples/scenarios/older-site.yaml'
  const { exitCode, err } = await emulated(
    ['--scenario', file, '--service-version', '10.9.1', ...faults],
    async url => {
      const answer = (await (await fetch(url)).json()) as { fullVersion: string; status: { state: string } }
      expect(answer).toMatchObject({ fullVersion: '10.9.1', status: { state: 'ready' } })
    },
  )
  expect(exitCode).toBe(0)
  expect(err).toBe(
    'warning: the fault root@2=garbage never occurred\nwarning: the fault root@1=html:502 never occurred\n',
  )
})

test('a scenario file may select field fidelity, and a later one adds to it', async () => {
  const folder = await temporaryFolder()
  const [one, other] = [join(folder, 'one.yaml'), join(folder, 'other.yaml')]
  writeFileSync(one, 'fidelity: field\nversion: "12.0"\nupgrading: true\nconfigured: true\n')
  writeFileSync(other, 'fidelity: field\nsecurityFrom: Queue store\n')
  const answer = async (url: string) => (await fetch(url)).json()
  await emulated(['--scenario', one], async url =>
    expect(await answer(url)).toHaveProperty('error.message', 'Token Required.'),
  )
  const both = ['--scenario', other, '--scenario', 'upgrade-in-progress', '--service-version', '12.1']
  const { exitCode } = await emulated(both, async url => {
    expect(await answer(url)).toMatchObject({ fullVersion: '12.1.0', status: { state: 'ready' } })
    expect(await answer(`${url}/system/upgrades`)).toHaveProperty('status.state', 'in_progress')
  })
  expect(exitCode).toBe(0)
  const against = await landform(['emulate', '--fidelity', 'document', '--scenario', one])
  expect([against.exitCode, against.err]).toEqual([
    64,
    expect.stringContaining('the scenario needs --fidelity field, not document'),
  ])
})

test('the page to watch names the scenarios', async () => {
  const file = 'examples/scenarios/older-site.yaml'
  await emulated(['--scenario', 'stuck', '--scenario', file], async url => {
    const state = await (await fetch(new URL('/_emulator/state.json', url))).json()
    expect(state).toHaveProperty('scenario', `stuck, ${file}`)
  })
})

test('a fault that occurred at one of many sites counts as met', async () => {
  const args = ['--sites', '3', '--fault', 'root=html', '--fault', 'update=html']
  const { err } = await emulated(args, url => fetch(url))
  expect(err).toBe('warning: the fault update=html never occurred\n')
  expect((await emulated([...args, '--quiet'])).err).toBe('')
})

test('a fault may be limited to some sites, where it takes precedence over those for all', async () => {
  const args = ['--sites', '4', '--fault', 'root=html:502', '--fault', '2-3:root=status:503']
  const unmet = ['--fault', '4:update=html', '--fault', '1:configure=html']
  const { out, err } = await emulated([...args, ...unmet], async url => {
    const addresses = [1, 2, 3, 4].map(site => url.replace('/site-1/', `/site-${site}/`))
    const answers = await Promise.all(addresses.map(address => fetch(address)))
    expect(answers.map(({ status }) => status)).toEqual([502, 503, 503, 502])
    const state = await (await fetch(new URL('_emulator/state.json', `${url.split('/site-1/')[0]}/`))).json()
    expect(state).toHaveProperty('faults', [
      'root=html:502',
      '2-3:root=status:503',
      '4:update=html',
      '1:configure=html',
    ])
  })
  expect(out.trim().split('\n')).toHaveLength(4)
  expect(err).toBe(
    'warning: the fault 1:configure=html never occurred\nwarning: the fault 4:update=html never occurred\n',
  )
})

describe('a scenario file', () => {
  const said = async (text: string) => {
    const file = join(await temporaryFolder(), 'mine.yaml')
    writeFileSync(file, text)
    return landform(['emulate', '--scenario', file], { folder: join(file, '..') })
  }

  test('reports every mistake at its position', async () => {
    const { exitCode, err } = await said('sumary: x\nseed: much\nversion: 11.2\n')
    expect(exitCode).toBe(65)
    expect(err.match(/^mine\.yaml:\S+ .*|^ {2}help: .*/gm)).toEqual([
      'mine.yaml:1:1  error  unknown field `sumary` in a scenario  scenario/field',
      '  help: did you mean `summary`?',
      'mine.yaml:2:7  error  `seed` must be a whole number  scenario/value',
      'mine.yaml:3:10  error  `version` must be text (quote text that YAML would read as a number)  scenario/value',
    ])
    expect(err).toContain('error: the scenario mine.yaml is not valid')
  })

  test.each([
    ['faults: [root=garbge]', '1:10', '`garbge` is not a fault that is allowed here'],
    ['faults: [rot=html]', '1:10', 'did you mean `root`?'],
    ['stageTimes: [Queu=1s]', '1:14', 'stage-time "Queu=1s": unknown stage; did you mean Queue store?'],
    ['fidelity: documnt', '1:11', 'did you mean `document`?'],
    [
      'version: "eleven"',
      '1:10',
      `\`version\` must be a version from 10.4 to 11.2, or to ${newestReportedVersion} with \`fidelity: field\``,
    ],
    ['version: "12.0"', '1:10', '`version` must be a version from 10.4 to 11.2'],
    [
      '{ fidelity: field, version: "99.0" }',
      '1:29',
      `\`version\` must be a version from 10.4 to ${newestReportedVersion}`,
    ],
    ['upgrading: true', '1:12', '`upgrading` needs `fidelity: field`'],
    ['securityFrom: never', '1:15', '`securityFrom` needs `fidelity: field`'],
    [
      '{ fidelity: field, securityFrom: Queue }',
      '1:34',
      '`securityFrom` must be `never` or `License validation`',
    ],
    ['seed: -1', '1:7', '`seed` must be a number from 0 to 4294967295'],
    ['configured: maybe', '1:13', '`configured` must be `true` or `false`'],
    ['fidelity: high', '1:11', '`fidelity` must be `document` or `field`'],
    ['webhooks: 3', '1:11', '`webhooks` must be a map'],
    ['webhooks: {A.GPServer: many}', '1:24', '`A.GPServer` must be a whole number'],
    ['unwritableLocations: /a', '1:22', '`unwritableLocations` must be a list'],
    ['- faults', '1:1', 'a scenario must be a map with fields such as `faults`'],
    ['faults: [', '1:9', 'YAML'],
    ['', '1:1', 'empty'],
  ])('%j is wrong at %s', async (text, at, words) => {
    const { exitCode, err } = await said(text)
    expect(exitCode).toBe(65)
    expect(err).toMatch(`mine.yaml:${at}  error  `)
    expect(err).toContain(words)
  })

  test('that does not exist ends with 66', async () => {
    const { exitCode, err } = await landform(['apply', '--emulate', '--scenario', './rain.yaml', manifest])
    expect([exitCode, err]).toEqual([66, expect.stringContaining('the scenario ./rain.yaml does not exist')])
  })

  test('that is a folder is reported as one', async () => {
    const { exitCode, err } = await landform(['emulate', '--scenario', 'examples/scenarios/'])
    expect([exitCode, err]).toEqual([66, expect.stringContaining('is a folder; name the scenario in it')])
  })
})

const examples = join('examples', 'scenarios')

describe.each(readdirSync(join(root, examples)))('the example %s', name => {
  const file = join(examples, name)
  const text = readFileSync(join(root, file), 'utf8')

  test('is valid for the program and for editors', () => {
    expect(loadScenario({ name, bytes: Buffer.from(text) })).toMatchObject({ ok: true })
    expect(listSchemaErrors('scenario', parse(text))).toEqual([])
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/\.\.\/schemas\/scenario\.schema\.json\n/)
  })

  test('can be rehearsed', async () => {
    const options = ['--emulate', '--timeout', '11m', '--poll-interval', '1s', '--scenario', file]
    const minimal = 'examples/minimal-10.9.yaml'
    expect((await landform(['apply', ...options, minimal])).exitCode).toBe(0)
  })
})

test('the schema of faults accepts every fault that has a name', () => {
  const faults = Object.values<Scenario>(scenarios).flatMap(({ faults = [] }) => faults)
  expect(listSchemaErrors('scenario', { faults })).toEqual([])
  expect(faults.filter(word => !parseRule(word).ok)).toEqual([])
})

test('the help lists every scenario and every way to write a fault', async () => {
  const { out } = await landform(['emulate', '--help'])
  for (const [name, { summary }] of Object.entries(scenarios))
    expect(out).toMatch(new RegExp(`^  ${name}\\s+${summary.replaceAll(' ', '\\s+')}$`, 'm'))
  for (const form of ['drop-before or drop-after', 'stall[:TIME]', 'huge:BYTES']) expect(out).toContain(form)
})
