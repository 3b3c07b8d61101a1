import { credentialTypes } from '../contract/cloud.js'
import {
  failedStage,
  preparedProvisioningType,
  reportedLogLevels,
  reportedResources,
  reportedSiteStates,
  serverLicenseBefore,
  tokenErrorCodes,
  upgradeStatesAtRest,
} from '../contract/field-notes.js'
import { matchOperators, tolerationEffects, tolerationOperators } from '../contract/placement.js'
import { anyProfileNames } from '../contract/profiles.js'
import { settingReadings } from '../contract/readings.js'
import {
  inaccessibleLocationCode,
  results,
  rootResources,
  siteStates,
  stageNames,
  stageStates,
} from '../contract/responses.js'
import { manifestVersions } from '../contract/versions.js'
import { documentedProvisioningType, volumeComponents } from '../contract/volumes.js'
import type { JsonObject, JsonValue } from '../schema/json-schema.js'
import { identifier } from './evidence.js'

/** Deeper structures, and further members of a list or an object, are replaced by a placeholder. */
const maxDepth = 16
const maxMembers = 100

/**
 * Replaces each value of a response body by its type and length, such as `<text 12>`, and each key that is not a field
 * name by its length. Keeps the structure, `null`, and words of the closed vocabulary.
 */
export function toShape(value: JsonValue, resource: string): JsonValue {
  return reduce(value, { resource, parent: '', field: '' }, 0)
}

function reduce(value: JsonValue, place: ValuePlace, depth: number): JsonValue {
  if (value === null) return null
  if (typeof value === 'string') return reduceText(value, place)
  if (typeof value === 'number') {
    if (isKnownWord(value, place)) return value
    return Number.isSafeInteger(value) && value >= 0 ? `<integer ${String(value).length}>` : '<number>'
  }
  if (typeof value === 'boolean') return '<boolean>'
  if (depth >= maxDepth) return '<deeper>'
  if (!Array.isArray(value)) return reduceObject(value as JsonObject, place, depth + 1)
  const kept = value.slice(0, maxMembers).map((one: JsonValue) => reduce(one, place, depth + 1))
  return value.length > maxMembers ? [...kept, formatMore(value.length - maxMembers)] : kept
}

function reduceText(value: string, place: ValuePlace): string {
  if (isKnownWord(value, place)) return value
  const { length } = value
  const release = place.field === versionField ? findRelease(value) : undefined
  if (release !== undefined) return `<version ${release} ${length}>`
  if (identifier.test(value)) return `<identifier ${length}>`
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? `<address ${length}>` : `<text ${length}>`
}

function reduceObject(object: JsonObject, { resource, field: parent }: ValuePlace, depth: number): JsonValue {
  const seen = new Map<number, number>()
  const entries = Object.entries(object)
  const kept = entries.slice(0, maxMembers)
  const isKept = chooseNames(parent, kept)
  const members = kept.map(([key, value]) => {
    const isName = isKept(key)
    const shape = reduce(value, { resource, parent, field: isName ? key : '' }, depth)
    if (isName) return [key, shape] as const
    const count = (seen.get(key.length) ?? 0) + 1
    seen.set(key.length, count)
    return [`<key ${key.length}${count === 1 ? '' : ` ${count}`}>`, shape] as const
  })
  const more = entries.length - maxMembers
  return Object.fromEntries(more > 0 ? [...members, [formatMore(more), null]] : members)
}

/**
 * Chooses the keys to keep. If every member is a structure and at least one key is not a field name, the keys probably
 * name things of the site; then single words are not kept either, such as `admin` beside `ada`.
 */
function chooseNames(
  parent: string,
  members: readonly (readonly [string, JsonValue])[],
): (key: string) => boolean {
  if (dataKeyed.includes(parent)) return () => false
  const isStructure = (value: JsonValue) => typeof value === 'object' && value !== null
  const namesThings =
    members.every(([, value]) => isStructure(value)) && members.some(([key]) => !isFieldName(key))
  return key => isFieldName(key) && (!namesThings || /[a-z][A-Z]/.test(key))
}

function formatMore(count: number): string {
  return `<more ${count}>`
}

/** The place of a value: resource, field, and parent field. Names are empty at the top and for keys that are data. */
interface ValuePlace {
  readonly resource: string
  readonly parent: string
  readonly field: string
}

/**
 * Tests whether a key is a field name. Field names are not known in advance, so each word of the key must be common in
 * such APIs. This removes keys that name something of the site.
 */
export function isFieldName(key: string): boolean {
  if (key.length > 64 || !/^[a-z]+(?:[._]?[a-z]+)*$/i.test(key)) return false
  return key.split(/[._]|(?<=[a-z])(?=[A-Z])/).every(word => words.has(word.toLowerCase()))
}

/** Fields whose keys are data, such as labels chosen by the operator of the site. Service §2.4. */
const dataKeyed: readonly string[] = ['labels', 'matchLabels', 'annotations', 'nodeSelector']

/** Tests whether a word or number belongs to the closed vocabulary of its place, ignoring case. */
function isKnownWord(value: string | number, { resource, parent, field }: ValuePlace): boolean {
  const known = [
    ...(vocabulary.get(field) ?? []),
    ...(vocabulary.get(`${parent}.${field}`) ?? []),
    ...(profileResources.includes(resource) && field !== '' ? anyProfileNames : []),
  ]
  const wanted = typeof value === 'string' ? value.toLowerCase() : value
  return known.some(one => (typeof one === 'string' ? one.toLowerCase() : one) === wanted)
}

/** Finds the known release of a full version: `11.4` for `11.4.0.6285`. */
function findRelease(version: string): string | undefined {
  if (version.length > 40 || !/^\d+(?:\.\d+)+$/.test(version)) return undefined
  return releases.findLast(release => version === release || version.startsWith(`${release}.`))
}

const versionField = 'fullVersion'

const releases: readonly string[] = [...manifestVersions, serverLicenseBefore]

const { profile, availability, performance } = settingReadings
const profileResources: readonly string[] = [profile.path, availability.path, performance.path]

/** The values of `error.code` with a meaning in HTTP, in the field notes, or in upgrades. */
const codes = [
  0,
  3,
  400,
  401,
  403,
  404,
  405,
  409,
  429,
  tokenErrorCodes.invalid,
  tokenErrorCodes.required,
  inaccessibleLocationCode,
  501,
  502,
  503,
  504,
]

/** The known values of fields, by the field alone or with its parent. Service §2; field notes §1, §2, §4. */
const vocabulary: ReadonlyMap<string, readonly (string | number)[]> = new Map<
  string,
  readonly (string | number)[]
>([
  [
    'state',
    [
      ...Object.values(siteStates),
      ...Object.values(reportedSiteStates),
      ...stageStates,
      failedStage,
      ...upgradeStatesAtRest,
    ],
  ],
  ['stages.name', stageNames],
  ['status', [...Object.values(results), 'error', 'failed', 'failure']],
  ['code', codes],
  ['currentVersion', releases.map(Number).filter(Number.isFinite)],
  ['resources', [...rootResources, ...reportedResources]],
  ['logLevel', reportedLogLevels],
  ['component', volumeComponents],
  ['provisioningType', [documentedProvisioningType, preparedProvisioningType]],
  ['credential.type', Object.keys(credentialTypes)],
  ['cloudServices.type', ['objectStore']],
  ['usage', ['DEFAULT']],
  ['category', ['storage']],
  ['operator', [...matchOperators, ...tolerationOperators, 'Gt', 'Lt']],
  ['effect', tolerationEffects],
])

/** The words of field names in the service document, in the field notes and in Kubernetes. */
const words: ReadonlySet<string> = new Set(
  `access account active admin administrator affinity age all allow allowed and annotations app arcgis architecture
  availability available backup beside blob bucket build by bytes cache capacity category certificate change changed changes
  class client cloud code com components component config configuration configure connection container containers content cores
  count cpu create created credential current custom data datastore datastores date day days default definitions deployment dir
  description detail details disk display does domain downtime during effect email enable enabled encrypted end endpoint
  environment error errors event events execution exists expiration expires expressions extension extensions features field
  fields file files first folder folders for format full gp gpu group groups hardware has health history host hosts id ids
  ignored image images in index info initial install installed instance instances interval ip is item items java job jobs key
  keys kind label labels language last lang level levels license licenses limit limits list location log logs machine machines
  managed manager map match max maximum mem memory message messages method min minimum minutes mode modified ms name names
  namespace next node nodes not number of operation operations operator optional options org organization organizations orgs
  owner package page parameters parent password path paths pending percent performance period placement platform pod pods
  policies policy port ports preference preferred primary priority private privileges profile profiles progress properties
  property protocol provider provisioning public publishers publishing queue read ready reason region registered relational
  release replicas request requests required reserved resource resources response result results retention role roles root rule
  rules running scale scaling scheduled scheduling schema seconds secondary secret security selector selectors server service
  services setting settings severity sharing size sizes source spec ssl stage stages start started starts startup state
  status step stop storage store stores string summary supported system tasks templates term terms text threads tier time timeout
  times title to token tolerate toleration tolerations total type types unit units up update updated updates upgrade upgrades
  upload uploads uri url urls usage use used user username users utc uuid validate value values version versions visible volume
  volumes warning warnings web webhook webhooks weight with workload write zone zones start build whitelist extension`.split(
    /\s+/,
  ),
)
