import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../src/cli/run.js'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { fakeHost } from '../../support/fake-host.js'
import { listSchemaErrors } from '../../support/schema-errors.js'
import { someSecrets } from '../../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'
import { virtualClock } from '../../support/virtual-clock.js'

const clock = virtualClock()
let folder: string
let emulator: Emulator
const inFolder = (name: string) => join(folder, name)
beforeEach(async () => {
  folder = await temporaryFolder()
  emulator = await startEmulator({ now: clock.now, wait: clock.sleep })
  const text = readFileSync('examples/quickstart.yaml', 'utf8')
  writeFileSync(inFolder('site.yaml'), text.replace(/https:.*admin/, emulator.url))
  cpSync('examples/licenses', inFolder('licenses'), { recursive: true })
})
afterEach(async () => {
  await emulator.close()
  await removeTemporaryFolders()
})

async function landform(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const host = { ...fakeHost({ environment }), clock }
  return { exitCode: await run(args, host), out: host.out(), err: host.err() }
}
const plan = (environment: Readonly<Record<string, string>>, ...options: readonly string[]) =>
  landform(['plan', inFolder('site.yaml'), ...options], environment)
const saved = () => ['--out', inFolder('plan.json')]

describe('a plan that would create an organization', () => {
  test.each([
    ['a password that is too short', 'Ab1', 65, 'administrator/password'],
    ['a password without a digit', 'correct-horse-battery', 65, 'administrator/password'],
    ['a password that a CI system did not fill in', '$(adminPassword1)', 65, 'secret/malformed'],
    ['an encrypted password', 'U2FsdGVkX1+bWFkZSB1cCBmb3IgYW4gZXhhbXBsZQ==', 65, 'secret/malformed'],
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

  test('warns of what the service may refuse', async () => {
    const { exitCode, err } = await plan({ ...someSecrets, LANDFORM_ADMIN_PASSWORD: 'Correcthorse1' })
    expect([exitCode, err]).toEqual([0, expect.stringContaining('administrator/password-plain')])
  })

  test('names what is not here once, in every format, and says nothing where all is here', async () => {
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

  test('is the same plan wherever its secrets are', async () => {
    expect(await plan({}, ...saved())).toMatchObject({ exitCode: 0 })
    const apply = ['apply', inFolder('plan.json'), '--yes']
    expect(await landform(apply, someSecrets)).toMatchObject({ exitCode: 0 })
    const again = await plan({})
    expect([again.exitCode, again.out]).toEqual([0, expect.not.stringContaining('Not checked here')])
  })

  test('offline reads no secret, and so names all', async () => {
    const { exitCode, out } = await plan({ ...someSecrets, LANDFORM_ADMIN_PASSWORD: 'Ab1' }, '--offline')
    expect(exitCode).toBe(0)
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'Not checked here: LANDFORM_ADMIN_PASSWORD, LANDFORM_SECURITY_ANSWER, LANDFORM_TOKEN.',
    )
  })
})

test('the plans of many sites say it, too', async () => {
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
