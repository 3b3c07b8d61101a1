import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../src/cli/run.js'
import type { EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { anEmulator } from '../../support/emulator.js'
import { type FakeHostOptions, fakeHost } from '../../support/fake-host.js'
import { harmIn } from '../../support/harm-done.js'
import { hostileTexts } from '../../support/hostile-texts.js'
import { answeringSite, json } from '../../support/http-double.js'
import { landformProgram } from '../../support/landform-program.js'
import { oneShotSecrets } from '../../support/one-shot.js'
import { listSchemaErrors } from '../../support/schema-errors.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const quickstart = 'examples/quickstart.yaml'
const roads = 'Roads.FeatureServer'
const token = ['--token', 'env:LANDFORM_TOKEN']
const done = json({ status: 'success' })
const three = json([{ name: 'first' }, { name: 'second' }, { name: 'third' }])

async function landform(args: readonly string[], options: FakeHostOptions = {}) {
  const host = fakeHost({ environment: oneShotSecrets, ...options })
  const exitCode = await run(['webhooks', 'delete-all', ...args], host)
  expect(harmIn(host.out())).toEqual([])
  expect(harmIn(host.err())).toEqual([])
  return { exitCode, host }
}

/** Counts the requests for the list of webhooks, without the one for the version. */
function listings(site: Awaited<ReturnType<typeof answeringSite>>): number {
  return site.gets().filter(({ path }) => !path.startsWith('/portal/admin?')).length
}

/** Deletes on a site that sends raw bytes; `confirm` adds the right confirmation. */
async function onSite(
  { toPost = done, toGet = three, confirm = true, service = roads },
  args: readonly string[] = [],
  options: FakeHostOptions = {},
) {
  const site = await answeringSite(toPost, toGet)
  const confirmed = confirm ? ['--confirm', `${service}@${site.host}`] : []
  const said = await landform([service, '--url', site.url, ...token, ...confirmed, ...args], options)
  return { ...said, site, counts: [listings(site), site.posts().length] }
}

/** Deletes on an emulator, which reports how many webhooks are left. */
async function onEmulator(args: readonly string[], options: FakeHostOptions & EmulatorOptions = {}) {
  const emulator = await anEmulator({
    token: oneShotSecrets.LANDFORM_TOKEN,
    webhooks: { [roads]: 3, 'Roads.GPServer': 2 },
    ...options,
  })
  const { host: name } = new URL(emulator.url)
  const given = args.map(word => word.replace('HOST', name))
  const said = await landform([...given, '--url', emulator.url], options)
  const { webhooks, counters } = emulator.world()
  return { ...said, left: Object.fromEntries(webhooks ?? []), received: counters.deleteAll.received, name }
}

const untouched = { [roads]: 3, 'Roads.GPServer': 2 }

describe('a deletion', () => {
  test.each([
    ['that is confirmed', [roads, quickstart, '--confirm', `${roads}@HOST`]],
    ['without a manifest', [roads, ...token, '--confirm', `${roads}@HOST`]],
  ])('%s is sent once, and leaves the webhooks of others', async (_what, args) => {
    const { exitCode, host, left, received } = await onEmulator(args)
    expect([exitCode, received]).toEqual([0, 1])
    expect(left).toEqual({ [roads]: 0, 'Roads.GPServer': 2 })
    expect(host.out()).toBe(`Deleted all webhooks of ${roads}.\n`)
  })

  test('that is confirmed by typing the target is sent', async () => {
    const site = await answeringSite(done, three)
    const answer = `${roads}@${site.host}`
    const { exitCode, host } = await landform([roads, '--url', site.url, ...token], { answer })
    expect([exitCode, listings(site), site.posts().length]).toEqual([0, 1, 1])
    const [before = '', after = ''] = host.err().split(`Delete them? Type \`${answer}\` to confirm: `)
    expect(before).toContain('The site reports 3 webhooks:\n  first\n  second\n  third\n')
    expect(before).toContain(`${roads}  ${site.url}\n`)
    expect(before).toContain('Permanently')
    expect(before).toContain('deactivateAll')
    expect(after).toContain('deleting the webhooks')
  })

  test.each([
    ['nobody', [], {}],
    ['with --yes and without a terminal', ['--yes'], {}],
    ['without a terminal, since it may not be used', ['--no-input'], { answer: `${roads}@HOST` }],
    ['another host', ['--confirm', `${roads}@gis.example.org`], {}],
    ['another service', ['--confirm', 'Roads.GPServer@HOST', '--yes'], {}],
    ['another service, typed by a person', ['--confirm', 'Roads.GPServer@HOST'], { answer: `${roads}@HOST` }],
    ['only the host', ['--confirm', 'HOST'], {}],
  ])('without consent sends nothing and reads no secret: %s', async (_what, args, options) => {
    const { exitCode, host, left, received } = await onEmulator([roads, ...token, ...args], {
      ...options,
      environment: {},
    })
    expect([exitCode, received, left]).toEqual([78, 0, untouched])
    expect(host.err()).toContain('nothing was sent')
    expect(host.err()).not.toContain('secret/missing')
  })

  test('without consent prints the command with the missing confirmation', async () => {
    const { host, site, counts } = await onSite({ confirm: false }, ['--yes'])
    expect(counts).toEqual([0, 0])
    expect(host.err()).toContain('--yes is not enough')
    expect(host.err()).toContain(
      `run \`landform webhooks delete-all ${roads} --confirm ${roads}@${site.host} --token env:LANDFORM_TOKEN --url ${site.url}\``,
    )
  })

  test.each(['yes', 'y', '', roads, `${roads}@gis.example.org`])(
    'is not sent after the answer %j',
    async answer => {
      const { exitCode, counts } = await onSite({ confirm: false }, [], { answer })
      expect([exitCode, counts]).toEqual([78, [1, 0]])
    },
  )

  test('in a folder is confirmed with the folder', async () => {
    const { exitCode, site } = await onSite({ service: 'Traffic/My Roads.GPServer' })
    expect(exitCode).toBe(0)
    expect(site.posts().map(({ path }) => path)).toEqual([
      '/portal/admin/services/Traffic/My%20Roads.GPServer/webhooks/deleteAll',
    ])
  })
})

describe('a rehearsal of a deletion', () => {
  const rehearse = (service: string, ...more: readonly string[]) =>
    landform([service, ...token, '--emulate', '--scenario', 'webhooks-listed', ...more], { environment: {} })

  test('lists the webhooks that the site would report', async () => {
    const { exitCode, host } = await rehearse(roads)
    expect(exitCode).toBe(0)
    expect(host.err()).toContain('The site reports 3 webhooks:\n  Webhook 1\n  Webhook 2\n  Webhook 3\n')
  })

  test('with a lost response ends as a real one does', async () => {
    const args = [roads, ...token, '--emulate', '--scenario', 'one-shot-answers-lost']
    const { exitCode, host } = await landform(args, { environment: {} })
    expect(exitCode).toBe(4)
    expect(host.screen()).toMatch(/next: .*A second deletion would also delete new ones/)
  })

  test('takes services and webhooks from a file', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'mine.yaml')
    writeFileSync(file, 'fidelity: field\nwebhooks: { Rivers/Gauges.GPServer: 2 }\n')
    const { exitCode, host } = await landform(['Rivers/Gauges.GPServer', '--emulate', '--scenario', file])
    expect(host.err()).toContain('The site reports 2 webhooks')
    // No token is given.
    expect(exitCode).toBe(5)
  })
})

test('a name that leads to another path ends with 65, and nothing is sent', async () => {
  const name = '../../system/reset?x=.GPServer'
  const site = await answeringSite(done, three)
  const args = [name, '--url', site.url, ...token, '--confirm', `${name}@${site.host}`]
  const { exitCode } = await landform(args)
  expect([exitCode, site.received]).toEqual([65, []])
})

describe('the list of webhooks to delete', () => {
  test.each(hostileTexts)('is escaped: %s', async (_what, text) => {
    // `landform` itself checks for unescaped text.
    const { exitCode, host } = await onSite({ toGet: json([{ name: text }]) }, ['--format', 'json'])
    expect(exitCode).toBe(0)
    expect(listSchemaErrors('webhooks', JSON.parse(host.out()))).toEqual([])
  })
})

describe('other responses', () => {
  test.each([
    ['a rejected token', token, 'next: use a valid token of an account with permission'],
    [
      'a missing token',
      [],
      'next: sign in with `spec.site.signIn` or --sign-in, or name a token with --token env:NAME|file:PATH, then run `landform webhooks',
    ],
  ])('to %s suggest the next step', async (_what, args, expected) => {
    const site = await answeringSite(json({ error: { code: 499, message: 'x', details: null } }))
    const confirmed = ['--confirm', `${roads}@${site.host}`]
    const { exitCode, host } = await landform([roads, '--url', site.url, ...args, ...confirmed])
    expect(exitCode).toBe(77)
    expect(host.err()).toContain(expected)
  })
})

describe('versions', () => {
  test.each([
    ['10.9.1', 6, 0],
    ['11.1', 0, 1],
  ] as const)('at %s the exit code is %i', async (version, expected, received) => {
    const args = [roads, ...token, '--service-version', version, '--confirm', `${roads}@HOST`]
    const said = await onEmulator(args, { version })
    expect([said.exitCode, said.received]).toEqual([expected, received])
  })
})

test('the second interrupt ends the process at once, while its one request is in flight', async () => {
  const arrived = new AbortController()
  const site = await answeringSite(() => {
    arrived.abort()
    return []
  }, three)
  const args = [roads, '--url', site.url, '--confirm', `${roads}@${site.host}`]
  const child = spawn(process.execPath, [landformProgram, 'webhooks', 'delete-all', ...args], {
    env: { ...process.env, CI: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said.replaceAll(/\s+/g, ' ').endsWith('list the webhooks of the service in the site '))
      child.kill('SIGINT')
  })
  if (!arrived.signal.aborted) await once(arrived.signal, 'abort')
  child.kill('SIGINT')
  expect(await ended).toEqual([null, 'SIGINT'])
  expect(site.posts().length).toBe(1)
})
