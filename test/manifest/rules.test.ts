import type { CredentialTypeName } from '../../src/contract/cloud.js'
import {
  reportedLogLevels,
  reportedSystemProperties,
  reportedUserTypes,
} from '../../src/contract/field-notes.js'
import { secretQuestions } from '../../src/contract/questions.js'
import { volumeComponents } from '../../src/contract/volumes.js'
import type { Fix } from '../../src/diagnostics/catalog/entry.js'
import { rules } from '../../src/manifest/rules/all.js'
import { listFieldPointers } from '../../src/schema/field-schema.js'
import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import { parameterPaths } from '../../src/schema/parameter-paths.js'
import { ValueIndex } from '../../src/schema/select.js'
import {
  aCloudProvider,
  aManifest,
  anUpgradeWith,
  type Changes,
  diagnosticsOf,
  problemsOf,
} from '../support/changed-manifest.js'
import { aProvider, aVolume } from '../support/manifest-value.js'
import { rule } from '../support/rule-table.js'

const a = { env: 'LANDFORM_A' }

/** A version with the license files that it requires. */
const version = (value: string): Changes => ({
  '/spec/site/version': value,
  ...(/^10\.(?:9|10)/.test(value) && { '/spec/license/serverFile': 'licenses/server.ecp' }),
})

rule('the version has configure', [
  ['the first version', version('10.9'), []],
  ['the first version with a third number', version('10.9.0'), []],
  ['a later version', version('10.10'), []],
  ['the newest documented version', version('11.2'), []],
  ['a reported version', version('12.0'), ['version/reported /spec/site/version']],
  ['a patch of a reported version', version('11.3.1'), ['version/reported /spec/site/version']],
  ['a future version', version('13.0'), ['profile/replaced /spec', 'version/newer /spec/site/version']],
  ['a version between reported ones', version('11.6'), ['version/newer /spec/site/version']],
  ['the version before configure', version('10.8.1'), ['version/unsupported /spec/site/version']],
  ['a version that only sorts later as text', version('9.9'), ['version/unsupported /spec/site/version']],
  ['the first version with exportSite', version('10.4'), ['version/unsupported /spec/site/version']],
])

const upgrade: JsonObject = { podPlacementPolicy: {} }
rule('fields exist in the version', [
  [
    'data stores before their version',
    { ...version('10.9'), '/spec/dataStores': [] },
    ['version/field-too-new /spec/dataStores'],
  ],
  ['data stores from their version on', { ...version('10.9.1'), '/spec/dataStores': [] }, []],
  ['data stores in a version between', { ...version('11.0'), '/spec/dataStores': [] }, []],
  [
    'cloud storage before its version',
    { ...version('11.1.3'), '/spec/cloudStorage': [] },
    ['version/field-too-new /spec/cloudStorage'],
  ],
  [
    'cloud storage in a version between',
    { ...version('11.0'), '/spec/cloudStorage': [] },
    ['version/field-too-new /spec/cloudStorage'],
  ],
  ['cloud storage from its version on', { ...version('11.2'), '/spec/cloudStorage': [] }, []],
  [
    'an upgrade policy before its version',
    { ...version('11.1'), '/spec/upgrade': upgrade },
    ['version/field-too-new /spec/upgrade'],
  ],
  ['an upgrade policy from its version on', { ...version('11.2.0'), '/spec/upgrade': upgrade }, []],
  [
    'an upgrade policy of a later patch',
    { ...version('11.2.1'), '/spec/upgrade': upgrade },
    ['version/newer /spec/site/version'],
  ],
  [
    'everything before its version',
    { ...version('10.9'), '/spec/upgrade': upgrade, '/spec/dataStores': [], '/spec/cloudStorage': [] },
    [
      'version/field-too-new /spec/upgrade',
      'version/field-too-new /spec/dataStores',
      'version/field-too-new /spec/cloudStorage',
    ],
  ],
  [
    'nothing for an unreadable version',
    { ...version('new'), '/spec/upgrade': upgrade },
    ['manifest/malformed-value /spec/site/version'],
  ],
])

rule('the address is usable', [
  [
    'with a capital in its path',
    { '/spec/site/url': 'https://GIS.example.org/arcgis/Admin' },
    ['site/url-capitals /spec/site/url'],
  ],
  ['with a capital only in its host', { '/spec/site/url': 'https://GIS.example.org/arcgis/admin' }, []],
  [
    'with a parameter',
    { '/spec/site/url': 'https://gis.example.org/Admin;x=1' },
    ['site/url /spec/site/url'],
  ],
  ['https', { '/spec/site/url': 'https://gis.example.org:6443/admin' }, []],
  ['an emulator', { '/spec/site/url': 'http://127.0.0.1:8080/admin' }, []],
  ['http', { '/spec/site/url': 'http://gis.example.org' }, ['site/url /spec/site/url']],
  ['a value of another type', { '/spec/site/url': 7 }, ['manifest/wrong-type /spec/site/url']],
])

const file = (path: string): Changes => ({ '/spec/license': { file: path } })
const rejected = ['file/path /spec/license/file']
rule('paths stay inside', [
  ['a file', file('site.json'), []],
  ['a file below', file('a/b/site.json'), []],
  ['a file here', file('./site.json'), []],
  ['dots in a name', file('a..b/..c/d...json'), []],
  ['a tilde in a name', file('site~1.json'), []],
  ['a colon in a name', file('licenses/a:b.json'), []],
  ['an absolute path', file('/etc/shadow'), rejected],
  ['a path with two slashes at the start', file('//server/share'), rejected],
  ['in the home folder', file('~/site.json'), rejected],
  ['in the home folder of another user', file('~root/site.json'), rejected],
  ['on a drive', file('C:\\site.json'), rejected],
  ['in the current folder of a drive', file('c:site.json'), rejected],
  ['on a network share', file('\\\\server\\share'), rejected],
  ['a backslash', file('a\\b'), rejected],
  ['up', file('../site.json'), rejected],
  ['up and down', file('a/../../b'), rejected],
  ['up at the end', file('a/..'), rejected],
  ['up and back in', file('a/../b'), rejected],
  ['a line break', file('a\nb'), ['manifest/hidden-character /spec/license/file']],
  ['an escape sequence', file('a\u001b[31m'), ['manifest/hidden-character /spec/license/file']],
  [
    'the server license',
    { ...version('10.9'), '/spec/license/serverFile': '../a' },
    ['file/path /spec/license/serverFile'],
  ],
  [
    'the security answer',
    { '/spec/administrator/securityQuestion/answer': { file: '../p' } },
    ['file/path /spec/administrator/securityQuestion/answer/file'],
  ],
  [
    'the secrets of the cloud',
    {
      '/spec/cloudStorage': [
        aCloudProvider(
          {
            type: 'STORAGE-ACCOUNT-KEY',
            secret: { storageAccountName: { file: '../n' }, storageAccountKey: { file: '../k' } },
          },
          { containerName: 'gis' },
        ),
      ],
    },
    [
      'file/path /spec/cloudStorage/0/credential/secret/storageAccountName/file',
      'file/path /spec/cloudStorage/0/credential/secret/storageAccountKey/file',
    ],
  ],
])

const username = (name: string): Changes => ({ '/spec/administrator/username': name })
rule('the user name is long enough', [
  ['six characters', username('admin1'), []],
  [
    'six characters in many code units',
    username('🌍🌍🌍🌍🌍🌍'),
    ['administrator/username-symbols /spec/administrator/username'],
  ],
  ['five characters', username('admin'), ['administrator/username /spec/administrator/username']],
  [
    'five characters in ten code units',
    username('🌍🌍🌍🌍🌍'),
    [
      'administrator/username /spec/administrator/username',
      'administrator/username-symbols /spec/administrator/username',
    ],
  ],
  ['none', username(''), ['administrator/username /spec/administrator/username']],
])

const noSpace = ['administrator/username-space /spec/administrator/username']
rule('the user name has no space', [
  ['in the middle', username('site admin'), noSpace],
  ['at the end', username('siteadmin '), noSpace],
  ['that is a tab or does not break', username('site\u00a0admin\u00a0'), noSpace],
  [
    'beside a symbol',
    username('site admin!'),
    [...noSpace, 'administrator/username-symbols /spec/administrator/username'],
  ],
])

const service = (fields: JsonObject): Changes => ({
  '/spec/cloudStorage': [
    {
      ...aCloudProvider({ type: 'IAM-ROLE' }, {}),
      cloudServices: [{ name: 'a', connection: { bucketName: 'gis', region: 'eu-west-1' }, ...fields }],
    },
  ],
})
const undocumented = (field: string) => [`cloud/service-value /spec/cloudStorage/0/cloudServices/0/${field}`]
rule('a storage service has documented values', [
  ['that are written out', service({ type: 'objectStore', usage: 'DEFAULT', category: 'storage' }), []],
  ['that are omitted', service({}), []],
  ['except for the type', service({ type: 'fileStore' }), undocumented('type')],
  ['except for the usage', service({ usage: 'BACKUP' }), undocumented('usage')],
  ['except for capitals in the category', service({ category: 'Storage' }), undocumented('category')],
])

const email = (address: string): Changes => ({ '/spec/administrator/email': address })
const noAddress = ['administrator/email /spec/administrator/email']
rule('the e-mail address is valid', [
  ['an address', email('admin@example.org'), []],
  ['a tag', email('admin+gis@example.org'), []],
  ['an apostrophe', email("o'brien@example.org"), []],
  ['a host without a domain', email('admin@mail'), []],
  ['letters of other alphabets', email('jürgen@bücher.example'), []],
  ['none', email(''), noAddress],
  ['no host', email('admin'), noAddress],
  ['nothing after the @', email('admin@'), noAddress],
  ['nothing before the @', email('@example.org'), noAddress],
  ['two @', email('a@b@example.org'), noAddress],
  ['two dots', email('admin@example..org'), noAddress],
  ['a dot at the end', email('admin@example.org.'), noAddress],
  ['a space', email('site admin@example.org'), noAddress],
  ['a name in addition', email('Admin <admin@example.org>'), noAddress],
  ['two addresses', email('a@example.org,b@example.org'), noAddress],
])

const question = (value: JsonObject): Changes => ({
  '/spec/administrator/securityQuestion': { ...value, answer: a },
})
const noOneAccount = ['site/sign-in /spec/site/signIn']
const signIn = (value: JsonValue) => ({ '/spec/site/signIn': value })
const password = { env: 'LANDFORM_OPS_PASSWORD' }
rule('one account signs in', [
  ['the administrator', signIn({ as: 'administrator' }), []],
  ['another account', signIn({ username: 'operations', password }), []],
  ['nobody', signIn({ lifetime: '2h' }), noOneAccount],
  ['only a name', signIn({ username: 'operations' }), noOneAccount],
  ['only a password', signIn({ password }), noOneAccount],
  ['two accounts', signIn({ as: 'administrator', username: 'operations', password }), noOneAccount],
  ['an account and a part of another', signIn({ as: 'administrator', password }), noOneAccount],
  [
    'a misspelt name',
    signIn({ usrename: 'operations', password }),
    ['manifest/unknown-field /spec/site/signIn/usrename'],
  ],
])

const notOne = ['administrator/security-question /spec/administrator/securityQuestion']
rule('the question is chosen in one way', [
  ['by its number', question({ index: 1 }), []],
  ['in no way', question({}), notOne],
  ['in both ways', question({ index: 13, question: 'What is your dream job?' }), notOne],
  ...secretQuestions.map(text => [`by its text: ${text}`, question({ question: text }), []] as const),
])

const volumes = (names: readonly string[]): Changes => ({
  '/spec/volumes': Object.fromEntries(names.map(name => [name, aVolume()])),
})
rule('every component has a volume', [
  ['in any order', volumes(volumeComponents.toReversed()), []],
  ['none', volumes([]), ['volume/missing-component /spec/volumes']],
  ...volumeComponents.map(
    name =>
      [
        `all but ${name}`,
        volumes(volumeComponents.filter(other => other !== name)),
        ['volume/missing-component /spec/volumes'],
      ] as const,
  ),
])

test('the message names only the missing volumes', () => {
  const [first, second, ...rest] = volumeComponents
  const [diagnostic] = diagnosticsOf(volumes(rest))
  const named = volumeComponents.filter(name => diagnostic?.message.includes(`\`${name}\``))
  expect(named).toEqual([first, second])
})

const secrets: Readonly<Record<string, JsonObject>> = {
  'ACCESS-KEY': { accessKey: a, secretKey: a },
  'HMAC-KEYS': { accessKey: a, secretKey: a },
  'MANAGED-IDENTITY': { storageAccountName: 'gis' },
  'STORAGE-ACCOUNT-KEY': { storageAccountName: 'gis', storageAccountKey: a },
}
const connections: Readonly<Record<string, JsonObject>> = {
  'IAM-ROLE': { bucketName: 'gis', region: 'eu-west-1', rootDir: 'd' },
  'ACCESS-KEY': { bucketName: 'gis', region: 'eu-west-1', rootDir: 'd' },
  'HMAC-KEYS': { bucketName: 'gis', rootDir: 'd' },
  'MANAGED-IDENTITY': { containerName: 'gis', rootDir: 'd' },
  'STORAGE-ACCOUNT-KEY': { containerName: 'gis', rootDir: 'd' },
}
const provider = (type: string, secret = secrets[type], connection = connections[type]): Changes => ({
  '/spec/cloudStorage': [aCloudProvider({ type, ...(secret !== undefined && { secret }) }, connection ?? {})],
})
const atSecret = ['cloud/secret-fields /spec/cloudStorage/0/credential/secret']
// `schema/discriminator.test.ts` has every single mistake for each type of credential.
rule('a credential has its secret fields', [
  [
    'a misspelt field and a missing one',
    provider('STORAGE-ACCOUNT-KEY', { storage_account_key: a }),
    [
      'cloud/secret-fields /spec/cloudStorage/0/credential/secret',
      'manifest/unknown-field /spec/cloudStorage/0/credential/secret/storage_account_key',
    ],
  ],
  [
    'a misspelt field and the right one',
    provider('HMAC-KEYS', { accessKey: a, secretKey: a, secret_key: a }),
    atSecret,
  ],
])

const atConnection = ['cloud/connection-fields /spec/cloudStorage/0/cloudServices/0/connection']
const connection = (type: string, fields: JsonObject) => provider(type, secrets[type], fields)
rule('a connection fits the provider', [
  ['a bucket without a folder', connection('IAM-ROLE', { bucketName: 'gis', region: 'eu-west-1' }), []],
  ['a container without a folder', connection('MANAGED-IDENTITY', { containerName: 'gis' }), []],
  ['a region without a bucket', connection('ACCESS-KEY', { region: 'eu-west-1' }), atConnection],
])

const nameOf = (name: string, type: CredentialTypeName): Changes => ({
  '/spec/cloudStorage': [{ ...aProvider(type), name }],
})
const otherName = ['cloud/provider-name /spec/cloudStorage/0/name']
rule('a provider is named as reported', [
  ['a bucket with a key at AWS', nameOf('AWS', 'ACCESS-KEY'), []],
  ['a container at AZURE', nameOf('AZURE', 'STORAGE-ACCOUNT-KEY'), []],
  ['a bucket with HMAC keys at GCP', nameOf('GCP', 'HMAC-KEYS'), []],
  ['other capitals', nameOf('aws', 'IAM-ROLE'), otherName],
  ['the name of another provider', nameOf('AWS', 'HMAC-KEYS'), otherName],
  ['a custom name', nameOf('objects', 'MANAGED-IDENTITY'), otherName],
  [
    'a custom name next to the reported one',
    { '/spec/cloudStorage': [aProvider('IAM-ROLE'), { ...aProvider('IAM-ROLE'), name: 'archive' }] },
    [],
  ],
  [
    'no name, which the schema rejects',
    nameOf('', 'IAM-ROLE'),
    ['manifest/malformed-value /spec/cloudStorage/0/name'],
  ],
])

const noRegion = ['cloud/region-absent /spec/cloudStorage/0/cloudServices/0/connection']
rule('a bucket has a region', [
  ['with a role', connection('IAM-ROLE', { bucketName: 'gis' }), noRegion],
  ['with a key', connection('ACCESS-KEY', { bucketName: 'gis', rootDir: 'd' }), noRegion],
  ['with HMAC keys, which have none', connection('HMAC-KEYS', { bucketName: 'gis' }), []],
  ['without a bucket, which is reported first', connection('IAM-ROLE', { rootDir: 'd' }), atConnection],
  [
    'that is misspelt',
    connection('IAM-ROLE', { bucketName: 'gis', Region: 'eu-west-1' }),
    ['manifest/unknown-field /spec/cloudStorage/0/cloudServices/0/connection/Region'],
  ],
])

const newer = 'version/newer /spec/site/version'
const reported = 'version/reported /spec/site/version'
rule('a managed identity fits the version', [
  ['the newest documented one', { ...version('11.2'), ...provider('MANAGED-IDENTITY') }, []],
  ['a version before the other types', { ...version('11.2.9'), ...provider('MANAGED-IDENTITY') }, [newer]],
  [
    'the first version with the other types',
    { ...version('11.3'), ...provider('MANAGED-IDENTITY') },
    [reported, 'cloud/managed-identity-replaced /spec/cloudStorage/0/credential/type'],
  ],
  ['another credential', { ...version('11.3'), ...provider('STORAGE-ACCOUNT-KEY') }, [reported]],
])

const oddSymbols = ['administrator/username-symbols /spec/administrator/username']
rule('the user name has reported symbols', [
  ['all of them', username('Site.Admin_1-2@gis'), []],
  ['a comma', username('site,admin'), oddSymbols],
  ['a blank', username('site admin'), noSpace],
  ['a letter with an accent', username('siteädmin'), oddSymbols],
  ['several', username('site!admin#1'), oddSymbols],
])

test('a comma in a user name has its own help', () => {
  const [comma] = diagnosticsOf(username('site,admin'))
  const [several] = diagnosticsOf(username('site,admin!'))
  expect(comma?.help).toContain('three deployment sources')
  expect(several?.message).toContain('`,` and `!`')
})

const userType = (name: JsonValue): Changes => ({ '/spec/administrator/userType': name })
const otherType = ['administrator/user-type /spec/administrator/userType']
rule('the user type is reported', [
  ...reportedUserTypes.map(name => [name, userType(name), []] as const),
  ['other capitals', userType('creatorut'), otherType],
  ['a similar one', userType('creator'), otherType],
  ['an unknown one', userType('editor'), otherType],
  ['none, which the schema rejects', userType(''), ['manifest/malformed-value /spec/administrator/userType']],
  ['not text, which the schema rejects', userType(7), ['manifest/wrong-type /spec/administrator/userType']],
])

test.each([
  ['11.3', 'GISProfessionalAdvUT', false],
  ['11.4', 'creatorUT', false],
  ...['GISProfessionalBasicUT', 'GISProfessionalStdUT', 'GISProfessionalAdvUT'].map(
    name => ['11.4', name, true] as const,
  ),
  ['12.1', 'GISProfessionalStdUT', true],
])('version %s with the user type %s: %s', (version, name, isMerged) => {
  const found = diagnosticsOf({ ...userType(name), '/spec/site/version': version })
  expect(found.some(({ code }) => code === 'administrator/user-type-merged')).toBe(isMerged)
  expect(found.every(({ severity }) => severity !== 'error')).toBe(true)
})

const level = (name: string): Changes => ({ '/spec/logLevel': name })
rule('the log level is reported', [
  ...reportedLogLevels.map(name => [name, level(name), []] as const),
  ['other capitals', level('Info'), ['log/level /spec/logLevel']],
  ['an unknown one', level('ALL'), ['log/level /spec/logLevel']],
])

const serverFile = { '/spec/license/serverFile': 'licenses/server.ecp' }
const declared = (value: string): Changes => ({ '/spec/site/version': value })
rule('the server license fits the version', [
  ['one file, if the version needs two', declared('11.0'), []],
  ['two files, if the version needs two', { ...declared('10.9.1'), ...serverFile }, []],
  [
    'two files, if the version needs one',
    { ...declared('11.0'), ...serverFile },
    ['license/server-file-needless /spec/license/serverFile'],
  ],
  [
    'one file, if the version needs two licenses',
    declared('10.9.1'),
    ['license/server-file-absent /spec/license'],
  ],
  [
    'a misspelt one',
    { ...declared('10.9'), '/spec/license/server_file': 'licenses/server.ecp' },
    ['manifest/unknown-field /spec/license/server_file'],
  ],
  ['a version that is too old', declared('10.8'), ['version/unsupported /spec/site/version']],
  [
    'an invalid version',
    { ...declared('new'), ...serverFile },
    ['manifest/malformed-value /spec/site/version'],
  ],
])

const development = (name: string, labels: JsonObject = {}): Changes => ({
  '/metadata/name': name,
  '/metadata/labels': labels,
  '/spec/profile': 'development',
})
const inProduction = ['profile/development-in-production /spec/profile']
rule('development is not production', [
  ['another profile', { ...development('production'), '/spec/profile': 'enhanced-availability' }, []],
  ['production by its name', development('production'), inProduction],
  ['production by the end of its name', development('gis-prod'), inProduction],
  ['production by a part of its name', development('gis.prod.eu'), inProduction],
  ['production by a label', development('gis', { stage: 'Production' }), inProduction],
  ['production by both, reported once', development('prod', { stage: 'prod' }), inProduction],
  ['products', development('products-test'), []],
  ['a stage before production', development('pre-prod'), []],
  ['not production', development('gis', { stage: 'non-production' }), []],
  ['a word that only ends like it', development('techno-prod'), inProduction],
  [
    'a label that is not text, which the schema rejects',
    development('gis', { prod: 1 }),
    ['manifest/wrong-type /metadata/labels/prod'],
  ],
])

const property = (name: string): Changes => ({ '/spec/systemProperties': { [name]: 'x' } })
const nearProperty = (name: string) => [`site/system-property /spec/systemProperties/${name}`]
rule('system properties are spelt as reported', [
  ...reportedSystemProperties.map(name => [name, property(name), []] as const),
  [
    'other capitals',
    property('containerStartupTimeoutSeconds'),
    nearProperty('containerStartupTimeoutSeconds'),
  ],
  [
    'a missing letter',
    property('containerStartUpTimeoutSecond'),
    nearProperty('containerStartUpTimeoutSecond'),
  ],
  ['another property of the same kind', property('arcgis.com.map.text'), []],
  ['another unit', property('containerStartUpTimeoutMinutes'), []],
  ['an unknown one', property('mode'), []],
  [
    'a similar one next to the reported one',
    { '/spec/systemProperties': { containerStartUpTimeoutSeconds: 1, containerStartupTimeoutSeconds: 2 } },
    [],
  ],
])

test.each<[string, Changes, Fix | undefined]>([
  ['a log level', level('info'), { kind: 'replace', by: 'INFO' }],
  ['a user type', userType('CreatorUT'), { kind: 'replace', by: 'creatorUT' }],
  ['a provider', nameOf('Azure', 'STORAGE-ACCOUNT-KEY'), { kind: 'replace', by: 'AZURE' }],
  [
    'a system property',
    property('containerStartupTimeoutSeconds'),
    { kind: 'rename', to: 'containerStartUpTimeoutSeconds' },
  ],
  ['only the capitals of a log level', level('INFOS'), undefined],
  ['only the capitals of a user type', userType('creator'), undefined],
  ['no other provider', nameOf('AWS', 'HMAC-KEYS'), undefined],
  ['only the capitals of a system property', property('containerStartUpTimeoutSecond'), undefined],
])('the capitals of %s are fixed', (_, changes, fix) => {
  const [diagnostic, ...more] = diagnosticsOf(changes)
  expect(more).toEqual([])
  expect(diagnostic).toMatchObject({ severity: 'warning' })
  expect(diagnostic?.fix).toEqual(fix)
})

const expression = (value: JsonObject): Changes => ({ '/spec/upgrade': anUpgradeWith(value) })
const at =
  '/spec/upgrade/podPlacementPolicy/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0'
rule('comparisons have values', [
  ['In with values', expression({ key: 'k', operator: 'In', values: ['v'] }), []],
  ['NotIn with values', expression({ key: 'k', operator: 'NotIn', values: ['v', 'w'] }), []],
  ['Exists without values', expression({ key: 'k', operator: 'Exists' }), []],
  ['DoesNotExist with an empty list', expression({ key: 'k', operator: 'DoesNotExist', values: [] }), []],
  [
    'In without values',
    expression({ key: 'k', operator: 'In' }),
    [`placement/values-required ${at}/operator`],
  ],
  [
    'In with an empty list',
    expression({ key: 'k', operator: 'In', values: [] }),
    [`placement/values-required ${at}/values`],
  ],
  [
    'NotIn without values',
    expression({ key: 'k', operator: 'NotIn' }),
    [`placement/values-required ${at}/operator`],
  ],
  [
    'an operator of other node fields',
    expression({ key: 'k', operator: 'Equals', values: ['1'] }),
    [`manifest/value-not-allowed ${at}/operator`],
  ],
])

const toleration = (value: JsonObject): Changes => ({
  '/spec/upgrade': { podPlacementPolicy: { tolerations: [value] } },
})
const atToleration = '/spec/upgrade/podPlacementPolicy/tolerations/0'
rule('Exists has no value', [
  ['Exists', toleration({ key: 'k', operator: 'Exists', effect: 'NoSchedule' }), []],
  ['Equal with a value', toleration({ key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute' }), []],
  ['a value without an operator', toleration({ key: 'k', value: 'v', effect: 'NoExecute' }), []],
  [
    'Exists with a value',
    toleration({ key: 'k', operator: 'Exists', value: 'v' }),
    [`placement/toleration-value ${atToleration}/value`],
  ],
  [
    'Exists with an empty value',
    toleration({ key: 'k', operator: 'Exists', value: '' }),
    [`placement/toleration-value ${atToleration}/value`],
  ],
  [
    'another operator',
    toleration({ key: 'k', operator: 'In' }),
    [`manifest/value-not-allowed ${atToleration}/operator`],
  ],
  [
    'another effect',
    toleration({ key: 'k', effect: 'Never' }),
    [`manifest/value-not-allowed ${atToleration}/effect`],
  ],
])

const extra = (name: string): Changes => ({ [`/spec/extra/${name}`]: 'x' })
const parameters = [...new Set(parameterPaths.map(({ parameter }) => parameter.name))]
rule('extra parameters are unknown', [
  ['a future parameter', extra('newParameter'), ['extra/passed-through /spec/extra/newParameter']],
  [
    'two of them',
    { '/spec/extra': { one: 1, two: 2 } },
    ['extra/passed-through /spec/extra/one', 'extra/passed-through /spec/extra/two'],
  ],
  ['the format', extra('f'), ['extra/known-parameter /spec/extra/f']],
  ['the server license', extra('serverLicenseFile'), ['extra/known-parameter /spec/extra/serverLicenseFile']],
  ...parameters.map(name => [name, extra(name), [`extra/known-parameter /spec/extra/${name}`]] as const),
])

describe('every rule', () => {
  const strange: readonly JsonValue[] = [null, true, 7, 'text', [], {}, [[]], [{}], { a: null }]
  const fields = listFieldPointers().filter(pointer => !/\/\d/.test(pointer))
  test.each(['/spec', '/metadata', ...fields] as const)('accepts any value at %s', pointer => {
    for (const value of strange) expect(Array.isArray(problemsOf({ [pointer]: value }))).toBe(true)
  })

  test('reports nothing for a value without fields', () => {
    for (const value of strange)
      for (const check of rules)
        expect([
          ...check({ value, index: new ValueIndex(value), version: undefined, numeral: () => undefined }),
        ]).toEqual([])
  })

  test('reports nothing for a valid manifest', () => {
    const value = aManifest()
    const index = new ValueIndex(value)
    const valid = { value, index, version: '11.2', numeral: () => undefined } as const
    for (const check of rules) expect([...check(valid)]).toEqual([])
  })
})
