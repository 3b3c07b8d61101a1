import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertProperties } from '../../src/migrate/from-properties.js'
import { readAnswers } from '../../src/migrate/read-answers.js'
import { root } from '../support/manifests.js'

const read = (name: string) => readFileSync(join(root, 'test', 'migrate', name), 'utf8')
const convert = (...files: readonly (readonly [name: string, text: string])[]) =>
  convertProperties(readAnswers(files.map(([name, text]) => ({ name, bytes: Buffer.from(text) }))))
const convertText = (text: string) => convert(['configure.properties', text])
const lines = ({ diagnostics }: ReturnType<typeof convert>) =>
  diagnostics.map(({ code, place }) => `${place?.start.line} ${code}`)

const volume = (size: string, app: string, tier = 'storage') => ({
  provisioningType: 'DYNAMIC',
  size,
  storageClass: 'gp3',
  labels: { 'arcgis/tier': tier, 'arcgis/app': app },
})
const volumes = {
  RELATIONAL_PRIMARY: volume('24Gi', 'postgres'),
  RELATIONAL_SECONDARY: volume('24Gi', 'postgres'),
  BLOB: volume('64Gi', 'ozone'),
  IN_MEM_CACHE: volume('16Gi', 'ignite'),
  QUEUE: volume('16Gi', 'rabbitmq', 'queue'),
  INDEXER: volume('16Gi', 'elasticsearch'),
  SHARING: volume('16Gi', 'sharing', 'api'),
  REST_METRICS_API: volume('8Gi', 'prometheus', 'api'),
}
const answers = {
  username: 'siteadmin',
  email: 'admin@example.org',
  'user-type': 'creatorUT',
  question: '13',
  profile: 'standard-availability',
  'full-name': 'Site Administrator',
  url: 'https://gis.example.org/arcgis/admin',
  license: 'licenses/site.json',
}

/** For each file, the first line of the storage properties; the others follow it in order. */
describe.each([
  ['configure.properties', { ...answers, name: 'production' }, 26],
  ['values.yaml', answers, 28],
  ['organization.tfvars.json', { ...answers, name: 'production' }, 22],
] as const)('%s', (name, expected, firstStorageLine) => {
  const converted = () => convert([name, read(name)])

  test('has a result for each property', () => {
    const folders = name.endsWith('.properties') ? ['/data/imagery', '/data/parcels'] : []
    const more = { volumes, versions: [], logLevel: 'INFO', folders }
    expect(converted()).toMatchObject({ answers: expected, ...more })
  })

  test('has the position of each field', () => {
    const text = read(name).split('\n')
    const found = Object.fromEntries(
      [...converted().places].map(([pointer, { start }]) => [pointer, start.line]),
    )
    for (const component of ['RELATIONAL_PRIMARY', 'RELATIONAL_SECONDARY'])
      expect(found).toMatchObject({
        [`/spec/volumes/${component}`]: firstStorageLine,
        [`/spec/volumes/${component}/provisioningType`]: firstStorageLine,
        [`/spec/volumes/${component}/size`]: firstStorageLine + 1,
        [`/spec/volumes/${component}/storageClass`]: firstStorageLine + 2,
        [`/spec/volumes/${component}/labels`]: firstStorageLine + 4,
      })
    const quoted: Readonly<Record<string, RegExp>> = {
      '/spec/site/url': /gis\.example\.org/,
      '/spec/license/file': /site\.json/,
      '/spec/administrator/password': /password/i,
      '/spec/administrator/securityQuestion/answer': /question_?answer/i,
      '/spec/administrator/fullName': /first_?name/i,
      '/spec/logLevel': /log_?setting/i,
    }
    for (const [pointer, words] of Object.entries(quoted))
      expect([pointer, text[(found[pointer] ?? 0) - 1]]).toEqual([pointer, expect.stringMatching(words)])
  })
})

test.each([
  ['the default context', 'ARCGIS_ENTERPRISE_FQDN=gis.org', { url: 'https://gis.org/arcgis/admin' }],
  ['a context path', 'ARCGIS_ENTERPRISE_FQDN=gis.org\nCONTEXT=maps', { url: 'https://gis.org/maps/admin' }],
  ['a host in a URL', 'ARCGIS_ENTERPRISE_FQDN=https://gis.org/x', { url: 'https://gis.org/arcgis/admin' }],
  ['one of two names', 'ADMIN_LAST_NAME=Admin', { 'full-name': 'Admin' }],
  ['a license in a Windows folder', "LICENSE_FILE='C:\\data\\a.json'", { license: 'licenses/a.json' }],
  [
    'the two licenses of the first versions',
    'LICENSE_FILE_PORTAL=/a/p.json\nLICENSE_FILE_SERVER=/a/s.ecp',
    { license: 'licenses/p.json', 'server-license': 'licenses/s.ecp' },
  ],
  ['a version with a build number', 'VERSION_TAG=11.2.0.5500', { 'service-version': '11.2' }],
  [
    'a version as the default of its own name',
    'VERSION_TAG="$' + '{VERSION_TAG:-12.1.0.8325}"',
    { 'service-version': '12.1' },
  ],
  ['an empty property', 'ADMIN_EMAIL=', {}],
])('%s is converted', (_, text, expected) => {
  expect(convertText(text).answers).toEqual(expected)
})

test.each<[string, readonly string[]]>([
  ['ADMIN_PASSWORD=U2FsdGVkX1abc', ['1 properties/secret']],
  ['ADMIN_PASSWORD=$SECRET', ['1 properties/secret']],
  ['ADMIN_PASSWORD=', []],
  ['ARCGIS_ENTERPRISE_FQDN=https://gis/x', ['1 properties/host', '1 properties/host']],
  ['ARCGIS_ENTERPRISE_FQDN=gis.org', []],
  ['LICENSE_FILE=', []],
  ['\nADMIN_MAIL=a', ['2 properties/unknown']],
  ['QUEUE_STORAGE_LABEL_9="a=b"', []],
  ['QUEUE_STORAGE_LABEL_9=a', ['1 properties/left-out']],
  ['OTHER_STORAGE_LABEL_1="a=b"', ['1 properties/unknown']],
  ['ADMIN_USERNAME=$USER', ['1 properties/shell']],
  ['ENCRYPTION_KEYFILE=/a', ['1 properties/left-out']],
  ['ENCRYPTION_KEYFILE=', []],
  ['INGRESS_TYPE=NodePort\nK8S_CLUSTER_DOMAIN=$DOMAIN\nINGRESS_ANY_NEW_NAME=a', ['1 properties/left-out']],
  ['INGRESS_TYPE=""\nNODE_PORT_HTTPS=30443', ['2 properties/left-out']],
  ['K8S_NAMESPCE=gis', ['1 properties/unknown']],
  ['VERSION_TAG=new', ['1 properties/left-out']],
])('%j has the diagnostics %j', (text, expected) => {
  expect(lines(convertText(text))).toEqual(expected)
})

test('an encrypted secret has another message than one in plain text', () => {
  const help = (value: string) => convertText(`ADMIN_PASSWORD=${value}`).diagnostics[0]?.help
  expect(help('U2FsdGVkX1abc')).toContain('decrypt it')
  expect(help('Made1up4this')).toContain('choose a new secret')
})

test('all properties of the deployment are reported in one line for each file', () => {
  const { diagnostics } = convert(
    ['deploy.properties', 'REGISTRY_HOST=a\nREGISTRY_REPO=b\nROOT_ORG_BASE_URL=c\nARCGIS_SITENAME=d'],
    ['values.yaml', 'image: { registry: x, tag: "11.2" }\ncommon: { verbose: true }'],
    ['a.tfvars.json', '{ "enterprise_id": "acme" }'],
  )
  expect(diagnostics.map(({ message, place }) => [place?.file, message.split(' not migrated')[0]])).toEqual([
    ['deploy.properties', '`REGISTRY_HOST` and 3 other properties were'],
    ['values.yaml', '`image.registry` and `common.verbose` were'],
    ['a.tfvars.json', '`enterprise_id` was'],
  ])
})

describe('a module that creates an object store', () => {
  const cloud = (...files: readonly (readonly [name: string, text: string])[]) =>
    convert(...files).diagnostics.flatMap(({ message, pointer, place }) =>
      /object store|secrets/.test(message) ? [`${place?.file}:${place?.start.line} ${pointer}`] : [],
    )
  test.each<[string, string, readonly string[]]>([
    ['no file', '{\n"authorization_file_path": "a"\n}', ['a.json:2 /spec/cloudStorage']],
    [
      'null',
      '{\n"authorization_file_path": "a",\n"cloud_config_json_file_path": null\n}',
      ['a.json:3 /spec/cloudStorage'],
    ],
    ['a file', '{\n"authorization_file_path": "a",\n"cloud_config_json_file_path": "a"\n}', ['a.json:3 ']],
  ])('is reported for %s', (_, text, expected) => {
    expect(cloud(['a.json', text])).toEqual(expected)
  })

  test('is not reported if another file names the object store, or for the chart and the script', () => {
    const file = ['b.json', '{ "cloud_config_json_file_path": "a" }'] as const
    expect(cloud(file, ['a.json', '{ "authorization_file_path": "a" }'])).toEqual(['b.json:1 '])
    expect(cloud(['values.yaml', 'configure: { cloudConfigJsonFilename: "" }'])).toEqual([])
    expect(cloud(['a.json', '{ "admin_password": "a" }'])).toEqual([])
    expect(cloud(['a.properties', 'CLOUD_CONFIG_JSON_FILENAME=""'])).toEqual([])
  })
})

test('the last of several files takes precedence, but each version is kept', () => {
  const { answers, versions } = convert(
    ['a.properties', 'ADMIN_EMAIL=a@x.org\nVERSION_TAG=11.1'],
    ['b.yaml', 'configure:\n  admin:\n    email: b@x.org\nimage:\n  tag: "11.2"\n'],
  )
  expect(answers.email).toBe('b@x.org')
  expect(versions.map(({ version, written }) => [version, written])).toEqual([
    ['11.1', 'VERSION_TAG'],
    ['11.2', 'image.tag'],
  ])
})

describe('values of the chart', () => {
  test.each<[string, readonly string[]]>([
    ['configure: { enabled: true }', ['1 properties/left-out']],
    ['configure: { enabled: false }', []],
    ['configure: x', ['1 properties/form']],
    ['configure: { admin: { email: [] } }', ['1 properties/form']],
    ['configure:\n  admin:\n    emial: a', ['3 properties/unknown']],
    ['image: { tag: "11.2" }', []],
    ['image: { tag: "11.2", registry: x }', ['1 properties/left-out']],
    ['image: { tags: "11.2" }', ['1 properties/unknown']],
    [
      'install:\n  context: gis\n  anyNewKey: a\n  ingress: { ingressType: NodePort }',
      ['3 properties/left-out'],
    ],
    ['{ "a": { "value": 1, "type": "number" } }', ['1 properties/form']],
    ['{ "deployment_id": { "value": "a", "type": "string" }, "configure": {} }', ['1 properties/form']],
    ['image: x', ['1 properties/left-out']],
    ['image:', []],
    ['apiVersion: v1\nkind: ConfigMap\n', ['1 properties/resource']],
    ['- a: 1\n', ['1 properties/form']],
    ['USER-SUPPLIED VALUES:\nimage:\n', []],
    ['a: 1\na: 2\n', ['2 yaml/duplicate-key']],
  ])('%j has the diagnostics %j', (text, expected) => {
    expect(lines(convert(['values.yaml', text]))).toEqual(expected)
  })

  test('suggest the whole path of a misspelt value', () => {
    const [diagnostic] = convert(['values.yaml', 'configure:\n  admin:\n    emial: a\n']).diagnostics
    expect(diagnostic?.help).toContain('`configure.admin.email`')
  })

  test.each(['/spec/values', '/spec/source/helm/valuesObject'])(
    'are read below %s of a resource',
    pointer => {
      const inner = { configure: { logSetting: 'WARNING' } }
      const [, ...path] = pointer.split('/')
      const nested = path.reduceRight<object>((value, key) => ({ [key]: value }), inner)
      const text = JSON.stringify({ apiVersion: 'v1', kind: 'HelmRelease', ...nested })
      expect(convert(['release.json', text]).logLevel).toBe('WARNING')
    },
  )

  test.each(['install', 'configure'])('have the host of the configuration, also if %s is first', first => {
    const lines = ['install: { enterpriseFQDN: a.org }', 'configure: { enterpriseFQDN: b.org }']
    const text = lines.toSorted(line => (line.startsWith(first) ? -1 : 1)).join('\n')
    expect(convert(['values.yaml', text]).answers.url).toBe('https://b.org/arcgis/admin')
  })

  test('keep the digits of a number', () => {
    expect(convert(['values.yaml', 'image: { tag: 12.0 }']).versions).toMatchObject([{ version: '12.0' }])
  })

  test('are not read from HCL', () => {
    for (const file of [
      ['a.tfvars', 'x'],
      ['a', 'site_id = "gis"'],
    ] as const)
      expect(lines(convert(file))).toEqual(['1 properties/hcl'])
  })
})
