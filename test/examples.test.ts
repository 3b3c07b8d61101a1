import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { run } from '../src/cli/run.js'
import { credentialTypeNames } from '../src/contract/cloud.js'
import type { Emulator } from '../src/emulator/emulated-site.js'
import { startEmulator } from '../src/emulator/server.js'
import { loadWithBases } from '../src/library/read-bases.js'
import { loadManifest } from '../src/manifest/load-manifest.js'
import { hasChanges } from '../src/plan/plan.js'
import { rehearsalSource, secretSource } from '../src/secrets/secret-source.js'
import { applied, planFor, portsFor } from './support/applying.js'
import { fakeHost } from './support/fake-host.js'
import { exampleManifest, root } from './support/manifests.js'
import { listSchemaErrors } from './support/schema-errors.js'
import { virtualClock } from './support/virtual-clock.js'

const names = readdirSync(join(root, 'examples'))
  .filter(file => file.endsWith('.yaml'))
  .map(file => file.replace('.yaml', ''))

describe.each(names)('the example %s', name => {
  let clock = virtualClock()
  let emulator: Emulator

  beforeEach(async () => {
    clock = virtualClock()
    emulator = await startEmulator({ now: clock.now, version: exampleManifest(name).site.version })
  })
  afterEach(() => emulator.close())

  test('is valid without a diagnostic', () => {
    const source = { name, bytes: readFileSync(join(root, 'examples', `${name}.yaml`)) }
    expect(loadManifest(source).diagnostics).toEqual([])
  })

  test('names its schema for editors', () => {
    const [first] = readFileSync(join(root, 'examples', `${name}.yaml`), 'utf8').split('\n')
    expect(first).toBe('# yaml-language-server: $schema=../schemas/deployment.schema.json')
  })

  test('plans, applies, and then plans no change', async () => {
    const manifest = exampleManifest(name)
    const secrets = rehearsalSource(secretSource({}, join(root, 'examples')), () => 'abc123')
    const ports = portsFor(emulator.url, { clock, secrets })
    const first = await planFor(emulator.url, manifest, ports)
    expect(first.actions[0]).toMatchObject({ operation: 'configure', change: 'create' })
    const { receipt } = await applied(first, ports)
    expect(receipt.outcome).toEqual({ kind: 'done' })
    expect(emulator.world().counters.configure).toEqual({ received: 1, accepted: 1 })
    expect(hasChanges(await planFor(emulator.url, manifest, ports))).toBe(false)
  })
})

const environments = join('examples', 'environments')

test('the environments follow the policy next to them, which is not empty', async () => {
  const host = fakeHost()
  expect(await run(['validate', environments], host)).toBe(0)
  expect(host.out()).toContain('3 files, 0 errors, 0 warnings')
  const strict = fakeHost()
  const policy = join(environments, 'landform.policy.yaml')
  expect(await run(['validate', join('examples', 'quickstart.yaml'), '--policy', policy], strict)).toBe(0)
  const elsewhere = join('test', 'invalid', 'log', 'level.yaml')
  expect(await run(['validate', elsewhere, '--policy', policy], strict)).toBe(78)
})

describe.each(['development', 'production'])('the environment %s', name => {
  const file = join(environments, name, 'site.yaml')

  test('is valid without a diagnostic, with its base', async () => {
    const { sources, loaded } = await loadWithBases({ name: file, bytes: readFileSync(file) }, file)
    expect(sources.map(source => source.name)).toEqual([file, join(environments, 'base.yaml')])
    expect(loaded.diagnostics).toEqual([])
    expect(loaded.ok && loaded.value.name).toBe(name)
  })

  test('is not a manifest without its base', () => {
    const text = readFileSync(file, 'utf8').replace('extends: ../base.yaml', '')
    expect(loadManifest({ name: file, bytes: Buffer.from(text) }).ok).toBe(false)
  })

  test('can be applied', async () => {
    const host = fakeHost()
    expect(await run(['apply', '--emulate', file], host)).toBe(0)
    expect(host.out()).toContain('Success')
  })
})

test.each(['base.yaml', join('development', 'site.yaml'), join('production', 'site.yaml')])(
  'the file environments/%s names its schema for editors, and matches it',
  name => {
    const file = join(root, environments, name)
    const text = readFileSync(file, 'utf8')
    const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? []
    expect(join(dirname(file), schema)).toBe(join(root, 'schemas', 'overlay.schema.json'))
    expect(listSchemaErrors('overlay', parse(text))).toEqual([])
  },
)

test('the folder of examples is valid as a whole; a base by itself and files that are not manifests are skipped', async () => {
  const host = fakeHost()
  expect(await run(['validate', 'examples'], host)).toBe(0)
  // The files for CI systems are not manifests.
  expect(host.out()).toMatch(
    new RegExp(`^${names.length + 3} files, 0 errors, 0 warnings \\(\\d+ other files skipped`),
  )
})

test('every example has a test, and all tests pass', async () => {
  const host = fakeHost()
  expect(await run(['test', 'examples', '--format', 'json'], host)).toBe(0)
  const { files, summary } = JSON.parse(host.out()) as TestReport
  expect(listSchemaErrors('test-report', { files, summary, formatVersion: 1 })).toEqual([])
  expect(summary.failed).toBe(0)
  const tested = files.map(({ file }) => file.replace(/^.*[/](?=[^/]+$)/, '').replace('.test.yaml', ''))
  expect(names.filter(name => !tested.includes(name))).toEqual([])
  expect(files.flatMap(one => one.tests.flatMap(({ warnings }) => warnings))).toEqual([])
})

interface TestReport {
  readonly files: readonly {
    readonly file: string
    readonly tests: readonly { readonly warnings: readonly unknown[] }[]
  }[]
  readonly summary: { readonly failed: number }
}

const testFiles = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' }).filter(file =>
  file.endsWith('.test.yaml'),
)

test.each(testFiles)('the tests in %s name their schema for editors, and match it', name => {
  const file = join(root, 'examples', name)
  const text = readFileSync(file, 'utf8')
  const [, schema = ''] = /^# yaml-language-server: [$]schema=(.+)/.exec(text) ?? []
  expect(join(dirname(file), schema)).toBe(join(root, 'schemas', 'test.schema.json'))
  expect(listSchemaErrors('test', parse(text))).toEqual([])
})

test('the examples show every credential type', () => {
  const shown = names.flatMap(name => exampleManifest(name).organization.cloudStorage ?? [])
  expect(new Set(shown.map(({ credential }) => credential.type))).toEqual(new Set(credentialTypeNames))
})
