import {
  type CredentialType,
  type CredentialTypeName,
  credentialTypeNames,
  credentialTypes,
  type ProviderKind,
  reportedProviderNames,
} from '../../src/contract/cloud.js'
import { listFields } from '../../src/contract/fields.js'
import { volumeComponents } from '../../src/contract/volumes.js'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { isObject, type JsonObject, type JsonValue } from '../../src/schema/json-schema.js'
import { appendSegment, type JsonPointer, splitPointer } from '../../src/schema/pointer.js'
import { anOrganization } from './an-organization.js'

const { license, administrator } = anOrganization() as unknown as Readonly<
  Record<'license' | 'administrator', JsonObject>
>
export const deploymentProfiles = {
  availability: { name: 'standard', parameter: 'anAvailability' },
  performance: { name: 'enhanced', parameter: 'aPerformance' },
}

/** Returns a small valid manifest, with only the fields that the version requires. */
export function aSmallManifest(version = '11.2'): JsonObject {
  return {
    apiVersion: 'landform.dev/v1',
    kind: 'SiteDeployment',
    metadata: { name: 'production' },
    spec: {
      site: { url: 'https://gis.example.org/arcgis/admin', version },
      license,
      administrator,
      ...(/^(?:12\.[1-9]|1[3-9]|[2-9]\d)/.test(version) && { deploymentProfiles }),
      volumes: Object.fromEntries(volumeComponents.map(name => [name, aVolume()])),
    },
  }
}

/** Every optional field whose value is a text or a list of texts, with an example. New fields are included automatically. */
export const plainFields: readonly (readonly [JsonPointer, JsonValue])[] = listFields('configure').flatMap(
  ({ pointer, shape, required }): readonly (readonly [JsonPointer, JsonValue])[] => {
    if (required !== 'no') return []
    if (shape.kind === 'texts') return shape.examples.slice(0, 1).map(example => [pointer, example])
    return shape.kind === 'text' ? [[pointer, shape.example]] : []
  },
)

/** Returns a valid manifest with a value in every section; for version 11.2 if that has the credential type. */
export function aFullManifest(credential: CredentialTypeName = 'ACCESS-KEY'): JsonObject {
  const additions: readonly (readonly [JsonPointer, JsonValue])[] = [
    ['/metadata/labels', { team: 'gis' }],
    ['/metadata/annotations', { 'config.kubernetes.io/local-config': 'true' }],
    ['/spec/site/token', { env: 'LANDFORM_TOKEN' }],
    [
      '/spec/site/signIn',
      { username: 'operations', password: { env: 'LANDFORM_OPS_PASSWORD' }, lifetime: '2h', path: '/token' },
    ],
    ['/spec/license/serverFile', 'licenses/server.ecp'],
    ['/spec/profile', 'standard-availability'],
    ['/spec/volumes/BLOB/provisioningType', 'DYNAMIC'],
    ['/spec/volumes/BLOB/labels', { 'arcgis/tier': 'storage', 'arcgis/app': 'ozone' }],
    ['/spec/cloudStorage', [aProvider(credential)]],
    ['/spec/dataStores', [aDataStore()]],
    ...plainFields,
    ['/spec/systemProperties', { containerStartUpTimeoutSeconds: 1800 }],
    ['/spec/upgrade', { podPlacementPolicy: aPolicy() }],
    ['/spec/extra', { somethingNewer: 'on' }],
  ]
  return additions.reduce<JsonObject>(
    (manifest, [pointer, value]) => changed(manifest, pointer, value),
    aSmallManifest(credentialTypeNames.includes(credential) ? '11.2' : '11.5'),
  )
}

/** Returns a volume that is valid for every component. */
export function aVolume(): JsonObject {
  return { size: '32Gi', storageClass: 'gp3', labels: { tier: 'storage', app: 'gis' } }
}

export function aDataStore(): JsonObject {
  const info = { fileServerHost: 'nfs.example.org', fileServerType: 'NFS', fileServerPath: '/export/imagery' }
  return { clientPath: '/data/imagery', type: 'folder', info }
}

export function aPolicy(): JsonObject {
  const required = [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['upgrades'] }] }]
  const preferred = [{ matchExpressions: [{ key: 'fast', operator: 'Exists' }] }]
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: required },
      preferredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: preferred },
    },
    tolerations: [
      { key: 'dedicated', operator: 'Equal', value: 'upgrades', effect: 'NoSchedule' },
      { key: 'spot', operator: 'Exists' },
    ],
  }
}

const connections: Readonly<Record<ProviderKind, JsonObject>> = {
  bucket: { bucketName: 'gis-objects', region: 'eu-west-1', rootDir: 'prod' },
  container: { containerName: 'gis-objects', rootDir: 'prod' },
  'regionless-bucket': { bucketName: 'gis-objects', rootDir: 'prod' },
}

/** Returns a cloud provider with a matching credential and connection. */
export function aProvider(type: CredentialTypeName): JsonObject {
  const { provider, secret, beside = [] }: CredentialType = credentialTypes[type]
  const others = beside.map(({ name }) => [name, '00000000-0000-0000-0000-000000000000'])
  const entries = secret.map(({ name }) => [name, { env: `LANDFORM_${name.toUpperCase()}` }])
  const service = {
    name: 'objects',
    type: 'objectStore',
    usage: 'DEFAULT',
    category: 'storage',
    connection: connections[provider],
  }
  return {
    name: reportedProviderNames[provider],
    credential: {
      type,
      ...(Object.fromEntries(others) as JsonObject),
      ...(entries.length > 0 && { secret: Object.fromEntries(entries) as JsonObject }),
    },
    cloudServices: [service],
  }
}

/** Returns the value with a replacement at a pointer. Creates missing parents. */
export function changed<T extends JsonValue>(value: T, pointer: JsonPointer, replacement: JsonValue): T {
  return edited(value, splitPointer(pointer), () => replacement) as T
}

/** Returns the value without the member or element at a pointer. */
export function removed<T extends JsonValue>(value: T, pointer: JsonPointer): T {
  return edited(value, splitPointer(pointer), () => undefined) as T
}

/** Returns the value with a member renamed in its position. */
export function renamed<T extends JsonValue>(value: T, pointer: JsonPointer, name: string): T {
  const path = splitPointer(pointer)
  const last = path.at(-1)
  return edited(value, path.slice(0, -1), owner =>
    Object.fromEntries(
      Object.entries(owner as JsonObject).map(([key, member]) => [key === last ? name : key, member]),
    ),
  ) as T
}

/** Lists the pointers of all members and elements, except the root. */
export function pointersIn(value: JsonValue, at: JsonPointer = ''): readonly JsonPointer[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]: [string, JsonValue]) => {
    const pointer = appendSegment(at, key)
    return [pointer, ...pointersIn(member, pointer)]
  })
}

/** Returns the value at a pointer, or `undefined`. */
export function valueAt(value: JsonValue, pointer: JsonPointer): JsonValue | undefined {
  return splitPointer(pointer).reduce<JsonValue | undefined>(memberOf, value)
}

/** Loads a manifest with this content. Returns its diagnostics. */
export function diagnosticsOf(value: JsonValue): readonly Diagnostic[] {
  // JSON is valid YAML; indentation avoids overlong lines.
  const bytes = new TextEncoder().encode(JSON.stringify(value, null, 1))
  return loadManifest({ name: 'site.yaml', bytes }).diagnostics
}

/** Returns the codes of the errors, in the order of the file. */
export function errorCodesOf(value: JsonValue): readonly string[] {
  return diagnosticsOf(value)
    .filter(({ severity }) => severity === 'error')
    .map(({ code }) => code)
}

type Edit = (old: JsonValue | undefined) => JsonValue | undefined

function edited(value: JsonValue | undefined, path: readonly string[], edit: Edit): JsonValue | undefined {
  const [segment, ...rest] = path
  if (segment === undefined) return edit(value)
  const member = edited(memberOf(value, segment), rest, edit)
  if (Array.isArray(value)) {
    const [before, after] = [value.slice(0, Number(segment)), value.slice(Number(segment) + 1)]
    return [...before, ...(member === undefined ? [] : [member]), ...after]
  }
  const owner = isObject(value) ? value : {}
  const { [segment]: _, ...others } = owner
  return member === undefined ? others : { ...owner, [segment]: member }
}

function memberOf(owner: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (Array.isArray(owner)) return (owner as readonly JsonValue[])[Number(segment)]
  return isObject(owner) && Object.hasOwn(owner, segment) ? owner[segment] : undefined
}
