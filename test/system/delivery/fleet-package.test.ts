import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { startActor } from '../../proofs/fleet/actor.js'
import { until } from '../../proofs/fleet/rollout.js'
import { aFleet } from '../../support/a-fleet.js'
import { root } from '../../support/manifests.js'
import { postgres, postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { runProgram } from '../../support/program.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'
import { fleetLock, linkDependencies, packedComplaints, packedInto, tarEntries } from './packed.js'

const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const built = 'packages/fleet/dist'
const needs = Object.keys(fleetLock.packages).filter(path => path !== '')

let tarballs: readonly string[] = []
let packages = ''
const entries = () => tarEntries(readFileSync(tarballs[1] ?? ''))
const file = (name: string) =>
  entries()
    .find(({ path }) => path === `package/${name}`)
    ?.body.toString() ?? ''

beforeAll(async () => {
  const place = await temporaryFolder()
  tarballs = await packedInto(place)
  packages = join(place, 'node_modules')
  for (const [at, name] of ['landform', '@landform/fleet'].entries()) {
    mkdirSync(join(packages, name), { recursive: true })
    const words = ['-xzf', tarballs[at] ?? '', '-C', join(packages, name), '--strip-components=1']
    expect(await runProgram('tar', words)).toMatchObject({ code: 0 })
  }
  // No other packages of this project are there.
  linkDependencies(place)
})
test('the package for fleets contains one bundle, its components and licenses, and nothing about the packing machine', () => {
  expect(
    entries()
      .map(({ path }) => path)
      .sort(),
  ).toEqual([
    'package/LICENSE',
    'package/README.md',
    'package/dist/THIRD-PARTY-NOTICES.txt',
    'package/dist/index.cjs',
    'package/dist/sbom.cdx.json',
    'package/package.json',
  ])
  expect(packedComplaints(entries(), [root])).toEqual([])
})

test('it is small: 1 MB to download', () => {
  expect(statSync(tarballs[1] ?? '').size).toBeLessThan(1_000_000)
})

test('it depends on an exact version of the engine, on the database driver, and on the program of its own version', () => {
  const manifest = JSON.parse(file('package.json'))
  const { version } = readJson('package.json')
  expect(manifest).toMatchObject({
    version,
    dependencies: { '@dbos-inc/dbos-sdk': expect.stringMatching(/^\d+\.\d+\.\d+$/), pg: expect.any(String) },
    peerDependencies: { landform: version },
    publishConfig: { access: 'public' },
  })
  for (const field of ['private', 'scripts', 'devDependencies', 'workspaces'])
    expect(manifest).not.toHaveProperty(field)
})

test('its bundle requires only these, and Node', () => {
  const wanted = [...file('dist/index.cjs').matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name)
  const asked = Object.keys(JSON.parse(file('package.json')).dependencies)
  // undici loads it, for a cache that Landform does not use, only if Node has it (from 22 on).
  const later = ['node:sqlite']
  const packageOf = (name: string) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ''
  const others = wanted.filter(name => !isBuiltin(name) && !later.includes(name)).map(packageOf)
  expect([...new Set(others)].sort()).toEqual(asked.sort())
})

test('an image installs exactly the tested packages', () => {
  const { packages: locked } = readJson('package-lock.json')
  for (const path of needs) expect(fleetLock.packages[path]).toEqual(locked[path])
  for (const path of needs)
    for (const name of Object.keys(fleetLock.packages[path]?.dependencies ?? {}))
      expect(needs.some(one => one.endsWith(`node_modules/${name}`))).toBe(true)
  const { version, dependencies } = readJson('packages/fleet/package.json')
  expect(readJson(`${built}/locked/package.json`)).toMatchObject({ version, dependencies, private: true })
})

test('the program next to it loads it, and reports a missing setting of the fleet', async () => {
  const program = join(packages, 'landform/dist/bin/landform.cjs')
  const env = { PATH: process.env['PATH'] }
  const words = [program, 'fleet', 'status']
  const { code, stderr } = await runProgram(process.execPath, words, { cwd: packages, env })
  expect([code, stderr]).toEqual([66, expect.stringContaining('LANDFORM_DATABASE_URL')])
})

describeWhere(postgresIsHere, postgresPackages)('the content of the packages', () => {
  test('is sufficient for a fleet: three sites are submitted, applied by a worker, and done', async () => {
    const [server, sites] = await Promise.all([postgres(), aFleet(3)])
    const program = join(packages, 'landform/dist/bin/landform.cjs')
    const environment = { ...someSecrets, LANDFORM_DATABASE_URL: await server.freshDatabase() }
    const fleet = (...words: readonly string[]) =>
      runProgram(process.execPath, [program, 'fleet', ...words], {
        cwd: sites.folder,
        env: { PATH: process.env['PATH'], ...environment },
      })
    const words = ['fleet', 'worker', '--name', 'one', '--folder', sites.folder, '--poll-interval', '50ms']
    const logFile = join(packages, 'worker.log')
    expect(await fleet('submit', sites.folder, '--yes')).toMatchObject({ code: 0 })
    const worker = startActor({ name: 'one', folder: packages, environment, words, logFile, program })
    try {
      const ended = async () => (await worker.printed()).split('run-ended').length - 1
      await until('three runs have ended', 60_000, async () => (await ended()) === 3)
      const { code, stdout } = await fleet('status')
      expect([code, stdout]).toEqual([0, expect.stringContaining('3 sites: 3 done.')])
      expect([1, 2, 3].map(site => sites.counters(site).configure.accepted)).toEqual([1, 1, 1])
    } finally {
      worker.signal('SIGTERM')
      expect(await worker.ended).toBe(143)
    }
  })
})

test('publint reports nothing', async () => {
  const words = [join(root, 'node_modules/publint/src/cli.js'), 'run', '--strict', tarballs[1] ?? '']
  expect(await runProgram(process.execPath, words)).toMatchObject({ code: 0 })
})
