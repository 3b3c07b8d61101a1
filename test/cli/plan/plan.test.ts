import { channel } from 'node:diagnostics_channel'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { planFormats } from '../../../src/cli/command-options.js'
import { run } from '../../../src/cli/run.js'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { anEmulator } from '../../support/emulator.js'
import { writeExample } from '../../support/example-copy.js'
import { fakeHost } from '../../support/fake-host.js'
import { listSchemaErrors } from '../../support/schema-errors.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { virtualClock } from '../../support/virtual-clock.js'
import { watchedEnvironment } from '../../support/watched-environment.js'

let sent = 0
const onRequest = () => {
  sent += 1
}
beforeAll(() => channel('undici:request:create').subscribe(onRequest))
afterAll(() => channel('undici:request:create').unsubscribe(onRequest))

const clock = virtualClock()
let folder: string
let emulator: Emulator
const inFolder = (name: string) => join(folder, name)
beforeEach(async () => {
  folder = await temporaryFolder()
  emulator = await anEmulator({ now: clock.now, wait: clock.sleep })
  writeExample(folder, { url: emulator.url })
})

async function landform(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const watched = watchedEnvironment(environment)
  const host = { ...fakeHost({ environment: watched.environment }), clock }
  const exitCode = await run(args, host)
  const secrets = Object.keys(someSecrets).filter(name => watched.asked.has(name))
  return { exitCode, out: host.out(), err: host.err(), secrets }
}
const plan = (environment: Readonly<Record<string, string>>, ...options: readonly string[]) =>
  landform(['plan', inFolder('site.yaml'), ...options], environment)
const saved = () => ['--out', inFolder('plan.json')]

/** The text of every file below a folder, and an entry for every folder. */
function textsBelow(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries.map(entry => {
      const path = join(entry.parentPath, entry.name)
      return [path, entry.isFile() ? readFileSync(path, 'utf8') : 'folder']
    }),
  )
}

describe('a plan that would create an organization', () => {
  test.each([
    ['a password that is too short', 'Ab1', 65, 'administrator/password'],
    ['a password that a CI system did not fill in', '$(adminPassword1)', 65, 'secret/malformed'],
    ['a password that is empty', '', 66, 'secret/missing'],
  ])('is not made with %s', async (_, password, code, finding) => {
    const { exitCode, out, err } = await plan(
      { ...someSecrets, LANDFORM_ADMIN_PASSWORD: password },
      ...saved(),
    )
    expect([exitCode, out, existsSync(inFolder('plan.json'))]).toEqual([code, '', false])
    expect(err).toContain(finding)
    if (password !== '') expect(err).not.toContain(password)
  })

  test('is not made without its license', async () => {
    rmSync(inFolder('licenses'), { recursive: true })
    const { exitCode, err } = await plan(someSecrets, ...saved())
    expect([exitCode, existsSync(inFolder('plan.json'))]).toEqual([66, false])
    expect(err).toContain('file/missing')
  })

  test.each([['plan'], ['validate', '--check-secrets'], ['apply', '--emulate', '--progress', 'lines']])(
    'causes a warning about values that the service may reject: %s %s',
    async (...words) => {
      writeFileSync(inFolder('licenses/site.json'), 'INCREMENT')
      const environment = { ...someSecrets, LANDFORM_ADMIN_PASSWORD: 'Correcthorse1' }
      const { exitCode, out, err } = await landform([...words, inFolder('site.yaml')], environment)
      const [before = ''] = `${out}${err}`.split('submission intent recorded')
      expect(exitCode).toBe(0)
      for (const code of ['administrator/password-plain', 'license/not-json']) expect(before).toContain(code)
      expect(out + err).not.toContain('Correcthorse1')
    },
  )

  test('reads no password in a rehearsal', async () => {
    const { exitCode, err } = await plan({ LANDFORM_ADMIN_PASSWORD: 'Correcthorse1' }, '--emulate')
    expect([exitCode, err]).toEqual([0, expect.not.stringContaining('administrator/')])
  })

  test('lists missing secrets once, in every format, and only if there are any', async () => {
    const { LANDFORM_SECURITY_ANSWER, LANDFORM_TOKEN } = someSecrets
    const some = { LANDFORM_SECURITY_ANSWER, LANDFORM_TOKEN } as Readonly<Record<string, string>>
    const formats = ['text', 'markdown', 'html', 'json']
    const targets = (end: string) => formats.flatMap(name => ['--format', `${name}=${inFolder(name)}.${end}`])
    expect(await plan(some, ...targets('some'), ...saved())).toMatchObject({ exitCode: 0 })
    expect(await plan(someSecrets, ...targets('all'))).toMatchObject({ exitCode: 0 })
    const read = (name: string) => readFileSync(inFolder(name), 'utf8')
    for (const name of ['text', 'markdown', 'html']) {
      const words = read(`${name}.some`).replaceAll(/<[^>]+>|`/g, '')
      expect(words.match(/Not checked here: LANDFORM_ADMIN_PASSWORD\. /g)).toHaveLength(1)
      expect(read(`${name}.all`)).not.toContain('Not checked here')
    }
    const document = JSON.parse(read('json.some'))
    expect(document.notChecked).toEqual([
      { pointer: '/spec/administrator/password', env: 'LANDFORM_ADMIN_PASSWORD' },
    ])
    expect(listSchemaErrors('plan', document)).toEqual([])
    expect(JSON.parse(read('json.all'))).not.toHaveProperty('notChecked')
  })

  test('has the same id wherever its secrets come from', async () => {
    expect(await plan({}, ...saved())).toMatchObject({ exitCode: 0 })
    const apply = ['apply', inFolder('plan.json'), '--yes']
    expect(await landform(apply, someSecrets)).toMatchObject({ exitCode: 0 })
    const again = await plan({})
    expect([again.exitCode, again.out]).toEqual([0, expect.not.stringContaining('Not checked here')])
  })
})

test('the plans of many sites list missing secrets as well', async () => {
  writeFileSync(
    inFolder('b.yaml'),
    readFileSync('examples/quickstart.yaml', 'utf8').replace('name: quickstart', 'name: b'),
  )
  const two = ['plan', inFolder('site.yaml'), inFolder('b.yaml'), '--offline']
  const { exitCode, out } = await landform(two)
  expect([exitCode, out.match(/Not checked here: /g)]).toEqual([
    0,
    ['Not checked here: ', 'Not checked here: '],
  ])
})

async function offline(...args: readonly string[]) {
  const before = sent
  const ended = await plan(someSecrets, '--offline', ...args)
  expect({ sent: sent - before, secrets: ended.secrets }).toEqual({ sent: 0, secrets: [] })
  return ended
}
const applied = () => landform(['apply', inFolder('site.yaml'), '--yes'], someSecrets)
const edit = (from: string, to: string) =>
  writeFileSync(inFolder('site.yaml'), readFileSync(inFolder('site.yaml'), 'utf8').replace(from, to))

describe('an offline plan', () => {
  test('without state assumes a new site, needs no license, and writes nothing', async () => {
    rmSync(inFolder('licenses'), { recursive: true })
    const before = textsBelow(folder)
    const { exitCode, out } = await offline('--detailed-exitcode')
    expect(exitCode).toBe(2)
    expect(out).toMatch(/^The site was not observed: no apply is recorded here, so it is assumed not to be /m)
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /Not checked here: LANDFORM_ADMIN_PASSWORD, LANDFORM_SECURITY_ANSWER, licenses.site.json, LANDFORM_TOKEN\./,
    )
    expect(out).toMatch(/^Plan: 1 to create, 1 to update, 0 to resume, 0 unchanged\.$/m)
    expect(textsBelow(folder)).toEqual(before)
  })

  test('compares with the last recorded apply, and finds an edit of an immutable field', async () => {
    expect(await applied()).toMatchObject({ exitCode: 0 })
    const same = await offline('--detailed-exitcode')
    expect(same).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('according to the last recorded apply'),
    })
    edit('30Gi', '60Gi')
    expect(await offline()).toMatchObject({ exitCode: 6, err: expect.stringContaining('REST_METRICS_API') })
  })

  test('plans no second request for one in progress', async () => {
    await landform(['apply', inFolder('site.yaml'), '--yes', '--detach'], someSecrets)
    const { out } = await offline()
    expect(out).toMatch(/is being configured\.$/m)
    expect(out).toMatch(/^Plan: 0 to create, /m)
  })

  test.each(planFormats.filter(format => format !== 'gitlab'))(
    'says that the site was not observed, as %s',
    async format => {
      const { exitCode, out } = await offline('--format', format, '--verbose')
      expect(exitCode).toBe(0)
      if (format === 'json') expect(listSchemaErrors('plan', JSON.parse(out))).toEqual([])
      if (format === 'json') expect(JSON.parse(out).binds.site).toMatchObject({ state: 'not-observed' })
      else
        expect(out).toMatch(
          /The site was not observed: [\s\S]*cannot be applied, because the site was not observed/,
        )
      expect(out).not.toContain('valid until')
    },
  )

  test('cannot be applied, but can be printed to a file', async () => {
    const file = inFolder('plan.json')
    await offline('--format', `json=${file}`)
    const refused = await landform(['apply', file, '--yes'], someSecrets)
    expect(refused).toMatchObject({
      exitCode: 6,
      err: expect.stringContaining('it was made without observing the site'),
    })
    expect(emulator.world().counters.configure.received).toBe(0)
  })

  test.each([['--out', 'plan.json'], ['--emulate'], ['--state', 'git:origin']])(
    'excludes %s',
    async (...words) => {
      const { exitCode, err } = await plan(someSecrets, '--offline', ...words)
      expect(exitCode).toBe(64)
      expect(err).toMatch(/--offline.* exclude each other: /)
    },
  )

  test('still checks the allowed origins', async () => {
    const { exitCode } = await offline('--allow-origin', 'https://gis.example.org')
    expect(exitCode).toBe(78)
  })
})
