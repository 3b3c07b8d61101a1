import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { landform } from '../support/landform.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const prepared = readFileSync('test/field-cases/06-static.yaml', 'utf8')

let folder = ''
const types = (...words: readonly string[]) =>
  landform(
    words.map(word => (/\.(?:yaml|json|properties)$/.test(word) ? join(folder, word) : word)),
    { folder },
  )

beforeEach(async () => {
  folder = await temporaryFolder()
  mkdirSync(join(folder, 'licenses'))
  copyFileSync('examples/licenses/site.json', join(folder, 'licenses', 'site.json'))
  writeFileSync(join(folder, 'site.yaml'), prepared)
})

test('eight prepared volumes without a storage class are one note', async () => {
  const { exitCode, out } = await types('validate', 'site.yaml', '--fail-on', 'warning')
  expect([exitCode, out.match(/volume\/static/g)]).toEqual([0, ['volume/static']])
  expect(out).toMatch(/8 volumes are `STATIC`[\s\S]*1 file, 0 errors, 0 warnings, 1 note\n$/)
})

test('a comment silences the note', async () => {
  const comment = '    # landform-ignore-next-line volume/static -- the storage team prepares them\n'
  writeFileSync(join(folder, 'site.yaml'), prepared.replace('    RELATIONAL_PRIMARY', `${comment}$&`))
  expect((await types('validate', 'site.yaml')).out).toBe('1 file, 0 errors, 0 warnings\n')
})

test.each(['provisioningType: DYNAMIC, ', ''])('volumes with "%s" still need a class', async type => {
  writeFileSync(join(folder, 'site.yaml'), prepared.replaceAll('provisioningType: STATIC, ', type))
  const { exitCode, out } = await types('validate', 'site.yaml')
  expect([exitCode, out.match(/is missing\s+`storageClass`/g)?.length]).toEqual([65, 1])
  expect(out).toMatch(/also: (?:\w+ \(line \d+\),?\s+){7}/)
})

test('an overlay makes volumes of a base prepared ones by removing their class', async () => {
  const base = prepared.replaceAll('provisioningType: STATIC', 'storageClass: gp3')
  writeFileSync(join(folder, 'base.yaml'), base)
  const volumes = 'spec: { volumes: { QUEUE: { provisioningType: STATIC, storageClass: null } } }'
  writeFileSync(join(folder, 'site.yaml'), `extends: base.yaml\n${volumes}\n`)
  expect((await types('validate', 'site.yaml')).out).toMatch(
    /1 volume is `STATIC`[\s\S]*0 errors, 0 warnings, 1 note/,
  )
})

test('labels that would select nothing cause a warning that says so', async () => {
  writeFileSync(join(folder, 'site.yaml'), prepared.replace(/(BLOB: .*STATIC), labels: {[^}]*}/, '$1'))
  const { exitCode, out } = await types('validate', 'site.yaml')
  expect(exitCode).toBe(0)
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'the volume of `BLOB` has no `tier` and no `app` label, but labels select a `STATIC` volume',
  )
})

test('a rehearsal creates the site, and no class is sent', async () => {
  const { exitCode, out } = await types('apply', '--emulate', 'site.yaml', '--yes')
  expect([exitCode, out.match(/^ +\d+ \+ [A-Z_]+ +64Gi +– /gm)?.length]).toEqual([0, 8])
  const wire = (await types('render', '--wire', 'site.yaml')).out
  expect(wire).toContain('"provisioningType":"STATIC"')
  expect(wire).not.toContain('storageClass')
})

test('the storage classes of a cluster do not matter to prepared volumes', async () => {
  const list = { apiVersion: 'v1', kind: 'List', items: [] }
  writeFileSync(join(folder, 'classes.json'), JSON.stringify(list))
  const { exitCode, out } = await types('plan', '--offline', 'site.yaml', '--storage-classes', 'classes.json')
  expect(exitCode).toBe(0)
  expect(out).toMatch(/^Storage classes: No storage class provisions a volume of the manifest\.$/m)
  expect(out).toMatch(/^ {2}\? none {2}8 volumes {2}not checked, because no class provisions them$/m)
})

test('init accepts prepared volumes from a property file without a class', async () => {
  const properties = readFileSync('test/migrate/configure.properties', 'utf8')
    .replaceAll(/(?<=_STORAGE_TYPE=).*/g, 'STATIC')
    .replaceAll(/(?<=_STORAGE_CLASS=).*/g, '')
  writeFileSync(join(folder, 'configure.properties'), properties)
  const options = ['--service-version', '11.2', '--storage-class', 'gp3']
  const { exitCode } = await types(
    'init',
    'new.yaml',
    '--from-properties',
    'configure.properties',
    ...options,
  )
  const text = readFileSync(join(folder, 'new.yaml'), 'utf8')
  expect([exitCode, text.match(/provisioningType: STATIC/g)?.length]).toEqual([0, 8])
  expect(text).not.toContain('storageClass')
})
