import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { landform } from '../support/landform.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const valid = readFileSync('examples/quickstart.yaml', 'utf8')
const change = (from: string | RegExp, to: string, text = valid) => text.replace(from, () => to)
const disk = '{ size: 64Gi, storageClass: gp3, labels: { arcgis/tier: storage, arcgis/app: gis } }'
let disks = 0
const anchored = valid.replaceAll(/^( {4}[A-Z_]+:) \{.*/gm, (_, name) => {
  disks += 1
  return `${name} ${disks === 1 ? `&disk ${disk}` : '*disk'}`
})

type Step = '--fix' | 'the edit'

test.each<readonly [what: string, before: string, help: string, step: Step]>([
  ['tabs', change('    url', '\turl'), 'replace each tab with spaces', 'the edit'],
  [
    'wrong indentation',
    change('    version', '   version'),
    'this line is indented by 3 spaces, unlike the lines around it',
    'the edit',
  ],
  ['a version without quotes', change('"11.2"', '11.2'), 'quote it: "11.2"', '--fix'],
  ['a misspelt value', change('development', 'developmnt'), 'did you mean `development`?', '--fix'],
  ['an invalid unit', change('30Gi', '100GB'), 'write 100G', '--fix'],
  ['a missing volume', change(/^ {4}QUEUE.*\n/m, ''), 'add QUEUE: { size: …, storageClass: … }', 'the edit'],
  [
    'a secret in the manifest',
    change('{ env: LANDFORM_ADMIN_PASSWORD }', 'Passw0rd-1'),
    'write { env: LANDFORM_ADMIN_PASSWORD }',
    'the edit',
  ],
  [
    'a shell variable',
    change('admin@example.org', `\${ADMIN_EMAIL}`),
    'Landform replaces no variables: write the value',
    'the edit',
  ],
  ['a second document', `${valid}---\n${valid}`, 'put each manifest into its own file', 'the edit'],
  [
    'the values of a chart',
    'image: { tag: 11.2.0 }\nreplicaCount: 1\nconfigure: { admin: { username: admin } }\n',
    'create a manifest with `landform init site.yaml`',
    'the edit',
  ],
  [
    'a name of the service API',
    change('userType', 'userLicenseTypeId'),
    'in a manifest use `spec.administrator.userType`',
    'the edit',
  ],
  [
    'a mistake after an anchor',
    change('64Gi', '64GB', anchored),
    'this value is used by `RELATIONAL_PRIMARY`, `RELATIONAL_SECONDARY`',
    '--fix',
  ],
  ['a duplicate key', `${valid}  profile: development\n`, 'first written here', 'the edit'],
  ['an unknown alias', change('QUEUE: *disk', 'QUEUE: *dsk', anchored), 'did you mean `*disk`?', 'the edit'],
  [
    'an unclosed bracket',
    change('arcgis/app: ozone } }', 'arcgis/app: ozone }'),
    'close it with `}`',
    'the edit',
  ],
  [
    'the address of a web page',
    change('/arcgis/admin', '/arcgis/manager'),
    'write https://gis.example.org/arcgis/admin',
    'the edit',
  ],
])('the help for %s leads to a valid manifest', async (_, before, help, step) => {
  const folder = await temporaryFolder()
  const file = join(folder, 'site.yaml')
  writeFileSync(file, before)
  const validate = (...options: readonly string[]) => landform(['validate', file, ...options], { folder })
  const first = await validate()
  expect(first.out.replaceAll(/\s+/g, ' ')).toContain(help)
  if (step === 'the edit') writeFileSync(file, valid)
  const { out } = await validate(...(step === '--fix' ? [step] : []))
  expect(out).toBe('1 file, 0 errors, 0 warnings\n')
})

test.each([
  ['Windows line ends', valid.replaceAll('\n', '\r\n')],
  ['JSON', JSON.stringify(parse(valid), undefined, 2)],
])('a manifest with %s is valid', async (_, input) => {
  expect(await landform(['validate', '-'], { input })).toMatchObject({ exitCode: 0 })
})

test('the check of a base names the files to check instead', async () => {
  const { out } = await landform(['validate', 'examples/environments/base.yaml'])
  expect(out).toContain(
    'help: if other manifests extend this file, check those files or their folder instead',
  )
})
