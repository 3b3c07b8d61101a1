import { tokenErrorCodes } from '../contract/field-notes.js'
import { readableResources, upgradeStatesAtRest } from '../contract/field-operations.js'
import type { Readable, SiteSettings, Unreadable } from '../plan/observation.js'
import { isObject, type JsonObject } from '../schema/json-schema.js'
import { findFailure } from './decode.js'
import {
  isKeepable,
  parseLogLevel,
  parseProfile,
  parseSystemProperties,
  parseUpgradeConfig,
  parseUpgradeState,
} from './decode-settings.js'
import type { Reply } from './failure.js'
import { parseJson } from './json.js'
import type { HttpAnswer } from './message.js'

/** Asks for one resource, and whether a token goes along. */
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
 * Finds the reason that an answer has no setting; an error below 500 to a plain GET is taken for a resource that is not
 * there.
 */
function findUnreadable(answer: HttpAnswer, hasToken: boolean): Unreadable | undefined {
  const failure = findFailure(answer)
  const code =
    (failure !== undefined && 'code' in failure ? failure.code : undefined) ?? parseBareCode(answer)
  if (failure?.kind === 'unauthorized' || tokenCodes.includes(code))
    return hasToken ? 'not-allowed' : 'no-token'
  if (failure?.kind === 'redirected' || failure?.kind === 'not-understood') return 'not-understood'
  if (failure?.kind === 'trouble' || answer.status >= 500 || code >= 500) return 'no-answer'
  return failure !== undefined || code >= 400 || answer.status !== 200 ? 'not-offered' : undefined
}

const tokenCodes: readonly number[] = [...Object.values(tokenErrorCodes), 401, 403]

/** The code of an error body without an `error` around it (public API clients). */
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
