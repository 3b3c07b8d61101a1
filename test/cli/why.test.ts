import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { appendSegment, type JsonPointer } from '../../src/diagnostics/pointer.js'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { startEmulator } from '../../src/emulator/server.js'
import { loadWithBases } from '../../src/library/read-bases.js'
import { mergeSources } from '../../src/manifest/render-manifest.js'
import type { JsonValue } from '../../src/schema/json-schema.js'
import { isAtLength } from '../support/cases.js'
import { fakeHost } from '../support/fake-host.js'
import { landform } from '../support/landform.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const running: Emulator[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(emulator => emulator.close()))
  await removeTemporaryFolders()
})

const quickstart = 'examples/quickstart.yaml'
const production = 'examples/environments/production/site.yaml'
const why = (path: string, file = quickstart, ...more: readonly string[]) =>
  landform(['why', path, file, ...more])
const whyJson = async (path: string, file = quickstart, ...more: readonly string[]) => {
  const { exitCode, out, err } = await why(path, file, '--format', 'json', ...more)
  expect([path, exitCode, err]).toEqual([path, 0, ''])
  const document = JSON.parse(out)
  expect(listSchemaErrors('why', document)).toEqual([])
  return document
}

function leavesOf(value: JsonValue, at: JsonPointer = ''): readonly (readonly [JsonPointer, JsonValue])[] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return members.length === 0
    ? [[at, value]]
    : members.flatMap(([key, one]) => leavesOf(one, appendSegment(at, key)))
}

const examples = [
  ...readdirSync('examples')
    .filter(name => name.endsWith('.yaml'))
    .map(name => join('examples', name)),
  production,
  'examples/environments/development/site.yaml',
]

describe.each(examples)('in %s', file => {
  test('every leaf has a why, which leads to where it is written', async () => {
    const { sources } = await loadWithBases({ name: file, bytes: readFileSync(file) }, file)
    const leaves = leavesOf(mergeSources(sources).value)
    expect(leaves.length).toBeGreaterThan(30)
    // In the short form some: the examples begin at different ones, and have most leaves in common.
    const isDue = (at: number) => isAtLength || (at + examples.indexOf(file)) % 8 === 0
    for (const [pointer, value] of leaves.filter((_, at) => isDue(at))) {
      const found = await whyJson(pointer, file)
      expect([pointer, found.pointer, found.value]).toEqual([pointer, pointer, value])
      expect(found.origin.kind).toBe('written')
      const [nearest] = found.origin.layers
      expect(nearest.how).toBe('counts')
      const line = readFileSync(nearest.file, 'utf8').split('\n')[nearest.line - 1] ?? ''
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
      const from = line.slice(nearest.column - 1)
      // `spec.site.version` stands in quotes.
      expect([pointer, from.startsWith(text) || from.startsWith(`"${text}"`)]).toEqual([pointer, true])
    }
  })
})

describe('a value of a manifest with a base', () => {
  test('that is a merged map says with what, and where each member is from', async () => {
    const { origin, members } = await whyJson('spec.volumes.INDEXER', production)
    expect(origin.layers.map(({ how }: { how: string }) => how)).toEqual(['counts', 'merged'])
    expect(members).toMatchObject([
      { pointer: '/spec/volumes/INDEXER/size', value: '150Gi', file: production },
      { pointer: '/spec/volumes/INDEXER/storageClass', file: 'examples/environments/base.yaml' },
      { pointer: '/spec/volumes/INDEXER/labels', file: 'examples/environments/base.yaml' },
    ])
  })

  test('of three files says all of them, also what the middle one removes', async () => {
    const folder = await temporaryFolder()
    const text = readFileSync(quickstart, 'utf8').replace('licenses/site.json', 'site.json')
    const file = (name: string) => join(folder, name)
    writeFileSync(
      file('base.yaml'),
      text.replace('  profile:', '  logLevel: INFO\n  folders: [/a]\n  profile:'),
    )
    writeFileSync(
      file('middle.yaml'),
      'extends: base.yaml\nspec:\n  profile: enhanced-availability\n  logLevel: null\n  folders: [/b]\n',
    )
    writeFileSync(
      file('site.yaml'),
      'apiVersion: landform.dev/v1\nkind: SiteDeployment\nextends: middle.yaml\nspec:\n  profile: null\n  folders: [/c]\n',
    )
    const told = async (path: string) => {
      const { origin, value } = await whyJson(path, file('site.yaml'))
      const layers = origin.layers.map(
        ({ file: name, how, value: was }: { file: string; how: string; value: unknown }) => [
          name.slice(folder.length + 1),
          how,
          was,
        ],
      )
      return { kind: origin.kind, value, layers }
    }
    expect(await told('spec.folders')).toEqual({
      kind: 'written',
      value: ['/c'],
      layers: [
        ['site.yaml', 'counts', undefined],
        ['middle.yaml', 'replaced', ['/b']],
        ['base.yaml', 'replaced', ['/a']],
      ],
    })
    expect(await told('spec.logLevel')).toMatchObject({
      kind: 'not-set',
      layers: [
        ['middle.yaml', 'removes', undefined],
        ['base.yaml', 'replaced', 'INFO'],
      ],
    })
    expect(await told('spec.profile')).toMatchObject({
      kind: 'default',
      value: 'standard-availability',
      layers: [
        ['site.yaml', 'removes', undefined],
        ['middle.yaml', 'replaced', 'enhanced-availability'],
        ['base.yaml', 'replaced', 'development'],
      ],
    })
  })
})

describe('what is not written', () => {
  test('has the default that is shown, with its source', async () => {
    const { value, origin } = await whyJson('spec.volumes.BLOB.provisioningType')
    expect(value).toBe('DYNAMIC')
    expect(origin).toEqual({
      kind: 'default',
      source: 'Service §2.4; reported: deployment guides',
      layers: [],
    })
  })

  test.each([
    'spec.logLevel',
    'spec.extra.newThing',
    'spec.systemProperties.a.b',
    'spec.cloudStorage[0].cloudServices[0].type',
  ])('%s is nothing where no default is shown, or its part is not there', async path => {
    const { origin, value } = await whyJson(path)
    expect([origin, value]).toEqual([{ kind: 'not-set', layers: [] }, undefined])
  })
})

describe('a value says how it travels and what changes it', () => {
  test.each([
    ['spec.license.serverFile', 'configure serverLicenseFile', 'another-operation'],
    ['spec.administrator.password', 'configure password', 'another-operation'],
    ['spec.administrator.username', 'configure username', 'no-operation'],
    ['spec.systemProperties', 'configure systemProperties', 'another-operation'],
    ['spec.extra.newThing', 'configure newThing', 'no-operation'],
    ['spec.upgrade.podPlacementPolicy.tolerations[0].key', 'update upgradeConfig', 'update'],
    ['spec.site.token', 'update token', undefined],
    ['spec.site.url', undefined, undefined],
    ['metadata.name', undefined, undefined],
  ])('%s: %s, %s', async (path, carrier, later) => {
    const { carriers, changedLaterBy } = await whyJson(path)
    const [first] = carriers.map(
      (one: { operation: string; parameter: string }) => `${one.operation} ${one.parameter}`,
    )
    expect([first, changedLaterBy]).toEqual([carrier, later])
  })
})

describe('a path', () => {
  test.each([
    [
      'spec.upgrade.podPlacementPolicy.tolerations[0].key',
      '/spec/upgrade/podPlacementPolicy/tolerations/0/key',
    ],
    ['upgrade.podPlacementPolicy.tolerations.0.key', '/spec/upgrade/podPlacementPolicy/tolerations/0/key'],
    ['/spec/volumes/BLOB/labels/arcgis~1tier', '/spec/volumes/BLOB/labels/arcgis~1tier'],
    ['volumes.BLOB.labels.arcgis/tier', '/spec/volumes/BLOB/labels/arcgis~1tier'],
    ['spec', '/spec'],
  ])('may be written %s', async (path, pointer) => {
    expect((await whyJson(path)).pointer).toBe(pointer)
  })

  test('may have a name with dots', async () => {
    const input = readFileSync(quickstart, 'utf8').replace(
      '  profile:',
      '  systemProperties: { arcgis.com.map.url: x }\n  profile:',
    )
    const { exitCode, out } = await landform(['why', 'systemProperties.arcgis.com.map.url', '-'], { input })
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/^ {2}value {5}x$/m)])
  })

  test.each([
    ['spec.porfile', 'did you mean spec.profile?'],
    ['volumes.BLOB.sise', 'did you mean spec.volumes.BLOB.size?'],
    ['nonsense', 'name one such as spec.profile'],
    ['', 'did you mean spec?'],
    ['__proto__', 'name one'],
    ['spec.administrator.username.x', ''],
  ])('such as %j ends with 64 and a hint', async (path, hint) => {
    const { exitCode, out, err } = await why(path)
    expect([exitCode, out, err]).toEqual([64, '', expect.stringContaining(hint)])
  })
})

test('of an invalid manifest nothing is told', async () => {
  const { exitCode, out } = await why('spec.profile', 'test/invalid/volume/missing-component.yaml')
  expect([exitCode, out]).toEqual([65, ''])
})

describe('on a site', () => {
  async function atASite() {
    const { clock } = fakeHost()
    const seen: string[] = []
    const emulator = await startEmulator({
      now: clock.now,
      inspect: ({ received }) => seen.push(received.request.method),
    })
    running.push(emulator)
    const state = `file:${await temporaryFolder()}`
    const command = async (...words: readonly string[]) => {
      const host = { ...fakeHost({ environment: someSecrets }), clock }
      const exitCode = await run([...words, '--url', emulator.url, '--state', state], host)
      return { exitCode, out: host.out(), err: host.err() }
    }
    return { seen, command }
  }

  test('nothing is looked at without --live, and the record is told', async () => {
    const { seen, command } = await atASite()
    expect((await command('apply', quickstart, '--yes')).exitCode).toBe(0)
    seen.length = 0
    const { out } = await command('why', 'spec.volumes.BLOB.size', quickstart)
    expect(out).toMatch(/^ {2}recorded {2}32Gi, applied 2026-01-02T/m)
    expect(
      (await command('why', 'spec.upgrade.podPlacementPolicy.tolerations[0].key', quickstart)).out,
    ).toMatch(/^ {2}recorded {2}dedicated, applied 2026-01-02T/m)
    expect((await command('why', 'spec.logLevel', quickstart)).out).toMatch(
      /^ {2}recorded {2}nothing, applied/m,
    )
    expect(seen).toEqual([])
  })

  test('--live says what is known of it there, and only gets', async () => {
    const { seen, command } = await atASite()
    expect((await command('why', 'spec.profile', quickstart, '--live')).out).toContain(
      'site      not compared: it is not-configured',
    )
    await command('apply', quickstart, '--yes')
    seen.length = 0
    const { out } = await command('why', 'spec.volumes.BLOB', quickstart, '--live')
    expect(out).toMatch(/^ {2}site {6}volumes\.BLOB\.size: matches the apply of 2026-01-02$/m)
    expect((await command('why', 'administrator.password', quickstart, '--live')).out).toContain(
      'site      a secret: never read back',
    )
    expect(new Set(seen)).toEqual(new Set(['GET']))
  })

  test('a site that cannot be reached is told with --live only', async () => {
    const gone = ['--url', 'http://127.0.0.1:9/a']
    expect((await why('spec.profile', quickstart, ...gone)).exitCode).toBe(0)
    expect((await why('spec.profile', quickstart, ...gone, '--live')).exitCode).toBe(69)
  })
})
