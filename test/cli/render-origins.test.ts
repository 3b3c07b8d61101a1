import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { anEmulator } from '../support/emulator.js'
import { fakeHost } from '../support/fake-host.js'
import { filesIn } from '../support/files-in.js'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const quickstart = 'examples/quickstart.yaml'
const production = 'examples/environments/production/site.yaml'
const base = 'examples/environments/base.yaml'

/** The lines of `--origins`, without the note about a record that is elsewhere. */
async function origins(path: string, file = quickstart, folder?: string): Promise<readonly string[]> {
  const words = ['render', file, '--quiet', '--origins', ...(path === '' ? [] : [path])]
  const { exitCode, out, err } = await landform(words, folder === undefined ? {} : { folder })
  expect([path, exitCode, err]).toEqual([path, 0, ''])
  expect(out).toMatch(/[^\n]\n$/)
  return out.slice(0, -1).split('\n')
}

describe('a value of a manifest with a base', () => {
  test('that is a map has the position of each member, and the value that each replaces', async () => {
    expect(await origins('spec.volumes.INDEXER', production)).toEqual([
      'spec.volumes.INDEXER:',
      `  # replaces 16Gi from ${base}:29`,
      `  size: 150Gi # ${production}:15`,
      `  storageClass: gp3 # ${base}:29`,
      '  labels:',
      `    arcgis/tier: storage # ${base}:29`,
      `    arcgis/app: elasticsearch # ${base}:29`,
      '  # provisioningType: DYNAMIC by default',
    ])
  })

  test('has the same text in the whole manifest as by itself', async () => {
    const whole = (await origins('', production)).join('\n')
    for (const path of ['spec.profile', 'spec.logLevel']) {
      const alone = await origins(path, production)
      expect(alone.length).toBeGreaterThan(1)
      expect(whole).toContain(alone.map(line => `  ${line.replace('spec.', '')}`).join('\n'))
    }
  })

  test('has no default profile next to the two that replace it', async () => {
    const folder = await temporaryFolder()
    const text = readFileSync(quickstart, 'utf8')
    const profiles = `deploymentProfiles:
    availability: { name: standard, parameter: a }
    performance: { name: standard, parameter: b }`
    filesIn(folder, {
      'one.yaml': text.replace(/^ {2}profile: .*$/m, ''),
      'two.yaml': text
        .replace(/^ {2}profile: .*$/m, `  ${profiles}`)
        .replace(/version: .*/, 'version: "12.1"'),
    })
    const said = async (file: string) => (await origins('', join(folder, file), folder)).join('\n')
    expect(await said('one.yaml')).toContain('# profile: standard-availability by default')
    expect(await said('two.yaml')).not.toContain('# profile:')
  })

  test('with three files has all of them, including values that the middle one removes', async () => {
    const folder = await temporaryFolder()
    const text = readFileSync(quickstart, 'utf8').replace('licenses/site.json', 'site.json')
    filesIn(folder, {
      'base.yaml': text.replace('  profile:', '  logLevel: INFO\n  folders: [/a]\n  profile:'),
      'middle.yaml':
        'extends: base.yaml\nspec:\n  profile: enhanced-availability\n  logLevel: null\n  folders: [/b]\n',
      'site.yaml':
        'apiVersion: landform.dev/v1\nkind: SiteDeployment\nextends: middle.yaml\nspec:\n  profile: null\n  folders: [/c]\n',
    })
    const said = (path: string) => origins(path, join(folder, 'site.yaml'), folder)
    const line = (words: string) => 1 + text.split('\n').findIndex(one => one.includes(words))
    expect(await said('spec.folders')).toEqual([
      'spec.folders:',
      '  # replaces middle.yaml:5',
      `  # replaces base.yaml:${line('profile:') + 1}`,
      '  - /c # site.yaml:6',
    ])
    expect(await said('spec.logLevel')).toEqual([
      '# spec.logLevel: not set',
      '#   removed by middle.yaml:4',
      `#   replaces INFO from base.yaml:${line('profile:')}`,
    ])
    expect(await said('spec.profile')).toEqual([
      '# spec.profile: standard-availability by default',
      '#   removed by site.yaml:5',
      '#   replaces enhanced-availability from middle.yaml:3',
      `#   replaces development from base.yaml:${line('profile:') + 2}`,
    ])
  })

  test('is never a secret in plain text in the base, which no check finds under a reference', async () => {
    const folder = await temporaryFolder()
    const text = readFileSync(quickstart, 'utf8').replace('licenses/site.json', 'site.json')
    filesIn(folder, {
      'base.yaml': text.replace(/password: .*/, 'password: hunter2'),
      'site.yaml':
        'extends: base.yaml\nspec: { administrator: { password: { env: LANDFORM_ADMIN_PASSWORD } } }\n',
    })
    for (const path of ['', 'spec.administrator', 'spec.administrator.password']) {
      const said = (await origins(path, join(folder, 'site.yaml'), folder)).join('\n')
      expect(said).toMatch(/# replaces base\.yaml:\d+\n +env: LANDFORM_ADMIN_PASSWORD # site\.yaml:2$/m)
      expect(said).not.toContain('hunter2')
    }
  })
})

describe('a field that is not written', () => {
  test('has the known default', async () => {
    expect(await origins('spec.volumes.BLOB.provisioningType')).toEqual([
      '# spec.volumes.BLOB.provisioningType: DYNAMIC by default',
    ])
  })

  test.each([
    'spec.logLevel',
    'spec.extra.newThing',
    'spec.systemProperties.a.b',
    'spec.cloudStorage[0].cloudServices[0].type',
  ])('%s is not set if no default is known, or its parent is missing', async path => {
    expect(await origins(path)).toEqual([`# ${path}: not set`])
  })
})

describe('a path', () => {
  test.each([
    ['upgrade.podPlacementPolicy.tolerations[0].key', 'tolerations[0].key: dedicated'],
    ['spec.upgrade.podPlacementPolicy.tolerations.0.key', 'tolerations[0].key: dedicated'],
    ['/spec/volumes/BLOB/labels/arcgis~1tier', 'spec.volumes.BLOB.labels.arcgis/tier: storage'],
    ['volumes.BLOB.labels.arcgis/tier', 'spec.volumes.BLOB.labels.arcgis/tier: storage'],
    ['spec', 'spec:'],
  ])('may be written as %s', async (path, line) => {
    expect((await origins(path))[0]).toContain(line)
  })

  test('may have a name with dots', async () => {
    const input = readFileSync(quickstart, 'utf8').replace(
      '  profile:',
      '  systemProperties: { arcgis.com.map.url: x }\n  profile:',
    )
    const words = ['render', '-', '--origins', 'systemProperties.arcgis.com.map.url']
    const { exitCode, out } = await landform(words, { input })
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(/^spec\.systemProperties\.arcgis\.com\.map\.url: x # <stdin>:\d+\n$/),
    ])
  })

  test.each([
    ['spec.porfile', 'did you mean spec.profile?'],
    ['volumes.BLOB.sise', 'did you mean spec.volumes.BLOB.size?'],
    ['nonsense', 'name one such as spec.profile'],
    ['.', 'did you mean spec?'],
    ['__proto__', 'name one'],
    ['spec.administrator.username.x', ''],
  ])('such as %j ends with 64 and a hint', async (path, hint) => {
    const { exitCode, out, err } = await landform(['render', quickstart, '--origins', path])
    expect([exitCode, out, err]).toEqual([64, '', expect.stringContaining(hint)])
  })

  test('that is the manifest itself is an error that names it', async () => {
    const { exitCode, out, err } = await landform(['render', '--origins', quickstart])
    expect([exitCode, out]).toEqual([64, ''])
    expect(err.replaceAll(/\s+/g, ' ')).toContain(`"${quickstart}" was read as the value of --origins`)
  })
})

test('nothing is shown of an invalid manifest', async () => {
  const { exitCode, out } = await landform([
    'render',
    'test/invalid/volume/missing-component.yaml',
    '--origins',
    'spec.profile',
  ])
  expect([exitCode, out]).toEqual([65, ''])
})

describe('the last apply', () => {
  async function applied() {
    const folder = await temporaryFolder()
    const { clock } = fakeHost()
    const seen: string[] = []
    const emulator = await anEmulator({
      now: clock.now,
      inspect: ({ received }) => seen.push(received.request.method),
    })
    const write = (text: string) =>
      filesIn(folder, {
        'site.yaml': text.replace(/url: .*/, `url: ${emulator.url}`),
        'licenses/site.json': '{}',
      })
    const command = async (...words: readonly string[]) => {
      const host = { ...fakeHost({ environment: someSecrets }), clock }
      const exitCode = await run(words, host)
      return { exitCode, out: host.out(), err: host.err() }
    }
    const text = readFileSync(quickstart, 'utf8')
    write(text)
    const file = join(folder, 'site.yaml')
    expect((await command('apply', file, '--yes')).exitCode).toBe(0)
    seen.length = 0
    const show = async (...path: readonly string[]) => {
      const { exitCode, out, err } = await command('render', file, '--origins', ...path)
      expect([exitCode, err]).toEqual([0, ''])
      return out.replaceAll(`${folder}/`, '')
    }
    return { seen, text, write, show, command, file, folder }
  }

  test('is on every value that it sent, without a request to the site', async () => {
    const { seen, show } = await applied()
    const lines = (await show()).split('\n').filter(line => / # site\.yaml:\d+/.test(line))
    const before = lines.slice(
      0,
      lines.findIndex(line => line.includes('licenses/site.json')),
    )
    expect(before.filter(line => line.includes('applied'))).toEqual([])
    expect(lines.slice(before.length).filter(line => !line.endsWith('; applied on 2026-01-02'))).toEqual([])
    expect(lines.length).toBeGreaterThan(40)
    expect(seen).toEqual([])
  })

  test('has another value than an edited manifest, or the only one', async () => {
    const { text, write, show } = await applied()
    write(
      text
        .replace(/(BLOB: +\{ size: )\d+Gi/, '$164Gi')
        .replace('  profile: development\n', '  logLevel: DEBUG\n'),
    )
    expect(await show('spec.volumes.BLOB.size')).toMatch(
      /^# applied as 32Gi on 2026-01-02\nspec\.volumes\.BLOB\.size: 64Gi # site\.yaml:\d+\n$/,
    )
    expect(await show('spec.logLevel')).toMatch(/: DEBUG # site\.yaml:\d+; not applied on 2026-01-02\n/)
    expect(await show('spec.profile')).toBe(
      '# spec.profile: standard-availability by default\n#   applied as development on 2026-01-02\n',
    )
  })

  test('that cannot be read ends with 74', async () => {
    const { command, file, folder } = await applied()
    const kept = join(folder, '.landform')
    for (const name of readdirSync(kept, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.json')) writeFileSync(join(kept, name), '{"formatVersion":1')
    const { exitCode, out } = await command('render', file, '--origins')
    expect([exitCode, out]).toEqual([74, ''])
    expect((await command('render', file)).exitCode).toBe(0)
  })

  test('is read from --state; a location that needs a network is read only if named', async () => {
    const { text, write, command, file, folder } = await applied()
    const { out } = await command(
      'render',
      file,
      '--origins',
      'spec.profile',
      '--state',
      `file:${folder}/none`,
    )
    expect(out).not.toContain('applied')
    write(text.replace('spec:\n', 'spec:\n  state: git:origin\n'))
    const { exitCode, out: local, err } = await command('render', file, '--origins', 'spec.profile')
    expect([exitCode, local]).toEqual([0, expect.not.stringContaining('applied')])
    expect(err.replaceAll(/\s+/g, ' ')).toBe(
      'note: the record of the last apply is in git:origin, which was not read: add --state git:origin ',
    )
  })
})
