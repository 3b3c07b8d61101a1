import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '../../../src/cli/host.js'
import { run } from '../../../src/cli/run.js'
import type { EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { anEmulator } from '../../support/emulator.js'
import { type FakeHostOptions, fakeHost } from '../../support/fake-host.js'
import { harmIn } from '../../support/harm-done.js'
import { answeringSite, http, json } from '../../support/http-double.js'
import { oneShotSecrets } from '../../support/one-shot.js'
import { tap } from '../../support/tapped.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const quickstart = 'examples/quickstart.yaml'
const token = ['--token', 'env:LANDFORM_TOKEN']
const to = ['--location', '/backups']
const bucket = ['--bucket', 'backups', '--region', 'eu-west-1']
const container = ['--container', 'https://acct.blob.example.org/backups', '--account-name', 'acct']
const endpoint = ['--account-endpoint', 'blob.example.org']
const key = ['--account-key', 'env:LANDFORM_ACCOUNT_KEY']

async function landform(args: readonly string[], options: FakeHostOptions = {}) {
  const host = fakeHost({ environment: oneShotSecrets, ...options })
  const exitCode = await run(['export-site', ...args], host)
  expect(harmIn(host.out())).toEqual([])
  expect(harmIn(host.err())).toEqual([])
  return { exitCode, host }
}

/** Exports from an emulator; also returns the operations that it received, and whether its version was read first. */
async function onEmulator(args: readonly string[], options: FakeHostOptions & EmulatorOptions = {}) {
  const { inspect, requests } = tap()
  const emulator = await anEmulator({ token: oneShotSecrets.LANDFORM_TOKEN, inspect, ...options })
  const said = await landform([...args, '--url', emulator.url], options)
  const isLook = ({ operation }: (typeof requests)[number]) => operation === 'root'
  return {
    ...said,
    requests: requests.filter(one => !isLook(one)),
    looks: requests.filter(isLook).length,
    url: emulator.url,
    name: new URL(emulator.url).host,
  }
}

describe('an export', () => {
  test.each([
    ['with --yes', ['--yes'], {}],
    ['that a person agrees to', [], { answer: 'yes' }],
  ])('%s is sent once, and its file is the output', async (_what, args, options) => {
    const { exitCode, host, requests, url } = await onEmulator([...to, ...token, ...args], options)
    expect([exitCode, requests.length]).toEqual([0, 1])
    expect(host.out()).toMatch(/^Exported to \/backups\/\d{8}-\d{6}\.portalsite\.\n$/)
    expect(host.err()).toContain(`export-site  ${url}\n  location   /backups\n`)
    expect(host.err()).toContain('Public sources advise against any other administrative change')
  })

  test('of a site with a manifest takes its token and, with --url, another address', async () => {
    const { exitCode, requests } = await onEmulator([quickstart, ...to, '--yes'])
    expect([exitCode, requests.length]).toEqual([0, 1])
    expect(requests[0]?.parts).toContainEqual({
      kind: 'text',
      name: 'token',
      text: oneShotSecrets.LANDFORM_TOKEN,
    })
  })

  test('uses --token instead of the token of the manifest', async () => {
    const environment = { LANDFORM_TOKEN: 'another', LANDFORM_OTHER: oneShotSecrets.LANDFORM_TOKEN }
    const args = [quickstart, ...to, '--yes', '--token', 'env:LANDFORM_OTHER']
    expect((await onEmulator(args, { environment })).exitCode).toBe(0)
  })

  test('that is confirmed by its host asks no question', async () => {
    const site = await answeringSite(json({ status: 'success', location: '/b/x.portalsite' }))
    const { exitCode } = await landform(['--url', site.url, ...to, '--confirm', site.host])
    expect([exitCode, site.posts().length]).toEqual([0, 1])
  })

  test.each([
    ['nobody', [], {}],
    ['--yes for another host', ['--yes', '--confirm', 'other.example.org'], {}],
    ['a person who types another host', ['--confirm', 'other.example.org'], { answer: 'yes' }],
    ['a check for another host', ['--validate', '--confirm', 'other.example.org'], {}],
  ])('without consent is not sent: %s', async (_what, args, options) => {
    // Without the token: an attempt to read it would be an error of its own.
    const { exitCode, host, requests } = await onEmulator([...to, ...token, ...args], {
      ...options,
      environment: {},
    })
    expect([exitCode, requests.length]).toEqual([78, 0])
    expect(host.err()).toContain('nothing was sent')
  })

  test('without consent prints the command with the missing option', async () => {
    const { host, url, name } = await onEmulator(['--location', '/b a', ...token])
    expect(host.err()).toContain(
      `run \`landform export-site --location '/b a' --token env:LANDFORM_TOKEN --yes --url ${url}\``,
    )
    const wrong = await onEmulator([...to, '--confirm', 'x'])
    expect(wrong.host.err()).toContain(`--confirm does not match the target ${wrong.name}`)
    expect(name).toMatch(/^127\.0\.0\.1:\d+$/)
  })

  test('that only validates asks first, since an older service might export', async () => {
    const args = [...to, ...token, '--validate']
    const unasked = await onEmulator(args)
    expect([unasked.exitCode, unasked.requests.length]).toEqual([78, 0])
    expect(unasked.host.err()).toMatch(/A service before 11\.1 may ignore the check and\sexport/)
    expect((await onEmulator(args, { answer: 'yes' })).exitCode).toBe(0)
    expect((await onEmulator([...args, '--yes'])).exitCode).toBe(0)
  })
})

describe('the variants', () => {
  test.each([
    ['a folder', [], ['location', 'f', 'token']],
    [
      'a bucket with dots, dashes and digits',
      ['--bucket', 'my.bucket-1', '--region', 'eu-west-1'],
      ['location', 'backupObjectStore', 'backupObjectStoreRegion', 'f', 'token'],
    ],
    [
      'a container whose endpoint is a URL',
      [...container, '--account-endpoint', 'https://acct.blob.example.org', ...key],
      ['location', 'backupObjectStore', 'backupObjectStoreConnectionStr', 'f', 'token'],
    ],
    ['a bucket', bucket, ['location', 'backupObjectStore', 'backupObjectStoreRegion', 'f', 'token']],
    [
      'a container',
      [...container, ...endpoint, ...key],
      ['location', 'backupObjectStore', 'backupObjectStoreConnectionStr', 'f', 'token'],
    ],
  ])('%s sends its parameters, and the emulator accepts them', async (_what, args, names) => {
    const { exitCode, requests } = await onEmulator([...to, ...args, ...token, '--yes'])
    expect(exitCode).toBe(0)
    expect(requests.map(({ parts }) => parts.map(({ name }) => name))).toEqual([names])
  })

  test('the key of a container is read from its file', async () => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, 'key'), `${oneShotSecrets.LANDFORM_ACCOUNT_KEY}\n`)
    const before = process.cwd()
    process.chdir(folder)
    try {
      const args = [...to, ...container, ...endpoint, '--account-key', 'file:key', ...token, '--yes']
      const { exitCode, requests } = await onEmulator(args)
      expect(exitCode).toBe(0)
      const part = requests[0]?.parts.find(({ name }) => name === 'backupObjectStoreConnectionStr')
      expect(JSON.parse(part?.kind === 'text' ? part.text : '')).toEqual({
        accountName: 'acct',
        accountKey: oneShotSecrets.LANDFORM_ACCOUNT_KEY,
        accountEndpoint: 'blob.example.org',
      })
    } finally {
      process.chdir(before)
    }
  })

  test.each([
    ['no location', [], '--location'],
    ['only a region', [...to, '--region', 'r'], '--region needs --bucket'],
    ['a bucket without a region', [...to, '--bucket', 'b'], '--bucket also needs --region'],
    ['a bucket and a container', [...to, ...bucket, ...container], 'exclude each other'],
    [
      'only a container',
      [...to, '--container', 'https://c'],
      'needs --account-name and --account-endpoint and --account-key',
    ],
    ['a location of spaces', ['--location', ' '], '--location begins or ends with a space'],
    ['a location with a line end', ['--location', '/backups\n'], '--location begins or ends with a space'],
    ['a bucket with a tab', [...to, '--bucket', 'a\tb', '--region', 'r'], '--bucket begins or ends'],
    [
      'the address of a bucket',
      [...to, '--bucket', 's3://backups', '--region', 'r'],
      '--bucket takes the name of the bucket alone, without s3:// and without a path',
    ],
    [
      'a container without a scheme',
      [
        ...to,
        '--container',
        '//acct.blob.example.org/backups',
        '--account-name',
        'acct',
        ...endpoint,
        ...key,
      ],
      '--container takes the URL of the container, such as https://',
    ],
    [
      'a name as an endpoint',
      [...to, ...container, '--account-endpoint', 'acct', ...key],
      '--account-endpoint takes the endpoint of the account, such as https://',
    ],
    ['no time', [...to, '--timeout', '10ms'], '--timeout must be at least 1s'],
  ])('reject %s with a reason', async (_what, args, message) => {
    const { exitCode, host, requests } = await onEmulator([...args, '--yes'])
    expect([exitCode, requests.length]).toEqual([64, 0])
    expect(host.err()).toContain(message)
  })
})

describe('an option that names a secret', () => {
  const secret = oneShotSecrets.LANDFORM_TOKEN
  test.each([secret, 'env:PATH', `file:../${secret}`])('rejects %j without quoting it', async value => {
    const asToken = await onEmulator([...to, '--yes', '--token', value])
    expect([asToken.exitCode, asToken.requests.length]).toEqual([64, 0])
    const asKey = await onEmulator([...to, '--yes', ...container, ...endpoint, '--account-key', value])
    expect([asKey.exitCode, asKey.requests.length]).toEqual([64, 0])
    for (const { host } of [asToken, asKey]) expect(host.screen()).not.toContain('token-')
  })
})

test('a file of an option lies below the working folder, also if the manifest is elsewhere', async () => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'token'), oneShotSecrets.LANDFORM_TOKEN)
  const before = process.cwd()
  process.chdir(folder)
  try {
    const args = [join(before, quickstart), ...to, '--yes', '--token', 'file:token']
    const { exitCode, requests } = await onEmulator(args)
    expect([exitCode, requests.length]).toEqual([0, 1])
  } finally {
    process.chdir(before)
  }
})

test.each([
  ['--container', 'https://acct.blob.example.org/backups?sig=hunter2'],
  ['--container', 'https://acct:hunter2@acct.blob.example.org/backups'],
  ['--account-endpoint', 'AccountName=acct;AccountKey=hunter2'],
  ['--account-name', 'AccountKey=hunter2'],
])('%s with a secret in it is rejected, and not quoted', async (option, value) => {
  const words = [...to, ...container, ...endpoint, ...key, '--yes']
  const args = words.with(words.indexOf(option) + 1, value)
  const { exitCode, host, requests } = await onEmulator(args)
  expect([exitCode, requests.length]).toEqual([64, 0])
  expect(host.err()).toContain(`${option} contains a query, a fragment, a user or a connection string`)
  expect(host.screen()).not.toContain('hunter2')
})

describe('versions', () => {
  test.each([
    ['10.3', [], 6],
    ['10.4', [], 0],
    ['11.0', ['--validate'], 6],
    ['11.1', ['--validate'], 0],
  ] as const)('at %s with %j the exit code is %i', async (version, args, expected) => {
    // The emulated service has a root resource from the first configurable version on.
    for (const named of version === '10.3'
      ? [['--service-version', version]]
      : [['--service-version', version], []]) {
      const words = [...to, ...token, '--yes', ...named, ...args]
      const { exitCode, host, requests } = await onEmulator(words, { version })
      expect([exitCode, requests.length]).toEqual([expected, expected === 0 ? 1 : 0])
      if (expected !== 0) expect(host.err()).toMatch(/needs service version (10\.4|11\.1) or later/)
    }
  })

  test('of the site take precedence over those of the manifest, also if reading them requires a token', async () => {
    const words = [...to, ...token, '--yes', '--validate', '--service-version', '11.2']
    const { exitCode, host, requests, looks } = await onEmulator(words, {
      version: '10.9.1',
      configured: true,
      fidelity: 'field',
      field: { anyToken: true },
    })
    expect([exitCode, requests.length, looks]).toEqual([6, 0, 2])
    expect(host.err()).toContain(
      'needs service version 11.1 or later, and the site has 10.9.1; nothing was sent',
    )
  })

  test('that are unknown are left to the service', async () => {
    const site = await answeringSite(json({ error: { code: 400, message: 'Invalid URL', details: null } }))
    const refused = await landform([...to, ...token, '--yes', '--validate', '--url', site.url])
    expect([refused.exitCode, site.posts().length]).toEqual([5, 1])
    expect(refused.host.err()).toContain('the version of the site is not known')
    const taken = await onEmulator([...to, ...token, '--yes'])
    expect(taken.host.screen()).not.toContain('version')
  })
})

describe('other responses', () => {
  const location = '/b/x.portalsite'
  test.each([
    [
      'a single text',
      { status: 'success', location, messages: 'Took 3 s.' },
      0,
      'Exported to /b/x.portalsite.\n  message: Took 3 s.\n',
    ],
    [
      'a single warning text',
      { status: 'Success with warning', location, messages: '2 items are missing.' },
      5,
      'Exported with a warning to /b/x.portalsite.\n  warning: 2 items are missing.\n',
    ],
  ])('report an export: %s', async (_what, body, expected, out) => {
    const site = await answeringSite(json(body))
    const { exitCode, host } = await landform(['--url', site.url, ...to, '--yes'])
    expect([exitCode, host.out()]).toEqual([expected, out])
  })

  test('a warning about a validation does not mention an export', async () => {
    const site = await answeringSite(json({ status: 'success with warning', messages: ['Almost full.'] }))
    const { exitCode, host } = await landform(['--url', site.url, ...to, '--yes', '--validate'])
    expect([exitCode, host.out()]).toEqual([
      5,
      'Checked, with a warning: an export can be written there.\n  warning: Almost full.\n',
    ])
  })

  test('a missing operation suggests another base URL', async () => {
    const body = json({ error: { code: 404, message: 'x', details: null } })
    for (const answer of [body, http(404, '<html>')]) {
      const site = await answeringSite(answer)
      const { host } = await landform(['--url', site.url, ...to, '--yes'])
      expect(host.err()).toContain('has its own base URL: pass it with --url')
    }
  })
})

describe('while it runs', () => {
  test('it prints that it is still waiting, except with --quiet', async () => {
    const said = async (...more: readonly string[]) => {
      const host = fakeHost({ environment: oneShotSecrets })
      const site = await answeringSite(() => {
        host.tick()
        host.tick()
        return json({ status: 'success', location: 'x' })
      })
      await run(['export-site', '--url', site.url, ...to, '--yes', ...more], host)
      host.tick()
      return host.err()
    }
    expect((await said()).match(/^\[\+00:00\] still waiting: exporting the site/gm)).toHaveLength(2)
    expect(await said('--quiet')).toBe('')
  })

  test('an interrupt waits for the response, and the message says how to end at once', async () => {
    const host = fakeHost({ environment: oneShotSecrets })
    const site = await answeringSite(() => {
      host.signal('SIGINT')
      return json({ status: 'success', location: 'x' })
    })
    expect(await run(['export-site', '--url', site.url, ...to, '--yes'], host)).toBe(0)
    expect(site.posts().length).toBe(1)
    expect(host.err()).toMatch(
      /Press Ctrl-C again to leave now; its outcome is then unknown: check \/backups for .* since 20\S+Z\n/,
    )
  })

  test('SIGTERM ends an open question', async () => {
    const host = fakeHost({ answer: 'yes' })
    const asked: Host = {
      ...host,
      ask: (_question, stop) =>
        new Promise(resolve => {
          stop?.addEventListener('abort', () => resolve({ kind: 'interrupt' }))
          host.signal('SIGTERM')
        }),
    }
    expect(await run(['export-site', '--url', 'http://127.0.0.1:9/admin', ...to], asked)).toBe(143)
  })
})

test.each([
  ['export-warns', [], 5, 'warning: Some items are in the database'],
  ['export-warns', ['--allow-warnings'], 0, 'warning: Some items are in the database'],
  ['export-refused', ['--validate'], 5, 'must be accessible to the service account (code 500)'],
  ['one-shot-answers-lost', [], 4, 'The outcome of exportSite is unknown'],
  ['one-shot-answers-lost', [], 4, 'next: check '],
])('in the scenario %s a rehearsal with %j ends with %i', async (scenario, more, expected, words) => {
  const { exitCode, host } = await landform(['--emulate', '--scenario', scenario, ...to, ...more])
  expect(exitCode).toBe(expected)
  expect(host.screen()).toContain(words)
})
