import { besideNames, cloudServiceFields, connectionFields, findWireName } from '../contract/cloud.js'
import { upgradeStatesAtRest } from '../contract/field-notes.js'
import { profileUses } from '../contract/profiles.js'
import {
  otherReadings,
  type Reading,
  type SettingName,
  settingNames,
  settingReadings,
} from '../contract/readings.js'
import { mayBeSecret } from '../manifest/may-be-secret.js'
import {
  type Readable,
  type SettingValues,
  type SiteSettings,
  selectRead,
  type Unreadable,
} from '../plan/observation.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import { readMember } from '../schema/select.js'
import { aboutToken, findFailure, parseJson } from './decode.js'
import { isForeignAnswer, type Reply } from './failure.js'
import type { GetRequest, HttpAnswer } from './message.js'

/** Requests a resource, with a token or without. */
interface SettingsRequests {
  readonly hasToken: boolean
  get(at: Pick<GetRequest, 'path' | 'query'>): Promise<Reply<HttpAnswer>>
}

/**
 * Reads the settings that a site reports in other resources than the root (public sources). An error is kept as the reason
 * why a setting was not read.
 */
export async function readSettings(requests: SettingsRequests): Promise<SiteSettings> {
  const read = settingNames.map(
    async name =>
      [name, await readSetting<unknown>(requests, settingReadings[name], decoders[name])] as const,
  )
  const [upgrades, ...reported] = await Promise.all([
    readSetting(requests, otherReadings.upgrades, value => (typeof value === 'string' ? value : undefined)),
    ...read,
  ])
  const settings = Object.fromEntries(reported) as unknown as SiteSettings
  return isUpgrading(selectRead(upgrades), settings.upgradeConfig)
    ? { ...settings, upgradeConfig: toUnreadable('upgrading') }
    : settings
}

type Decoders = {
  readonly [S in SettingName]: (value: JsonValue | undefined) => SettingValues[S] | undefined
}

const decoders: Decoders = {
  upgradeConfig: parseUpgradeConfig,
  profile: value => findName(profileUses.profile, value),
  availability: value => findName(profileUses.availability, value),
  performance: value => findName(profileUses.performance, value),
  logLevel: value =>
    typeof value === 'string' && value !== '' && value.length <= maxLevelCharacters ? value : undefined,
  // Names with plain values; anything deeper is another shape.
  systemProperties: body =>
    isObject(body) && Object.values(body).every(value => typeof value !== 'object') ? body : undefined,
  cloudStorage: parseCloudStorage,
}

/** Reads the value of one resource; `not-understood` if `decode` does not know its structure. */
export async function readSetting<T>(
  { hasToken, get }: SettingsRequests,
  { path, query, value: members }: Pick<Reading, 'path' | 'query' | 'value'>,
  decode: (value: JsonValue | undefined) => T | undefined,
): Promise<Readable<T>> {
  const answer = await get({ path, query })
  if (!answer.ok) return toUnreadable('no-answer')
  const rejection = findUnreadable(answer.value, hasToken)
  if (rejection !== undefined) return toUnreadable(rejection)
  const body = parseJson(answer.value.bytes)
  const found = members.reduce<JsonValue | undefined>(readMember, body)
  const value = isObject(body) && isKeepable(body) ? decode(found) : undefined
  return value === undefined ? toUnreadable('not-understood') : { kind: 'read', value }
}

/** Finds the reason why a response has no setting. An error below 500 to a plain GET counts as a missing resource. */
function findUnreadable(answer: HttpAnswer, hasToken: boolean): Unreadable | undefined {
  const failure = findFailure(answer)
  // A page instead of a setting proves nothing about the token.
  if (failure !== undefined && answer.status < 300 && isForeignAnswer(failure)) return 'not-understood'
  const code =
    (failure !== undefined && 'code' in failure ? failure.code : undefined) ?? parseBareCode(answer)
  if (failure?.kind === 'unauthorized' || aboutToken.includes(code))
    return hasToken ? 'not-allowed' : 'no-token'
  if (failure?.kind === 'redirected' || failure?.kind === 'not-understood') return 'not-understood'
  if (failure?.kind === 'trouble' || answer.status >= 500 || code >= 500) return 'no-answer'
  return failure !== undefined || code >= 400 || answer.status !== 200 ? 'not-offered' : undefined
}

/** Parses the code of an error body as other frameworks send it, under any status; 0 if the body is none. */
function parseBareCode({ bytes }: HttpAnswer): number {
  const body = parseJson(bytes)
  if (!isObject(body) || typeof body['message'] !== 'string') return 0
  return Number.isInteger(body['code']) ? Number(body['code']) : 0
}

/**
 * Tests for both signs of a running upgrade: the state is neither at rest nor an end, and the upgrade configuration cannot be
 * read for a reason that a token would not fix.
 */
function isUpgrading(state: string | undefined, config: Readable<unknown>): boolean {
  if (state === undefined || upgradeStatesAtRest.includes(state)) return false
  if (/fail|error|cancel/i.test(state) || config.kind === 'read') return false
  return config.because !== 'no-token' && config.because !== 'not-allowed'
}

function toUnreadable(because: Unreadable): Readable<never> {
  return { kind: 'unreadable', because }
}

const maxDepth = 32
const maxLevelCharacters = 100

/** Parses the upgrade configuration. Public sources show a bare placement policy, and from 12.0 on more fields. */
function parseUpgradeConfig(body: JsonValue | undefined): JsonObject | undefined {
  const policy = readMember(body, 'podPlacementPolicy')
  if (!isObject(body) || !isObject(policy)) return undefined
  const { nodeAffinity = {}, tolerations = [] } = policy
  return isObject(nodeAffinity) && Array.isArray(tolerations) && tolerations.every(isObject)
    ? body
    : undefined
}

/** Finds a known name, in any letter case. Only a known profile counts, because an edit of the profile stops an apply. */
function findName(known: object, value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? Object.keys(known).find(name => name === value.toLowerCase()) : undefined
}

const connectionNames = [
  ...new Set(Object.values(connectionFields).flatMap(fields => fields.map(({ name }) => name))),
]

/**
 * Parses the providers of cloud storage into the structure of a manifest. Takes only documented members: no identifiers, and
 * no part of a secret, which sites mask. Omits services for a use that `configure` does not document. Service §2.5.
 */
function parseCloudStorage(list: JsonValue | undefined): readonly JsonObject[] | undefined {
  if (!Array.isArray(list)) return undefined
  const providers = list.map(parseProvider)
  return providers.every(one => one !== undefined)
    ? providers.filter(({ cloudServices }) => cloudServices.length > 0)
    : undefined
}

function parseProvider(provider: JsonValue) {
  const services = readMember(provider, 'cloudServices')
  const name = readMember(provider, 'name')
  const credential = readMember(provider, 'credential')
  const type = readMember(credential, 'type')
  if (typeof name !== 'string' || typeof type !== 'string' || !Array.isArray(services)) return undefined
  if (!services.every(one => isObject(one) && typeof one['name'] === 'string' && isObject(one['connection'])))
    return undefined
  return {
    name,
    credential: { type, ...selectTexts(credential, besideNames, type) },
    cloudServices: services.filter(isObjectStore).map(service => ({
      ...selectTexts(service, Object.keys(cloudServiceFields), type),
      connection: selectTexts(readMember(service, 'connection'), connectionNames, type),
    })),
  }
}

/** True for a service of the only kind and use that `configure` documents. Service §2.5. */
function isObjectStore(service: JsonValue): boolean {
  return Object.entries(cloudServiceFields).every(
    ([name, field]) => !('value' in field) || (readMember(service, name) ?? field.value) === field.value,
  )
}

/** Selects texts by their manifest names, in either spelling of a request, without masks and URLs that may have a secret. */
function selectTexts(from: JsonValue | undefined, names: readonly string[], type: string): JsonObject {
  const entries = names.flatMap(name => {
    const text = readMember(from, name) ?? readMember(from, findWireName(type, name))
    const isKnown = typeof text === 'string' && !/^[*•●]*$/.test(text) && !mayBeSecret([], text)
    return isKnown ? [[name, text] as const] : []
  })
  return Object.fromEntries(entries)
}

/**
 * Tests whether a value can be compared and sent back unchanged: not too deep for recursion, no number that loses digits, and
 * no key that is special to JavaScript.
 */
function isKeepable(value: JsonValue, depth = 0): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER
  if (typeof value !== 'object' || value === null) return true
  return (
    depth < maxDepth &&
    !Object.hasOwn(value, '__proto__') &&
    Object.values(value).every((member: JsonValue) => isKeepable(member, depth + 1))
  )
}
