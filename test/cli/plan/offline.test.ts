import { channel } from 'node:diagnostics_channel'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { planFormats } from '../../../src/cli/command-options.js'
import { run } from '../../../src/cli/run.js'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { fakeHost } from '../../support/fake-host.js'
import { fileDigests } from '../../support/file-digests.js'
import { listSchemaErrors } from '../../support/schema-errors.js'
import { someSecrets } from '../../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'
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
let manifest: string
let emulator: Emulator
beforeEach(async () => {
  folder = await temporaryFolder()
  manifest = join(folder, 'site.yaml')
  emulator = await startEmulator({ now: clock.now, wait: clock.sleep })
  const text = readFileSync('examples/quickstart.yaml', 'utf8')
  writeFileSync(manifest, text.replace(/https:.*admin/, emulator.url))
  cpSync('examples/licenses', join(folder, 'licenses'), { recursive: true })
})
afterEach(async () => {
  await emulator.close()
  await removeTemporaryFolders()
})

async function landform(...args: readonly string[]) {
  const { environment, asked } = watchedEnvironment(someSecrets)
  const host = { ...fakeHost({ environment }), clock }
  const exitCode = await run(args, host)
  const secrets = Object.keys(someSecrets).filter(name => asked.has(name))
  return { exitCode, out: host.out(), err: host.err(), secrets }
}
async function offline(...args: readonly string[]) {
  const before = sent
  const ended = await landform('plan', manifest, '--offline', ...args)
  expect({ sent: sent - before, secrets: ended.secrets }).toEqual({ sent: 0, secrets: [] })
  return ended
}
const applied = () => landform('apply', manifest, '--yes')
const edit = (from: string, to: string) =>
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(from, to))

describe('a plan that looks at no site', () => {
  test('of which nothing is kept takes it for a new one, needs no license, and leaves nothing behind', async () => {
    rmSync(join(folder, 'licenses'), { recursive: true })
    const before = fileDigests(folder)
    const { exitCode, out } = await offline('--detailed-exitcode')
    expect(exitCode).toBe(2)
    expect(out).toMatch(/^The site was not observed: no apply is recorded here, so it is assumed not to be /m)
    expect(out).toMatch(/^Plan: 1 to create, 1 to update, 0 to resume, 0 unchanged\.$/m)
    expect(fileDigests(folder)).toEqual(before)
  })

  test('goes according to the last recorded apply, and finds an edit that nothing can carry out', async () => {
    expect(await applied()).toMatchObject({ exitCode: 0 })
    const same = await offline('--detailed-exitcode')
    expect(same).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('according to the last recorded apply'),
    })
    edit('30Gi', '60Gi')
    expect(await offline()).toMatchObject({ exitCode: 6, err: expect.stringContaining('REST_METRICS_API') })
  })

  test('never sends a request again that may be under way', async () => {
    await landform('apply', manifest, '--yes', '--detach')
    const { out } = await offline()
    expect(out).toMatch(/is being configured\.$/m)
    expect(out).toMatch(/^Plan: 0 to create, /m)
  })

  test.each(planFormats.filter(format => format !== 'gitlab'))('says so as %s', async format => {
    const { exitCode, out } = await offline('--format', format, '--verbose')
    expect(exitCode).toBe(0)
    if (format === 'json') expect(listSchemaErrors('plan', JSON.parse(out))).toEqual([])
    if (format === 'json') expect(JSON.parse(out).binds.site).toMatchObject({ state: 'not-observed' })
    else
      expect(out).toMatch(
        /The site was not observed: [\s\S]*cannot be applied, because the site was not observed/,
      )
    expect(out).not.toContain('valid until')
  })

  test('is never applied, though it can be printed to a file', async () => {
    const file = join(folder, 'plan.json')
    await offline('--format', `json=${file}`)
    const refused = await landform('apply', file, '--yes')
    expect(refused).toMatchObject({
      exitCode: 6,
      err: expect.stringContaining('it was made without observing the site'),
    })
    expect(emulator.world().counters.configure.received).toBe(0)
  })

  test.each([['--out', 'plan.json'], ['--emulate'], ['--state', 'git:origin']])(
    'goes not together with %s',
    async (...words) => {
      const { exitCode, err } = await landform('plan', manifest, '--offline', ...words)
      expect(exitCode).toBe(64)
      expect(err).toMatch(/--offline.* exclude each other: /)
    },
  )

  test('still goes to no other origin than those that the caller allows', async () => {
    const { exitCode } = await offline('--allow-origin', 'https://gis.example.org')
    expect(exitCode).toBe(78)
  })
})
