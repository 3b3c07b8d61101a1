import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { filesIn } from '../support/files-in.js'
import { landform } from '../support/landform.js'
import { measuredRun } from '../support/measured-run.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const valid = readFileSync('examples/quickstart.yaml', 'utf8')
const broken = valid.replace('logLevel', 'x').replace('email: admin@example.org', 'email: nobody')
const loud = valid.replace('  profile:', '  logLevel: LOUD\n  profile:')
const base = readFileSync('examples/environments/base.yaml', 'utf8')
/** Returns the manifest with the address of another site. */
const other = (text: string) => text.replace(/gis(?=\.example\.org)|[\w-]+(?=\.example\.org)/, 'other')
const overlay = readFileSync('examples/environments/development/site.yaml', 'utf8')

let folder = ''
const inFolder = (name: string) => join(folder, name)
const validate = (files: readonly string[], ...options: string[]) =>
  landform(['validate', ...files.map(inFolder), ...options], { folder })
const document = async (files: readonly string[], ...options: string[]) =>
  JSON.parse((await validate(files, ...options, '--format', 'json')).out)

beforeEach(async () => {
  folder = await temporaryFolder()
})

describe('a folder', () => {
  test('is checked in the order of its names, without hidden and other files', async () => {
    filesIn(folder, {
      'b.yaml': broken,
      'a/z.yml': broken,
      'a.yaml': broken,
      'notes.txt': 'kind: SiteDeployment',
      'compose.yaml': 'services: {}\n',
      'values.yml': 'a: [\n',
      'named.yaml/inner.yaml': broken,
      '.hidden/site.yaml': broken,
      '.site.yaml': broken,
      'node_modules/package/site.yaml': broken,
    })
    const { exitCode, out } = await validate(['.'])
    expect(exitCode).toBe(65)
    expect(out.match(/^\S+(?=:\d+:\d+ )/gm)?.map(name => name.replace(/^\.\//, ''))).toEqual([
      'a.yaml',
      'a/z.yml',
      'b.yaml',
      'named.yaml/inner.yaml',
    ])
    expect(out).toContain('4 files, 4 errors, 0 warnings (2 other files skipped)\n')
  })

  test('reports files that are almost manifests', async () => {
    filesIn(folder, { 'a.yaml': 'apiVersion: landform.dev/v9\n', 'b.yaml': 'kind: SiteDeploymentt\n' })
    filesIn(folder, { 'c.yaml': 'x: 1\nextends : gone.yaml\n' })
    const { diagnostics } = await document(['.'])
    const found = diagnostics.map(({ file }: { file: string }) => file)
    expect([...new Set(found)]).toEqual(['a.yaml', 'b.yaml', 'c.yaml'])
  })

  test('reports a mistake in a base once, however many manifests extend it', async () => {
    const shared = { 'base.yaml': `apiVersion: landform.dev/v1\n${base.replace('DEBUG', 'LOUD')}` }
    filesIn(folder, {
      ...shared,
      '.git/': '',
      'a/site.yaml': overlay,
      'b/site.yaml': other(overlay).replace('name: development', 'name: other'),
    })
    const { diagnostics, summary } = await document(['.'])
    expect(diagnostics.map(({ code, file }: { code: string; file: string }) => [code, file])).toEqual([
      ['log/level', 'base.yaml'],
    ])
    expect(summary).toEqual({ files: 2, errors: 0, warnings: 1 })
    // A base is checked by itself if it is given by name.
    expect((await document(['.', 'base.yaml'])).summary.files).toBe(3)
  })

  test('reports two manifests for one site, and two sites with one name in one state location', async () => {
    const declared = (text: string) => text.replace('\nspec:\n', '\nspec:\n  state: git:origin\n')
    filesIn(folder, { 'a.yaml': declared(valid), 'b.yaml': valid, 'c.yaml': declared(other(valid)) })
    const { diagnostics, summary } = await document(['.'])
    const told = diagnostics.map((one: { code: string; file: string; message: string }) => [
      one.code,
      one.file,
      one.message,
    ])
    expect(told).toEqual([
      ['site/shared', 'b.yaml', '`a.yaml` has the same site URL'],
      ['state/shared', 'c.yaml', '`a.yaml` uses the same name `quickstart` in the same state location'],
    ])
    expect(summary).toMatchObject({ files: 3, errors: 2, warnings: 0 })
    expect((await validate(['.'])).exitCode).toBe(65)
  })

  test.each([
    [
      'an address in two spellings',
      (text: string) => text.replace('gis.example.org', 'GIS.example.org:443'),
      'site',
    ],
    [
      'one name in one state, spelled twice',
      (text: string) => other(text).replace('file:s', 'file:./s'),
      'state',
    ],
  ])('reports %s', async (_what, change, what) => {
    const declared = valid.replace('\nspec:\n', '\nspec:\n  state: file:s\n')
    filesIn(folder, { 'a.yaml': declared, 'b.yaml': change(declared) })
    const { diagnostics } = await document(['.'])
    expect(diagnostics.map(({ code }: { code: string }) => code)).toEqual([`${what}/shared`])
    const { exitCode, out } = await validate(['.'])
    expect([exitCode, out]).toEqual([65, expect.stringContaining(`${what}/shared`)])
  })

  test('with other YAML only fails: it is probably the wrong folder', async () => {
    filesIn(folder, { 'compose.yaml': 'services: {}\n', 'values.yml': 'a: 1\n' })
    const { exitCode, err } = await validate(['.'])
    expect([exitCode, err]).toEqual([66, 'error: no manifest found: 2 other files skipped\n'])
  })

  test('with valid manifests prints only their number and that of the skipped files', async () => {
    filesIn(folder, { 'a.yaml': valid, 'b.yaml': other(valid), 'c.yaml': 'x: 1\n' })
    expect(await validate(['.'])).toEqual({
      exitCode: 0,
      out: '2 files, 0 errors, 0 warnings (1 other file skipped)\n',
      err: '',
    })
  })

  test.each([
    ['UTF-16', 'b.yaml', Buffer.from(`\ufeff${valid}`, 'utf16le')],
    ['UTF-16 without a byte order mark', 'b.yml', Buffer.from(valid, 'utf16le')],
    ['Latin-1', 'b.yaml', Buffer.from(valid.replace('Site Administrator', 'Zo\u00eb'), 'latin1')],
    ['Latin-1, differently', 'b.yaml', Buffer.from('name: Zo\u00eb\n', 'latin1')],
    ['JSON in UTF-16', 'b.JSON', Buffer.from('{"a": 1}', 'utf16le')],
    ['a NUL character', 'b.yaml', `${valid}# \0\n`],
  ])('reports a file that cannot be decoded: %s', async (_, name, content) => {
    filesIn(folder, { 'a.yaml': valid })
    writeFileSync(inFolder(name), content)
    const { diagnostics, summary } = await document(['.'])
    expect(diagnostics).toMatchObject([{ code: 'yaml/not-text', severity: 'error', file: name }])
    expect(summary).toMatchObject({ files: 2, errors: 1 })
    expect((await validate(['.'])).exitCode).toBe(65)
  })

  test('does not count a license among the skipped files, even an encrypted one', async () => {
    const named = valid.replace('licenses/site.json', 'locked.json')
    filesIn(folder, { 'a.yaml': named })
    writeFileSync(inFolder('locked.json'), Buffer.from([0, 0x47, 0x49, 0x54, 0xff, 0xfe, 0x80]))
    const { diagnostics, summary } = await document(['.'])
    expect(diagnostics).toMatchObject([{ code: 'license/not-json', file: 'a.yaml' }])
    expect(summary).toEqual({ files: 1, errors: 0, warnings: 1 })
  })

  test('has its manifests in JSON checked, and other JSON files skipped', async () => {
    const inJson = (text: string) => JSON.stringify(parse(text), null, 2)
    filesIn(folder, {
      'a.json': inJson(broken),
      'b.json': inJson(valid.replace('SiteDeployment', 'SiteDeploymentt')),
      'c.json': '{"extends": "gone.yaml", "spec": {}}',
      'deployment.schema.json': readFileSync('schemas/deployment.schema.json', 'utf8'),
      'licenses/site.json': '{}',
      'tsconfig.json': '{"extends": "./base.json"}',
      'compose.yaml': 'services: {}\n',
    })
    const { diagnostics, summary } = await document(['.'])
    const found = diagnostics.map(({ file }: { file: string }) => file)
    expect([...new Set(found)]).toEqual(['a.json', 'b.json', 'c.json'])
    expect(summary).toMatchObject({ files: 3, skipped: 4 })
    const { out, err } = await validate(['.'], '-v')
    expect(out).toContain('(4 other files skipped)')
    expect(err).toBe(
      ['compose.yaml', 'deployment.schema.json', 'licenses/site.json', 'tsconfig.json']
        .map(name => `skipped ${name}\n`)
        .join(''),
    )
  })

  test.each([
    ['an empty folder', '.'],
    ['a folder without YAML', 'plain'],
    ['a pattern without matches', '*.yaml'],
  ])('without manifests ends with 66: %s', async (_, word) => {
    filesIn(folder, { 'plain/notes.txt': '', 'node_modules/site.yaml': valid })
    const { exitCode, err } = await validate([word])
    expect(exitCode).toBe(66)
    expect(err).toContain('no YAML or JSON file in')
  })
})

describe('a pattern', () => {
  test('stands for the files that match it', async () => {
    filesIn(folder, { 'a/site.yaml': valid, 'b/site.yaml': broken, 'b/more.yaml': broken, 'c.yaml': broken })
    expect((await validate(['*/site.yaml'])).out).toContain('2 files, 1 error,')
    expect((await validate(['{a,c}/*.yaml'])).out).toContain('1 file, 0 errors,')
  })

  test('is a file name if a file with exactly that name exists', async () => {
    filesIn(folder, { 'site[1].yaml': broken, 'site1.yaml': valid })
    expect((await validate(['site[1].yaml'])).exitCode).toBe(65)
  })
})

describe('several files', () => {
  test.each([
    ['twice', ['site.yaml', 'site.yaml']],
    ['with two spellings', ['site.yaml', 'x/../site.yaml', './site.yaml']],
    ['by name and through its folder', ['site.yaml', '.']],
    ['through its folder and by name', ['.', 'site.yaml']],
    ['through a pattern and its folder', ['*.yaml', '.']],
  ])('count once if the same file is given %s', async (_, words) => {
    filesIn(folder, { 'site.yaml': broken })
    const args = words.map(word => `${folder}/${word}`)
    expect((await landform(['validate', ...args])).out).toContain('1 file, 1 error, 0 warnings')
  })

  test('may include tests, which are skipped', async () => {
    filesIn(folder, { 'site.yaml': valid, 'site.test.yaml': 'kind: SiteTest\ntests: []\n' })
    expect(await validate(['site.test.yaml', 'site.yaml'])).toMatchObject({
      exitCode: 0,
      out: '1 file, 0 errors, 0 warnings (1 other file skipped)\n',
    })
    const { exitCode, err } = await validate(['site.test.yaml'])
    expect([exitCode, err]).toEqual([66, expect.stringContaining('`landform test` runs tests')])
  })

  test('are all checked, even if one is broken', async () => {
    filesIn(folder, { 'a.yaml': valid, 'b.yaml': 'a: [\n', 'c.yaml': other(loud) })
    const { exitCode, out } = await validate(['a.yaml', 'b.yaml', 'c.yaml'])
    expect(exitCode).toBe(65)
    expect(out).toMatch(/yaml\/syntax[\s\S]*log\/level[\s\S]*3 files, 1 error, 1 warning\n$/)
  })

  test('fail on a warning only with --fail-on', async () => {
    filesIn(folder, { 'a.yaml': valid, 'c.yaml': other(loud) })
    expect((await validate(['a.yaml', 'c.yaml'])).exitCode).toBe(0)
    expect((await validate(['a.yaml', 'c.yaml'], '--fail-on', 'error')).exitCode).toBe(0)
    expect((await validate(['a.yaml', 'c.yaml'], '--fail-on', 'warning')).exitCode).toBe(65)
    expect((await validate(['a.yaml'], '--fail-on', 'warning')).exitCode).toBe(0)
  })
})

describe('standard input with a file name', () => {
  test('has that name in messages, and finds its base in the same folder', async () => {
    filesIn(folder, { 'base.yaml': base, 'dev/': '' })
    const check = (input: string, name: string) =>
      landform(['validate', '-', '--stdin-filename', inFolder(name)], { folder, input })
    filesIn(folder, { '.git/': '' })
    expect((await check(overlay, 'dev/not-there-yet.yaml')).exitCode).toBe(0)
    const { exitCode, out } = await check(`${overlay}  logLevel: 5\n`, 'dev/not-there-yet.yaml')
    expect(exitCode).toBe(65)
    expect(out).toMatch(/^dev\/not-there-yet\.yaml:\d+:13 {2}error/)
    expect((await check(overlay, 'elsewhere/site.yaml')).exitCode).toBe(64)
  })
})

describe('other service versions', () => {
  const versions = ['--service-version', '10.9.1, 11.1', '--service-version', '11.2,11.1']

  test('are shown in a table, with the diagnostics that differ between them', async () => {
    filesIn(folder, { 'a.yaml': loud, 'b.yaml': readFileSync('examples/minimal-10.9.yaml', 'utf8') })
    const { exitCode, out } = await validate(['a.yaml', 'b.yaml'], ...versions)
    expect(exitCode).toBe(65)
    const table = out.slice(out.search(/^ +10\.9\.1 /m))
    expect(table.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^ +10\.9\.1 +11\.1 +11\.2$/),
      expect.stringMatching(/^a\.yaml {2}\d errors? +\d errors? +1 warning$/),
      expect.stringMatching(/^b\.yaml {2}ok +/),
    ])
    expect(table).toMatch(
      /^10\.9\.1, 11\.1: a\.yaml:\d+:\d+ {2}error .*`upgrade` requires .*version\/field-too-new$/m,
    )
    expect(table).not.toContain('log/level')
    expect(out).toContain('2 files, 0 errors, 1 warning\n')
  })

  test('are listed in JSON by file, in the given order', async () => {
    filesIn(folder, { 'a.yaml': valid })
    const report = await document(['a.yaml'], ...versions)
    expect(listSchemaErrors('validation', report)).toEqual([])
    expect(report.diagnostics).toEqual([])
    const rows = report.versions.map((one: { version: string; diagnostics: unknown[] }) => [
      one.version,
      one.diagnostics.length > 0,
    ])
    expect(rows).toEqual([
      ['10.9.1', true],
      ['11.1', true],
      ['11.2', false],
    ])
  })

  test('fail the check only if one of them rejects the manifest', async () => {
    filesIn(folder, { 'a.yaml': valid })
    expect((await validate(['a.yaml'], '--service-version', '11.2')).exitCode).toBe(0)
    expect((await validate(['a.yaml'], '--service-version', '11.1')).exitCode).toBe(65)
  })

  test('are checked with one read of the file, which may be a pipe', () => {
    expect(spawnSync('mkfifo', [inFolder('pipe')]).status).toBe(0)
    filesIn(folder, { 'site.yaml': valid })
    const writer = spawn('sh', ['-c', 'cat "$0" > "$1"', inFolder('site.yaml'), inFolder('pipe')])
    const { status, stdout } = measuredRun(['validate', inFolder('pipe'), '--service-version', '11.1,11.2'])
    writer.kill()
    expect(status).toBe(65)
    expect(stdout).toMatch(/pipe {2}\d errors? +ok\n/)
  })
})

describe('--check-secrets', () => {
  const check = (environment: Readonly<Record<string, string>>) =>
    landform(['validate', inFolder('site.yaml'), '--check-secrets'], { folder, environment })

  beforeEach(() => filesIn(folder, { 'site.yaml': valid, 'licenses/site.json': '{}' }))

  test('accepts references that can be resolved', async () => {
    expect(await check(someSecrets)).toEqual({
      exitCode: 0,
      out: '1 file, 0 errors, 0 warnings\n',
      err: '',
    })
  })

  test('reports every missing secret at its place: 66', async () => {
    filesIn(folder, { 'site.yaml': valid.replace('licenses/site.json', 'licenses/gone.json') })
    const { exitCode, out } = await check({ LANDFORM_TOKEN: '' })
    expect(exitCode).toBe(66)
    const places = [...out.matchAll(/^site\.yaml:(\d+):\d+ .* (\S+)$/gm)].map(([, line, code]) => [
      line,
      code,
    ])
    expect(places.map(([, code]) => code)).toEqual([
      'secret/missing',
      'secret/missing',
      'file/missing',
      'secret/missing',
    ])
    expect(out).toContain('`LANDFORM_TOKEN`, which is empty')
  })

  test('reads no references of an invalid manifest, and none without the option', async () => {
    filesIn(folder, { 'site.yaml': broken })
    expect((await check({})).out).not.toContain('secret/missing')
    filesIn(folder, { 'site.yaml': valid })
    expect((await validate(['site.yaml'])).exitCode).toBe(0)
  })

  test('is not needed to reject a file that is not a license or a certificate', async () => {
    const withAuthority = valid.replace(/(\n +)url: .*/, '$&$1tls: { caFile: ca.pem }')
    filesIn(folder, { 'site.yaml': withAuthority, 'ca.pem': 'no certificate', 'licenses/site.json': '' })
    const { exitCode, out } = await validate(['site.yaml'])
    expect([exitCode, out.match(/file\/unusable/g)]).toEqual([65, ['file/unusable', 'file/unusable']])
    filesIn(folder, { 'other.yaml': withAuthority.replaceAll(/ca\.pem|site\.json/g, 'absent.$&') })
    expect((await validate(['other.yaml'])).exitCode).toBe(0)
  })
})
