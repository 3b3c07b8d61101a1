import { readableResources, tokenErrorCodes, upgradeStatesAtRest } from '../contract/field-notes.js'
import { logLevelField, profileField } from '../contract/field-row.js'
import { profileNames } from '../contract/profiles.js'
import type { Readable, SiteSettings, Unreadable } from '../plan/observation.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import { findFailure, parseJson } from './decode.js'
import { isForeignAnswer, type Reply } from './failure.js'
import type { HttpAnswer } from './message.js'

/** Reads one resource, and says whether a token is sent. */
export interface SettingsRequests {
  readonly hasToken: boolean
  get(path: string): Promise<Reply<HttpAnswer>>
}

/**
 * Reads the settings that a site reports beside its root resource (public sources). An error becomes a reason, never a
 * failure.
 */
export async function readSettings(requests: SettingsRequests): Promise<SiteSettings> {
  const read = <T>(name: keyof typeof readableResources, decode: (body: JsonObject) => T | undefined) =>
    readSetting(requests, readableResources[name].path, decode)
  const [upgrades, config, profile, logLevel, systemProperties] = await Promise.all([
    read('upgrades', parseUpgradeState),
    read('upgradeConfig', parseUpgradeConfig),
    read('profile', parseProfile),
    read('logLevel', parseLogLevel),
    read('systemProperties', parseSystemProperties),
  ])
  const upgradeConfig = isUnderWay(upgrades) && isBarred(config) ? toUnreadable('upgrading') : config
  return { upgradeConfig, profile, logLevel, systemProperties }
}

/** Reads one resource; an answer in a structure that `decode` does not know is not understood. */
export async function readSetting<T>(
  { hasToken, get }: SettingsRequests,
  path: string,
  decode: (body: JsonObject) => T | undefined,
): Promise<Readable<T>> {
  const answer = await get(path)
  if (!answer.ok) return toUnreadable('no-answer')
  const rejection = findUnreadable(answer.value, hasToken)
  if (rejection !== undefined) return toUnreadable(rejection)
  const body = parseJson(answer.value.bytes)
  const value = isObject(body) && isKeepable(body) ? decode(body) : undefined
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
  if (failure?.kind === 'unauthorized' || tokenCodes.includes(code))
    return hasToken ? 'not-allowed' : 'no-token'
  if (failure?.kind === 'redirected' || failure?.kind === 'not-understood') return 'not-understood'
  if (failure?.kind === 'trouble' || answer.status >= 500 || code >= 500) return 'no-answer'
  return failure !== undefined || code >= 400 || answer.status !== 200 ? 'not-offered' : undefined
}

const tokenCodes: readonly number[] = [...Object.values(tokenErrorCodes), 401, 403]

/** Parses the code of an error body without an `error` around it. Public sources. */
function parseBareCode({ bytes }: HttpAnswer): number {
  const body = parseJson(bytes)
  if (!isObject(body) || typeof body['message'] !== 'string') return 0
  return Number.isInteger(body['code']) ? Number(body['code']) : 0
}

/** True for a state other than rest or an end; it takes a second sign to prove a running upgrade. */
function isUnderWay(state: Readable<string>): boolean {
  if (state.kind === 'unreadable' || upgradeStatesAtRest.includes(state.value)) return false
  return !/fail|error|cancel/i.test(state.value)
}

/** The second sign: the resources below the upgrades cannot be read, and a token would not help. */
function isBarred(config: Readable<unknown>): boolean {
  return config.kind === 'unreadable' && config.because !== 'no-token' && config.because !== 'not-allowed'
}

function toUnreadable(because: Unreadable): Readable<never> {
  return { kind: 'unreadable', because }
}

const maxDepth = 32
const maxLevelCharacters = 100

/** Parses the upgrade configuration. Public sources show a bare placement policy, and from 12.0 on more fields. */
export function parseUpgradeConfig(body: JsonObject): JsonObject | undefined {
  const policy = body['podPlacementPolicy']
  if (!isObject(policy)) return undefined
  const { nodeAffinity = {}, tolerations = [] } = policy
  return isObject(nodeAffinity) && Array.isArray(tolerations) && tolerations.every(isObject)
    ? body
    : undefined
}

/**
 * Parses the name of the profile, in the shape of the parameter; no source reports the answer of the resource. Only
 * documented names count: an edit of the profile stops an apply, and later versions split the profiles.
 */
export function parseProfile(body: JsonObject): string | undefined {
  const names: readonly string[] = profileNames
  const name = body[profileField]
  return typeof name === 'string' && names.includes(name) ? name : undefined
}

/** Parses the log level of the log settings. Its values are not documented. */
export function parseLogLevel(body: JsonObject): string | undefined {
  const level = body[logLevelField]
  return typeof level === 'string' && level !== '' && level.length <= maxLevelCharacters ? level : undefined
}

/** Parses system properties, which are names with plain values. Anything deeper is another shape. */
export function parseSystemProperties(body: JsonObject): JsonObject | undefined {
  return Object.values(body).every(value => typeof value !== 'object') ? body : undefined
}

/** Parses the state of upgrades. */
export function parseUpgradeState(body: JsonObject): string | undefined {
  const { status } = body
  const state = isObject(status) ? status['state'] : undefined
  return typeof state === 'string' ? state : undefined
}

/**
 * True for a value that can be compared and sent back as it came: not too deep for what walks through it, no number that
 * loses digits, and no key that is special to JavaScript.
 */
export function isKeepable(value: JsonValue, depth = 0): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER
  if (typeof value !== 'object' || value === null) return true
  return (
    depth < maxDepth &&
    !Object.hasOwn(value, '__proto__') &&
    Object.values(value).every((member: JsonValue) => isKeepable(member, depth + 1))
  )
}
