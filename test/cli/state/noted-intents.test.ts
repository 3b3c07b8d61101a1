import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emulatorHeader } from '../../../src/contract/responses.js'
import type { Emulator, EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { anAuthority } from '../../support/certificate.js'
import { aFault, anEmulator } from '../../support/emulator.js'
import { writeExample } from '../../support/example-copy.js'
import { connectProxy, type HttpDouble, httpDouble } from '../../support/http-double.js'
import { landform } from '../../support/landform.js'
import { listSchemaErrors } from '../../support/schema-errors.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const authority = anAuthority('An authority of our own')
/** Both names lead to the same site. */
const names = ['gis.example.org', 'maps.example.org']
let emulator: Emulator
let front: HttpDouble
let proxy: HttpDouble
let folder = ''
let requests = 0
let environment: Readonly<Record<string, string>> = {}

/** A site whose address is not on this machine, and whose response to the first `configure` is lost. */
beforeEach(async () => {
  folder = await temporaryFolder()
  requests = 0
  emulator = await anEmulator({
    stageMs: 0,
    faults: [aFault('configure@1=drop-before')],
    inspect: ({ received }) => {
      if (received.request.path?.endsWith('/configure')) requests += 1
    },
  })
  const { pathname } = new URL(emulator.url)
  const certificate = authority.issue('gis.example.org', { names })
  front = await httpDouble([{ reply: { forward: emulator.url } }], certificate)
  proxy = await connectProxy({ toPort: front.port })
  environment = { ...someSecrets, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, HOME: join(folder, 'home') }
  mkdirSync(join(folder, 'home'))
  mkdirSync(join(folder, 'tls'))
  writeFileSync(join(folder, 'tls/authority.pem'), authority.cert)
  writeExample(folder, {
    url: `https://gis.example.org${pathname}`,
    edit: text => text.replace(/(\n +)url: .*/, '$&$1tls: { caFile: tls/authority.pem }'),
  })
})

const run = (...args: readonly string[]) => landform(args, { environment, folder })
const file = () => join(folder, 'site.yaml')
const place = (name: string) => `file:${join(folder, name)}`
const rename = (from: string, to: string) =>
  writeFileSync(file(), readFileSync(file(), 'utf8').replaceAll(from, to))
const readdressed = () => {
  rename('name: quickstart', 'name: production')
  rename('gis.example.org', 'maps.example.org')
}
const readNotes = () => {
  const notes = join(folder, 'home/.local/state/landform/intents')
  return readdirSync(notes)
    .map(name => readFileSync(join(notes, name), 'utf8'))
    .join('\n')
}
const forget = () => rmSync(join(folder, 'home'), { recursive: true })
const apply = (name: string) => run('apply', file(), '--yes', '--timeout', '1s', '--state', place(name))

test('a request with an open outcome is not sent with other state on the same machine', async () => {
  expect((await apply('one')).exitCode).toBe(4)
  const { exitCode, err } = await apply('two')
  expect([exitCode, requests]).toEqual([78, 1])
  expect(err).toContain(`a submission intent is recorded on this machine with state in file:one, `)
  expect(err).toMatch(/^ {2}2\. if it is lost and .*`rm home\/.*\/intents\/gis\.example\.org-\w+\.json`$/m)
  expect((await apply('one')).exitCode).toBe(4)
  expect((await run('state', 'move', place('one'), place('two'), file())).exitCode).toBe(0)
  expect((await apply('two')).exitCode).toBe(4)
  expect(requests).toBe(1)
})

describe('a manifest whose name and address both changed', () => {
  test.each(['on another machine', 'with other state'])(
    'does not start over while its first request is open, %s',
    async where => {
      expect((await apply('one')).exitCode).toBe(4)
      readdressed()
      if (where === 'on another machine') forget()
      const state = where === 'with other state' ? 'two' : 'one'
      const planned = await run('plan', file(), '--state', place(state))
      const { exitCode, err } = await apply(state)
      expect([planned.exitCode, exitCode, requests]).toEqual([78, 78, 1])
      expect(err).toContain('this manifest declared the site `quickstart` at https://gis.example.org')
      expect(err).toMatch(
        /if it is the same site: `landform state move https:\S+gis\S+ https:\S+maps\S+ \S+ --state \S+`/,
      )
    },
  )

  test('continues once its state is moved', async () => {
    expect((await apply('one')).exitCode).toBe(4)
    const address = /url: (.*)/.exec(readFileSync(file(), 'utf8'))?.[1] ?? ''
    readdressed()
    const moved = address.replace('gis.', 'maps.')
    const { exitCode } = await run('state', 'move', address, moved, file(), '--state', place('one'))
    expect([exitCode, (await apply('one')).exitCode, requests]).toEqual([0, 4, 1])
  })

  test('is a new site in a separate file', async () => {
    expect((await apply('one')).exitCode).toBe(4)
    readdressed()
    cpSync(file(), join(folder, 'new.yaml'))
    await run('apply', join(folder, 'new.yaml'), '--yes', '--timeout', '1s', '--state', place('one'))
    expect(requests).toBe(2)
  })
})

test('an intent is listed until its outcome is known', async () => {
  expect((await apply('one')).exitCode).toBe(4)
  const { out } = await run('state', 'show')
  expect(out).toMatch(
    /^quickstart {2}https:\/\/gis\.example\.org\S+\nrecorded {3}\S+; its outcome is not known yet\n/,
  )
  expect(out).toMatch(/^kept in {4}file:one\nmanifest {3}site\.yaml\nnote {7}home\/\S+\.json$/m)
  const listed = JSON.parse((await run('state', 'show', '--format', 'json')).out)
  expect(listSchemaErrors('open-intents', listed)).toEqual([])
  expect(listed.intents).toHaveLength(1)
  for (const value of ['siteadmin', 'admin@example.org', 'gp3']) expect(readNotes()).not.toContain(value)
  const [, nonce = ''] = /--intent (\w+)/.exec((await apply('one')).err) ?? []
  const discard = ['state', 'discard-intent', file(), '--intent', nonce, '--wait', '--state', place('one')]
  expect((await run(...discard)).exitCode).toBe(0)
  expect((await run('state', 'show')).out).toBe('no open submission intents on this machine\n')
  expect((await apply('one')).exitCode).toBe(0)
  expect(readNotes()).toBe('')
})

/** A site behind a forwarded port, without the emulator's header. */
async function aSite(options: EmulatorOptions) {
  const site = await anEmulator(options)
  const way = await httpDouble([{ reply: { forward: site.url, without: emulatorHeader } }])
  return way.at(site.url)
}

describe('a site on this machine', () => {
  /** Replaces the server that received the request by another one at its address, and deletes the state. */
  async function startOver(
    first: (port: number) => Promise<{ readonly url: string; close(): Promise<void> }>,
  ) {
    const one = await first(0)
    writeExample(folder, { url: one.url, state: 'file:one' })
    expect((await apply('one')).exitCode).toBe(4)
    await one.close()
    rmSync(join(folder, 'one'), { recursive: true })
    const { port, pathname } = new URL(one.url)
    await anEmulator({ stageMs: 0, port: Number(port), basePath: pathname })
    return apply('one')
  }
  const lostOnes = { faults: [aFault('configure@1=drop-before')], basePath: '/arcgis/admin' }

  test('that was an emulator is another site after a restart', async () => {
    expect((await startOver(port => anEmulator({ ...lostOnes, port }))).exitCode).toBe(0)
    expect(readNotes()).toBe('')
  })
})

test('a note contains no secret, and remains after its state is deleted', async () => {
  expect((await apply('one')).exitCode).toBe(4)
  for (const secret of Object.values(someSecrets)) expect(readNotes()).not.toContain(secret)
  rmSync(join(folder, 'one'), { recursive: true })
  expect((await apply('one')).exitCode).toBe(78)
  expect(requests).toBe(1)
})

test('a machine without a folder for its notes warns before the request, also with --quiet', async () => {
  writeExample(folder, { url: await aSite({ stageMs: 0 }), state: 'file:fresh' })
  const events = join(folder, 'events')
  const words = ['apply', file(), '--yes', '--quiet', '--events', events]
  const done = await landform(words, { environment: { ...someSecrets, HOME: '' }, folder })
  expect(done.exitCode).toBe(0)
  expect(done.err).toMatch(/warning: the submission intent could not be noted on this machine/)
  const types = readFileSync(events, 'utf8')
    .split('\n')
    .map(line => /"type":"([a-z-]+)"/.exec(line)?.[1])
  const [told, sent] = [types.indexOf('intent-not-noted'), types.indexOf('configure-accepted')]
  expect([told > 0, told < sent]).toEqual([true, true])
})
