import type { Organization, PodPlacementPolicy } from '../../src/manifest/manifest.js'
import { isObject, type JsonObject, type JsonValue } from '../../src/schema/json-schema.js'
import { type JsonPointer, splitPointer } from '../../src/schema/pointer.js'
import { anOrganization } from './an-organization.js'
import { aDataStore, changed, deploymentProfiles, plainFields } from './manifest-value.js'

/**
 * The request parameters of each field, by its path in a manifest: name, whether it is required, type, encoding, and the
 * version that introduced it. Written by hand, so that a test detects every added or removed field. Service §4.3, §4.4, §9.
 */
export const everyParameter = {
  configure: {
    '/spec/administrator/username': ['username', 'yes', 'string', 'text', '10.9'],
    '/spec/administrator/password': ['password', 'yes', 'string', 'text', '10.9'],
    '/spec/administrator/email': ['email', 'yes', 'string', 'text', '10.9'],
    '/spec/administrator/fullName': ['fullName', 'yes', 'string', 'text', '10.9'],
    '/spec/administrator/firstName': ['firstName', 'no', 'string', 'text', '10.9'],
    '/spec/administrator/lastName': ['lastName', 'no', 'string', 'text', '10.9'],
    '/spec/administrator/description': ['description', 'no', 'string', 'text', '10.9'],
    '/spec/administrator/securityQuestion': ['securityQuestionIdx', 'yes', 'integer', 'text', '10.9'],
    '/spec/administrator/securityQuestion/answer': ['securityQuestionAns', 'yes', 'string', 'text', '10.9'],
    '/spec/administrator/userType': ['userLicenseTypeId', 'yes', 'string', 'text', '10.9'],
    '/spec/license/file': ['licenseFile', 'yes', 'file', 'file', '10.9'],
    '/spec/volumes': ['volumesConfig', 'yes', 'JSON object', 'json', '10.9'],
    '/spec/cloudStorage': ['cloudConfig', 'no', 'JSON array', 'json', '11.2'],
    '/spec/logLevel': ['logSettings', 'no', 'JSON object', 'json', '10.9'],
    '/spec/systemProperties': ['systemProperties', 'no', 'JSON object', 'json', '10.9'],
    '/spec/profile': ['systemArchitectureProfile', 'no', 'JSON object', 'json', '10.9'],
    '/spec/folders': ['folderPathsToRegister', 'no', 'string', 'text', '10.9'],
    '/spec/dataStores': ['userManagedStores', 'no', 'JSON array', 'json', '10.9.1'],
  },
  update: {
    '/spec/upgrade': ['upgradeConfig', 'not-shown', 'JSON object', 'json', '11.2'],
    '/spec/site/token': ['token', 'not-shown', 'string', 'text', '11.2'],
  },
} as const satisfies Readonly<Record<'configure' | 'update', Readonly<Record<string, readonly string[]>>>>

/** Fields of `spec` that are newer than `configure`, in the order above. */
export const newerParameters = Object.values(everyParameter).flatMap(parameters =>
  Object.entries(parameters).flatMap(([pointer, [, , , , since]]) =>
    since !== '10.9' && pointer.split('/').length === 3
      ? [{ name: pointer.slice('/spec/'.length), since }]
      : [],
  ),
)

const connection = {
  bucketName: 'b',
  region: 'r',
  rootDir: 'd',
  containerName: 'c',
  accountEndpointUrl: 'https://a.example.org',
  regionEndpointUrl: 'https://r.example.org',
}
const cloudServices = [{ name: 'S', type: 'objectStore', usage: 'DEFAULT', category: 'storage', connection }]
const secret = {
  accessKey: { env: 'LANDFORM_ACCESS' },
  secretKey: { env: 'LANDFORM_SECRET' },
  storageAccountName: 'account',
  storageAccountKey: { file: 'secrets/key' },
}
const volume = {
  provisioningType: 'DYNAMIC',
  size: '16Gi',
  storageClass: 'gp3',
  // Looks like a secret reference, but is not one.
  labels: { env: 'production' },
}
const { administrator, volumes } = anOrganization()

const spelled = {
  license: { file: 'licenses/site.json', serverFile: 'licenses/server.ecp' },
  administrator: {
    ...administrator,
    securityQuestion: { question: 'What is your dream job?', answer: { env: 'LANDFORM_SECURITY_ANSWER' } },
  },
  profile: 'development',
  volumes: Object.fromEntries(Object.keys(volumes).map(component => [component, volume])),
  cloudStorage: [
    { name: 'C', credential: { type: 'ACCESS-KEY', managedIdentityClientId: 'id', secret }, cloudServices },
  ],
  dataStores: [aDataStore()],
  systemProperties: { timeout: 1800, nested: { env: 'x' } },
  deploymentProfiles,
  extra: { newThing: { file: 'x' } },
}

/** An organization that sets every field, even those that cannot be combined. The secret question is given by text only. */
export const everyField = plainFields.reduce<JsonObject>(
  (manifest, [pointer, value]) => changed(manifest, pointer, value),
  { spec: spelled },
)['spec'] as unknown as Organization

const terms = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] }] }

export const everyPolicyField = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: terms,
    preferredDuringSchedulingIgnoredDuringExecution: terms,
  },
  tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'upgrades', effect: 'NoSchedule' }],
} as unknown as PodPlacementPolicy

const others: Readonly<Record<string, JsonValue>> = {
  type: 'HMAC-KEYS',
  size: '99Gi',
  provisioningType: 'STATIC',
  profile: 'enhanced-availability',
  question: 'Where did you go on your first date?',
}

/** Returns the value with one field changed; the pointer determines the new value. */
export function withOther(value: JsonValue, pointer: JsonPointer): JsonValue {
  const path = splitPointer(pointer)
  const [name, ...rest] = path
  if (name === undefined) return otherThan(value, '')
  const inner = (member: JsonValue | undefined) =>
    rest.length === 0 ? otherThan(member ?? null, name) : withOther(member ?? null, pointerOf(rest))
  if (Array.isArray(value))
    return value.map((element: JsonValue, index) => (String(index) === name ? inner(element) : element))
  return isObject(value) ? { ...value, [name]: inner(value[name]) } : value
}

function otherThan(value: JsonValue, name: string): JsonValue {
  const other = others[name]
  if (other !== undefined) return other
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return [...value, 'other']
  if (!isObject(value)) return `${value}-other`
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, `${member}_OTHER`]))
}

function pointerOf(path: readonly string[]): JsonPointer {
  return `/${path.map(name => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`
}
