import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import type { FieldOptions } from '../../src/emulator/field/field-world.js'
import { anEmulator } from '../support/emulator.js'
import { writeExample } from '../support/example-copy.js'
import { http, httpDouble, type Reply } from '../support/http-double.js'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

let emulator: Emulator
const licenseText = 'canary-license-0123456789-abcdefghijklmnopqrstuvwxyz-9876543210'

async function startSite(field: FieldOptions = {}) {
  const more = { securityFrom: 'never', anyToken: true, ...field } as const
  emulator = await anEmulator({ stageMs: 1, fidelity: 'field', field: more })
}

/** Applies the quickstart example with a license file. */
async function apply(args: readonly string[] = [], { url = emulator.url, userType = 'creatorUT' } = {}) {
  const folder = await temporaryFolder()
  const file = writeExample(folder, { edit: text => text.replace('creatorUT', userType) })
  writeFileSync(join(folder, 'licenses/site.json'), JSON.stringify({ key: licenseText }))
  const kept = join(folder, 'kept')
  const events = join(folder, 'events.ndjson')
  const words = ['--url', url, '--state', `file:${kept}`, '--events', events, '--yes', ...args]
  const ended = await landform(['apply', file, ...words], { environment: someSecrets })
  const types = readFileSync(events, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).type)
  return { ...ended, types, written: `${everythingIn(kept)}${readFileSync(events, 'utf8')}` }
}

const everythingIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())
    .map(path => readFileSync(path, 'utf8'))
    .join('\n')

const configured = () => emulator.world().counters.configure

test('a rejected license ends the run before the submission intent', async () => {
  await startSite({ licenseRefusal: 'The license has expired.' })
  const { exitCode, err, types } = await apply()
  expect(exitCode).toBe(5)
  expect(configured().received).toBe(0)
  expect(types).not.toContain('intent-written')
  expect(err).toMatch(
    /error: the service refused the license before configure: .*has expired.*; nothing was sent/,
  )
  expect(err).toMatch(/fix `spec.license.file`, then run `landform apply /)
  expect(err).toMatch(/`landform apply .* --no-license-check`/)
})

test('a rejection that repeats the license does not show it', async () => {
  await startSite({ licenseRefusal: `The license ${licenseText} has expired.` })
  const { exitCode, out, err, written } = await apply()
  expect([exitCode, configured().received]).toEqual([5, 0])
  expect(err).toContain('the service refused the license')
  expect(`${out}${err}${written}`).not.toContain(licenseText.slice(15, 40))
})

test('--no-license-check skips the check', async () => {
  await startSite({ licenseRefusal: 'The license has expired.' })
  expect((await apply(['--no-license-check'])).exitCode).toBe(0)
  expect(configured()).toMatchObject({ received: 1, accepted: 1 })
})

test('a user type that the license does not list is a warning', async () => {
  await startSite()
  const { exitCode, err, types } = await apply([], { userType: 'someOtherUT' })
  expect(exitCode).toBe(0)
  expect(err).toContain("does not list the administrator's user type someOtherUT")
  expect(types.indexOf('user-type-unlisted')).toBe(types.indexOf('intent-written') - 1)
  expect(configured()).toMatchObject({ received: 1, accepted: 1 })
})

test('a license that lists the user type is not mentioned', async () => {
  await startSite()
  const { exitCode, types } = await apply()
  expect([exitCode, types.includes('user-type-unlisted')]).toEqual([0, false])
})

/** A policy file that requires the user type of the administrator in the license. */
async function aPolicy() {
  const file = join(await temporaryFolder(), 'policy.yaml')
  const plans = { licenseListsUserType: true }
  writeFileSync(file, JSON.stringify({ apiVersion: 'landform.dev/v1', kind: 'SitePolicy', plans }))
  return file
}

test.each([[[]], [['--no-license-check']]])(
  'if a policy requires the user type, a license without it ends the run, also with %j',
  async more => {
    await startSite()
    const { exitCode, err, types } = await apply(['--policy', await aPolicy(), ...more], {
      userType: 'someOtherUT',
    })
    expect([exitCode, configured().received]).toEqual([78, 0])
    expect(types).not.toContain('intent-written')
    expect(err.replace(/\s+/g, ' ')).toMatch(
      /error: the service does not list the administrator's user type someOtherUT .*, and a policy requires it; nothing was sent/,
    )
    expect(err).toContain('`spec.administrator.userType`')
  },
)

test('a policy that requires the user type accepts a listed one, and a site that does not answer', async () => {
  await startSite()
  const policy = ['--policy', await aPolicy()]
  expect((await apply(policy)).exitCode).toBe(0)
  await startSite()
  const { url, asked } = await startFront(http(404, 'not found'))
  expect((await apply(policy, { url, userType: 'someOtherUT' })).exitCode).toBe(0)
  expect([asked().length, configured().accepted]).toEqual([1, 1])
})

/** Forwards everything to the emulator except the license check, or with `blocksAll` every POST, which gets `reply`. */
async function startFront(reply: Reply, blocksAll = false) {
  const path = /validateLicense/
  const front = await httpDouble([
    blocksAll ? { method: 'POST', reply } : { path, reply },
    { reply: { forward: emulator.url } },
  ])
  const asked = () => front.posts().filter(request => path.test(request.path))
  return { url: front.at(emulator.url), asked, posts: front.posts }
}

const html = 'content-type: text/html\r\n'
const error = (code: number) => JSON.stringify({ error: { code, message: 'No.', details: [] } })

test.each<readonly [what: string, reply: Reply]>([
  ['HTTP 404', http(404, 'not found')],
  ['an error body that requires a token', http(200, error(499))],
  ['a server error', http(500, error(500))],
  ['a list that is partly understood', http(200, '{"MyEsri":{"definitions":{"userTypes":[{"id":"x"},{}]}}}')],
  ['a closed connection', { close: 'destroy' }],
])('%s proves nothing, and configure is sent once', async (_what, answer) => {
  await startSite({ licenseRefusal: 'Not asked.' })
  const { url, asked } = await startFront(answer)
  const { exitCode, err, types } = await apply([], { url })
  expect([exitCode, err.includes('license')]).toEqual([0, false])
  expect(types).not.toContain('user-type-unlisted')
  expect(asked()).toHaveLength(1)
  expect(asked()[0]?.body).toContain(licenseText)
  expect(asked()[0]?.body).toContain('listAdministratorUserTypes')
  expect(asked()[0]?.body).not.toContain(someSecrets.LANDFORM_ADMIN_PASSWORD)
  expect(configured()).toMatchObject({ received: 1, accepted: 1 })
})

const page = (title: string) => `<html><head><title>${title}</title></head><body></body></html>`

test.each<readonly [what: string, exitCode: number, reply: Reply]>([
  ['a 403 page', 77, http(403, page('403 Forbidden'), html)],
  ['a permanent redirect', 78, http(308, '', 'location: https://gis.example.org/elsewhere\r\n')],
  ['a 413 page', 75, http(413, page('413 Request Entity Too Large'), html)],
  ['a login page', 77, http(200, page('Sign in'), html)],
  ['an error page of a gateway', 75, http(502, page('502 Bad Gateway'), html)],
])('%s in front of POST requests ends the run before the submission intent', async (_what, code, answer) => {
  await startSite()
  const { url, asked, posts } = await startFront(answer, true)
  const { exitCode, err, types, written } = await apply([], { url })
  expect([exitCode, asked().length, posts().length, configured().received]).toEqual([code, 1, 1, 0])
  expect(types).not.toContain('intent-written')
  expect(written).not.toContain('"intent"')
  expect(err).toContain('error: the license check before configure did not reach the service: ')
  expect(err).toMatch(
    /if they do, and only the license check is blocked: `landform apply .* --no-license-check`/,
  )
  const { types: typesWithout } = await apply(['--no-license-check', '--timeout', '1ms'], { url })
  expect(typesWithout).toContain('intent-written')
  expect([asked().length, posts().length]).toEqual([1, 2])
})
