import { volumeComponents } from '../../../src/contract/volumes.js'
import type { JsonObject } from '../../../src/schema/json-schema.js'
import { aManifest, type Changes } from '../../support/changed-manifest.js'
import { someSecrets } from '../../support/some-secrets.js'
import type { MeantParameters } from './meant.js'

/** A manifest with its variables and files, and the parameters that its author means. */
export interface TomcatCase {
  readonly what: string
  /** The version of the site. */
  readonly version: string
  readonly manifest: JsonObject
  readonly environment: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, Buffer>>
  readonly meant: MeantParameters
  /** The form that is sent once the organization exists. */
  readonly update?: MeantParameters
}

/** Text as people write it, with characters that a careless encoder or parser changes. */
const awkward = 'Zoë O\u2019Brien-Łukasz \u0416 漢字 🗺️ "quoted" \\ % %41 + & = ; @x < y'
const lines = 'first\nsecond\r\n\r\n--boundary\r\nContent-Disposition: form-data; name="f"\r\n\r\nhtml'
const password = 'P\u00e4ssw\u00f6rt-1 @<$`"\'\\&=+%41;type=text/html'

const license = Buffer.from('{"license":"\u00e9\r\n--"}\0\xff', 'latin1')
const size = { size: '32Gi', storageClass: 'gp3', labels: { tier: 'storage', app: 'gis' } }
const smallMeant: MeantParameters = {
  username: 'siteadmin',
  password: someSecrets.LANDFORM_ADMIN_PASSWORD,
  email: 'admin@example.org',
  fullName: 'Site Administrator',
  userLicenseTypeId: 'creatorUT',
  securityQuestionIdx: '13',
  securityQuestionAns: someSecrets.LANDFORM_SECURITY_ANSWER,
  licenseFile: { file: license, ending: 'json' },
  volumesConfig: {
    json: {
      volumesConfig: volumeComponents.map(component => ({ provisioningType: 'DYNAMIC', component, ...size })),
    },
  },
  f: 'json',
}

/** Creates a case from a small manifest with changes, and adds the parameters that the changes mean. */
export function aCase(
  what: string,
  changes: Changes,
  { environment = {}, files = {}, meant, update }: Partial<TomcatCase>,
): TomcatCase {
  return {
    what,
    version: String(changes['/spec/site/version'] ?? '11.2'),
    manifest: aManifest(changes) as JsonObject,
    environment: { ...someSecrets, ...environment },
    files: { 'licenses/site.json': license, ...files },
    meant: { ...smallMeant, ...meant },
    ...(update && { update }),
  }
}

const dataStore = {
  clientPath: `/data/${awkward}`,
  type: 'folder',
  info: { fileServerHost: 'nfs.example.org', fileServerType: 'NFS', fileServerPath: '/export/Bilder Größe' },
}
const terms = [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['upgrades', 'a.b'] }] }]
const toleration = { key: 'dedicated', operator: 'Equal', value: 'upgrades', effect: 'NoSchedule' }
const policy = {
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
  tolerations: [toleration],
}
const token = 'a+b/c==&f=html%41~token'

/** Every parameter, with letters of several scripts wherever they are allowed. Service §2, §4.3, §4.4. */
export const everyParameterCase: TomcatCase = aCase(
  'every parameter',
  {
    '/spec/site/version': '11.2',
    '/spec/site/token': { env: 'LANDFORM_TOKEN' },
    '/spec/administrator/username': 'site.admin@example_org-1',
    '/spec/administrator/fullName': awkward,
    '/spec/administrator/firstName': '@/etc/passwd',
    '/spec/administrator/lastName': '<etc/passwd;type=text/html',
    '/spec/administrator/description': lines,
    '/spec/administrator/userType': 'GISProfessionalAdvUT',
    '/spec/administrator/securityQuestion': {
      question: 'Where did you go on your first date?',
      answer: { file: 'secrets/answer' },
    },
    '/spec/profile': 'enhanced-availability',
    '/spec/logLevel': 'FINE',
    '/spec/systemProperties': { [awkward]: lines, number: 1800, list: [true, null, { deep: 'Größe' }] },
    '/spec/folders': ['/data/a', `/data/${awkward}`],
    '/spec/dataStores': [dataStore],
    '/spec/cloudStorage': [
      {
        name: awkward,
        credential: { type: 'IAM-ROLE' },
        cloudServices: [
          { name: 'AWS S3', connection: { bucketName: 'gis', region: 'eu-west-1', rootDir: 'Größe' } },
        ],
      },
    ],
    '/spec/upgrade': { podPlacementPolicy: policy },
    '/spec/extra': { newText: awkward, newObject: { [awkward]: [lines] } },
  },
  {
    environment: { LANDFORM_ADMIN_PASSWORD: password, LANDFORM_TOKEN: token },
    files: { 'secrets/answer': Buffer.from(`${awkward}\n`) },
    meant: {
      username: 'site.admin@example_org-1',
      password,
      fullName: awkward,
      firstName: '@/etc/passwd',
      lastName: '<etc/passwd;type=text/html',
      description: lines,
      userLicenseTypeId: 'GISProfessionalAdvUT',
      securityQuestionIdx: '14',
      securityQuestionAns: awkward,
      systemArchitectureProfile: { json: { name: 'enhanced-availability' } },
      logSettings: { json: { logLevel: 'FINE' } },
      systemProperties: { json: { [awkward]: lines, number: 1800, list: [true, null, { deep: 'Größe' }] } },
      folderPathsToRegister: { json: { paths: ['/data/a', `/data/${awkward}`] } },
      userManagedStores: { json: [dataStore] },
      cloudConfig: {
        json: [
          {
            name: awkward,
            credential: { type: 'IAM-ROLE' },
            cloudServices: [
              {
                name: 'AWS S3',
                type: 'objectStore',
                usage: 'DEFAULT',
                category: 'storage',
                connection: { bucketName: 'gis', region: 'eu-west-1', rootDir: 'Größe' },
              },
            ],
          },
        ],
      },
      newText: awkward,
      newObject: { json: { [awkward]: [lines] } },
    },
    update: { upgradeConfig: { json: { podPlacementPolicy: policy } }, token, f: 'json' },
  },
)

/** Creates a case with each text in a parameter of its own. Manifests do not allow all of these texts. */
export function aTextCase(texts: readonly string[]): TomcatCase {
  const extra = Object.fromEntries(texts.map((text, at) => [`text${at}`, text]))
  return aCase('texts', { '/spec/extra': extra }, { meant: extra })
}

/** Other forms of some parameters; the second license file is for versions before 11.0. */
export const otherForms: readonly [TomcatCase, TomcatCase] = [
  aCase(
    'two license files, and folders in one text',
    {
      '/spec/site/version': '10.9.1',
      '/spec/license/serverFile': 'licenses/server.ecp',
      '/spec/folders': `/data/${awkward}`,
    },
    {
      files: { 'licenses/server.ecp': Buffer.from('server\r\n\0\xff', 'latin1') },
      meant: {
        serverLicenseFile: { file: Buffer.from('server\r\n\0\xff', 'latin1'), ending: 'ecp' },
        folderPathsToRegister: `/data/${awkward}`,
      },
    },
  ),
  aCase(
    'no optional parameter, and tolerations without the rest',
    { '/spec/upgrade': { podPlacementPolicy: { nodeAffinity: {}, tolerations: [toleration] } } },
    {
      update: {
        upgradeConfig: { json: { podPlacementPolicy: { nodeAffinity: {}, tolerations: [toleration] } } },
        f: 'json',
      },
    },
  ),
]

const names = 'Zo\u00eb O\u2019Brien-\u0141ukasz \u0416 漢字 🗺️'

const withPolicy: Changes = {
  '/spec/site/token': { env: 'LANDFORM_TOKEN' },
  '/spec/upgrade': { podPlacementPolicy: policy },
}
const policyUpdate: MeantParameters = {
  upgradeConfig: { json: { podPlacementPolicy: policy } },
  token: someSecrets.LANDFORM_TOKEN,
  f: 'json',
}
const jsonLicense = Buffer.from(JSON.stringify({ customer: 'Example', features: [{ name: 'portal' }] }))
const licensed = {
  files: { 'licenses/site.json': jsonLicense },
  meant: { licenseFile: { file: jsonLicense, ending: 'json' } },
} as const

/** A manifest in ASCII and one with several scripts. Nothing in them looks like an attack or a boundary. */
export const firewallCases: readonly TomcatCase[] = [
  aCase('ASCII', withPolicy, { ...licensed, update: policyUpdate }),
  aCase(
    'letters of several scripts',
    {
      ...withPolicy,
      '/spec/administrator/fullName': names,
      '/spec/administrator/firstName': 'Zo\u00eb',
      '/spec/administrator/description': `${names} (gr\u00f6\u00dfte Karte)`,
      '/spec/administrator/securityQuestion/answer': { env: 'LANDFORM_ANSWER' },
      '/spec/systemProperties': { [names]: names },
      '/spec/folders': ['/data/a', '/data/Gr\u00f6\u00dfe'],
    },
    {
      environment: { LANDFORM_ADMIN_PASSWORD: 'P\u00e4ssw\u00f6rt-1', LANDFORM_ANSWER: names },
      files: licensed.files,
      meant: {
        ...licensed.meant,
        password: 'P\u00e4ssw\u00f6rt-1',
        fullName: names,
        firstName: 'Zo\u00eb',
        description: `${names} (gr\u00f6\u00dfte Karte)`,
        securityQuestionAns: names,
        systemProperties: { json: { [names]: names } },
        folderPathsToRegister: { json: { paths: ['/data/a', '/data/Gr\u00f6\u00dfe'] } },
      },
      update: policyUpdate,
    },
  ),
]

/** Two exports with letters of several scripts: the words of their command lines, and their forms. Service §4.1. */
export const exportCases: readonly (readonly [words: readonly string[], meant: MeantParameters])[] = [
  [
    ['--location', `/exports/${awkward}`, '--bucket', 'Größe', '--region', 'eu-west-1'],
    {
      location: `/exports/${awkward}`,
      backupObjectStore: 'Größe',
      backupObjectStoreRegion: 'eu-west-1',
      token,
      f: 'json',
    },
  ],
  [
    [
      ...['--location', '/exports/a', '--container', 'https://blob.example.org/gis%20backup'],
      ...[
        '--account-name',
        'Größe',
        '--account-endpoint',
        'blob.example.org',
        '--account-key',
        'env:LANDFORM_KEY',
      ],
    ],
    {
      location: '/exports/a',
      backupObjectStore: 'https://blob.example.org/gis%20backup',
      backupObjectStoreConnectionStr: {
        json: { accountName: 'Größe', accountKey: password, accountEndpoint: 'blob.example.org' },
      },
      token,
      f: 'json',
    },
  ],
]

/** The secrets of the exports. */
export const exportEnvironment = { LANDFORM_TOKEN: token, LANDFORM_KEY: password }

/** Creates a case with a license of this many pseudorandom bytes, which begin like a boundary. */
export function aLicenseCase(bytes: number): TomcatCase {
  const file = Buffer.alloc(bytes)
  for (let at = 0, next = bytes; at < bytes; at += 1) {
    next = (Math.imul(next, 1_103_515_245) + 12_345) & 0x7fffffff
    file[at] = next >> 16
  }
  file.write('\r\n--'.slice(0, bytes), 'latin1')
  return aCase(
    `a license of ${bytes} bytes`,
    { '/spec/license/file': 'licenses/site.ecp' },
    { files: { 'licenses/site.ecp': file }, meant: { licenseFile: { file, ending: 'ecp' } } },
  )
}
