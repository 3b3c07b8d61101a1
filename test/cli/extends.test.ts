import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn } from '../support/files-in.js'
import { landform } from '../support/landform.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const base = readFileSync('examples/environments/base.yaml', 'utf8')
const site = (extended: string, spec = '') =>
  `apiVersion: landform.dev/v1\nkind: SiteDeployment\nextends: ${extended}\nmetadata: { name: gis }\n` +
  `spec:\n  site: { url: https://gis.example.org/admin }\n${spec}`

let folder = ''
const inFolder = (name: string) => join(folder, name)
const validate = (name: string, ...options: string[]) =>
  landform(['validate', inFolder(name), ...options], { folder, environment: someSecrets })
const rendered = async (name: string) =>
  JSON.parse((await landform(['render', inFolder(name), '--format', 'json'])).out)

beforeEach(async () => {
  folder = await temporaryFolder()
  filesIn(folder, { '.git/': '' })
})

describe('a mistake in a manifest of several files', () => {
  test('is shown in the file and line where it was written, with the chain of files that extend it', async () => {
    filesIn(folder, {
      'base.yaml': base.replace('storageClass: gp3', 'storageClass: GP3'),
      'region.yaml': 'extends: base.yaml\n',
      'envs/site.yaml': site('../region.yaml'),
    })
    const { exitCode, out } = await validate('envs/site.yaml')
    expect(exitCode).toBe(65)
    expect(out).toMatch(/^base\.yaml:24:53 {2}error .*`GP3`/)
    expect(out).toContain('> 24 |     RELATIONAL_PRIMARY: { size: 16Gi, storageClass: GP3,')
    expect(out).toMatch(
      /note: extended here \(region\.yaml:1:10\)\n {2}note: extended here \(envs\/site\.yaml:3:10\)\n/,
    )
  })

  test('names the value that it replaces, and the file that it was merged with', async () => {
    filesIn(folder, {
      'base.yaml': base,
      'site.yaml': site('base.yaml', '  logLevel: LOUD\n  volumes: { DISK: { size: 1Gi } }\n  profile: x\n'),
    })
    const { out } = await validate('site.yaml')
    expect(out).toMatch(
      /^site\.yaml:7:13 .* log\/level$[\s\S]*?^ {2}note: overrides this \(base\.yaml:21:3\)$/m,
    )
    expect(out).toMatch(/^site\.yaml:9:12 [\s\S]*?^ {2}note: overrides this \(base\.yaml:21:3\)$/m)
  })

  test('names these places in JSON and SARIF as well', async () => {
    filesIn(folder, { 'base.yaml': base, 'site.yaml': site('base.yaml', '  logLevel: LOUD\n') })
    const document = JSON.parse((await validate('site.yaml', '--format', 'json')).out)
    expect(listSchemaErrors('validation', document)).toEqual([])
    expect(document.diagnostics[0]).toMatchObject({
      file: 'site.yaml',
      related: [{ message: 'overrides this', file: 'base.yaml', range: { start: { line: 22, column: 3 } } }],
    })
    const sarif = JSON.parse((await validate('site.yaml', '--format', 'sarif')).out)
    expect(sarif.runs[0].results[0].relatedLocations).toMatchObject([
      { physicalLocation: { region: { startLine: 22 } } },
    ])
  })

  test.each([
    ['that is not YAML', 'a: [\n', /^base\.yaml:\d+:\d+ {2}error .*yaml\/syntax$/m],
    ['with a duplicate key', 'a: 1\na: 2\n', /^base\.yaml:2:1 {2}error .*yaml\/duplicate-key$/m],
  ])('in a base %s is shown in the base', async (_, text, expected) => {
    filesIn(folder, { 'base.yaml': text, 'site.yaml': site('base.yaml') })
    const { exitCode, out } = await validate('site.yaml')
    expect(exitCode).toBe(65)
    expect(out).toMatch(expected)
    expect(out).toContain('note: extended here (site.yaml:3:10)')
  })
})

describe('the result of several files', () => {
  test('suggests the nearest word of three layers, without what a layer removed', async () => {
    filesIn(folder, {
      'base.yaml': base,
      'region.yaml':
        'extends: base.yaml\nspec:\n  logLevel: null\n  profile: standard-availability\n' +
        '  volumes: { BLOB: { size: 64Gi, storageClass: slow } }\n' +
        '  administrator: { password: { file: secrets/password } }\n',
      'site.yaml': site(
        'region.yaml',
        '  volumes: { BLOB: { size: 99Gi } }\n' +
          '  dataStores: [{ clientPath: /data/imagery, info: { fileServerHost: other } }]\n',
      ),
    })
    const { spec } = await rendered('site.yaml')
    expect(spec.volumes.BLOB).toMatchObject({
      size: '99Gi',
      storageClass: 'slow',
      labels: { 'arcgis/app': 'ozone' },
    })
    expect(spec.profile).toBe('standard-availability')
    expect(spec).not.toHaveProperty('logLevel')
    expect(spec.administrator.password).toEqual({ file: 'secrets/password' })
    expect(spec.dataStores).toMatchObject([
      {
        clientPath: '/data/imagery',
        type: 'folder',
        info: { fileServerHost: 'other', fileServerType: 'NFS' },
      },
    ])
  })

  test('resolves every path from the folder of the file that contains it', async () => {
    filesIn(folder, {
      'shared/base.yaml': base
        .replace('licenses/site.json', 'lic.json')
        .replace('{ env: LANDFORM_TOKEN }', '{ file: token }'),
      'shared/lic.json': '{}',
      'shared/token': 'abc',
      'shared/more/region.yaml': 'extends: ../base.yaml\n',
      'envs/site.yaml': site('../shared/more/region.yaml', '  administrator: { password: { file: pw } }\n'),
      'envs/pw': 'Correct-horse-1',
    })
    expect((await validate('envs/site.yaml', '--check-secrets')).exitCode).toBe(0)
    filesIn(folder, { 'envs/pw': '' })
    const { exitCode, out } = await validate('envs/site.yaml', '--check-secrets')
    expect(exitCode).toBe(65)
    expect(out).toMatch(/^envs\/site\.yaml:7:\d+ .*`pw`.* secret\/malformed$/m)
  })

  test('is the same through a link to a folder, where `..` leads elsewhere than in the text', async () => {
    filesIn(folder, {
      'a/base.yaml': base.replace('logLevel: DEBUG', 'logLevel: LOUD'),
      'a/licenses/site.json': '{}',
      'a/b/site.yaml': site('../base.yaml'),
    })
    symlinkSync('a/b', inFolder('link'))
    const { exitCode, out } = await validate('link/site.yaml', '--check-secrets')
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^a\/base\.yaml:22:13 {2}warning/)
    expect((await validate('link')).out).toContain('1 file, 0 errors, 1 warning')
  })

  test('determines the plan: another base leads to another plan', async () => {
    filesIn(folder, { 'base.yaml': base, 'licenses/site.json': '{}', 'site.yaml': site('base.yaml') })
    const bound = async () => {
      const args = ['plan', '--emulate', inFolder('site.yaml'), '--format', 'json']
      return JSON.parse((await landform(args, { folder })).out).binds
    }
    const before = await bound()
    filesIn(folder, { 'base.yaml': `${base}# a comment\n` })
    const after = await bound()
    expect(after).not.toEqual(before)
    expect({ ...after, files: before.files, origin: before.origin }).toEqual(before)
  })
})

describe('a file that cannot be extended', () => {
  const outside = () => join(folder, 'outside.yaml')

  test.each<readonly [string, number, string, string, () => void]>([
    ['is missing', 66, '../base.yaml', 'extends/missing', () => {}],
    [
      'is missing in the base of a base',
      66,
      'middle.yaml',
      'extends/missing',
      () => filesIn(folder, { 'repo/envs/middle.yaml': 'extends: gone.yaml\n' }),
    ],
    ['is itself', 65, 'site.yaml', 'extends/circle', () => {}],
    [
      'leads back to itself by a link',
      65,
      'again.yaml',
      'extends/circle',
      () => symlinkSync('site.yaml', inFolder('repo/envs/again.yaml')),
    ],
    ['lies outside the repository', 65, '../../outside.yaml', 'extends/unusable', () => {}],
    ['would lie outside the repository if it existed', 65, '../../gone.yaml', 'extends/unusable', () => {}],
    [
      'is a link out of the repository',
      65,
      'link.yaml',
      'extends/unusable',
      () => symlinkSync(outside(), inFolder('repo/envs/link.yaml')),
    ],
    [
      'lies in a linked folder outside the repository',
      65,
      'linked/outside.yaml',
      'extends/unusable',
      () => symlinkSync(folder, inFolder('repo/envs/linked')),
    ],
    ['has an absolute path', 65, '/etc/hostname', 'extends/path', () => {}],
    [
      'is a pipe',
      65,
      'pipe.yaml',
      'extends/unusable',
      () => spawnSync('mkfifo', [inFolder('repo/envs/pipe.yaml')]),
    ],
    ['is a folder', 65, '../envs', 'extends/unusable', () => {}],
    [
      'is too large',
      65,
      'large.yaml',
      'extends/unusable',
      () => filesIn(folder, { 'repo/envs/large.yaml': '#'.repeat(2 ** 21) }),
    ],
  ])('that %s ends the run with %i', async (_, expected, path, code, make) => {
    filesIn(folder, { 'repo/.git/': '', 'outside.yaml': base, 'repo/envs/site.yaml': site(path) })
    make()
    const { exitCode, out } = await validate('repo/envs/site.yaml')
    expect(exitCode).toBe(expected)
    expect(out).toContain(` ${code}\n`)
    expect(out).not.toContain('16Gi')
    expect((await landform(['render', inFolder('repo/envs/site.yaml')])).exitCode).toBe(expected)
  })

  test('is the eighth file, but not the seventh', async () => {
    for (const at of [1, 2, 3, 4, 5, 6, 7])
      filesIn(folder, { [`${at}.yaml`]: at === 7 ? base : `extends: ${at + 1}.yaml\n` })
    filesIn(folder, { 'site.yaml': site('1.yaml'), 'longer.yaml': 'extends: site.yaml\n' })
    expect((await validate('site.yaml')).exitCode).toBe(0)
    const { exitCode, out } = await validate('longer.yaml')
    expect(exitCode).toBe(65)
    expect(out).toContain('extends/too-deep')
    expect(out.match(/note: extended here/g)).toHaveLength(7)
  })

  test('lies above a manifest outside a repository', async () => {
    const alone = await temporaryFolder()
    filesIn(alone, { 'base.yaml': base, 'envs/site.yaml': site('../base.yaml') })
    expect((await landform(['validate', join(alone, 'envs/site.yaml')])).exitCode).toBe(65)
    mkdirSync(join(alone, '.git'))
    expect((await landform(['validate', join(alone, 'envs/site.yaml')])).exitCode).toBe(0)
  })
})
