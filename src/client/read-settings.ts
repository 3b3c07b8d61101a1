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

/** Reads one resource, and says whether a token is sent. */
interface SettingsRequests {
  readonly hasToken: boolean
  get(at: Pick<GetRequest, 'path' | 'query'>): Promise<Reply<HttpAnswer>>
}

/**
 * Reads the settings that a site reports beside its root resource (public sources). An error becomes a reason, never a
 * failure.
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

/** Reads the value of one resource; one in a structure that `decode` does not know is not understood. */
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

/**
 * Finds the reason that an answer has no setting. An error below 500 to a plain GET counts as a missing resource.
 */
function findUnreadable(answer: HttpAnswer, hasToken: boolean): Unreadable | undefined {
  const failure = findFailure(answer)
  // A page in place of a setting says nothing of a token.
  if (failure !== undefined && answer.status < 300 && isForeignAnswer(failure)) return 'not-understood'
  const code =
    (failure !== undefined && 'code' in failure ? failure.code : undefined) ?? parseBareCode(answer)
  if (failure?.kind === 'unauthorized' || aboutToken.includes(code))
    return hasToken ? 'not-allowed' : 'no-token'
  if (failure?.kind === 'redirected' || failure?.kind === 'not-understood') return 'not-understood'
  if (failure?.kind === 'trouble' || answer.status >= 500 || code >= 500) return 'no-answer'
  return failure !== undefined || code >= 400 || answer.status !== 200 ? 'not-offered' : undefined
}

/** Parses the code of a body that other frameworks send as an error, with any `status`: it is no setting. */
function parseBareCode({ bytes }: HttpAnswer): number {
  const body = parseJson(bytes)
  if (!isObject(body) || typeof body['message'] !== 'string') return 0
  return Number.isInteger(body['code']) ? Number(body['code']) : 0
}

/**
 * True for two signs of a running upgrade: a state other than rest or an end, and resources below the upgrades that cannot be
 * read although no token would help.
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

/**
 * Finds a known name, in any case of letters. Only a known profile counts, because an edit of the profile stops an
 * apply.
 */
function findName(known: object, value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? Object.keys(known).find(name => name === value.toLowerCase()) : undefined
}

const connectionNames = [
  ...new Set(Object.values(connectionFields).flatMap(fields => fields.map(({ name }) => name))),
]

/**
 * Parses the providers of cloud storage into the structure of a manifest. Takes documented members alone: no identifiers,
 * and nothing of a secret, which is masked. Services for another use than `configure` documents are left out. Service §2.5.
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

/** Selects texts by their names in a manifest, in either spelling of the wire; no mask, and no URL that may have a secret. */
function selectTexts(from: JsonValue | undefined, names: readonly string[], type: string): JsonObject {
  const entries = names.flatMap(name => {
    const text = readMember(from, name) ?? readMember(from, findWireName(type, name))
    const isKnown = typeof text === 'string' && !/^[*•●]*$/.test(text) && !mayBeSecret([], text)
    return isKnown ? [[name, text] as const] : []
  })
  return Object.fromEntries(entries)
}

/**
 * True for a value that can be compared and sent back as it came: not too deep for what walks through it, no number that
 * loses digits, and no key that is special to JavaScript.
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
