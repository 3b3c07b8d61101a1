import { profileNames } from '../contract/profiles.js'
import { logLevelField, profileField } from '../contract/structures.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'

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

/** The log level of the log settings. Which words there are is not documented. */
export function parseLogLevel(body: JsonObject): string | undefined {
  const level = body[logLevelField]
  return typeof level === 'string' && level !== '' && level.length <= maxLevelCharacters ? level : undefined
}

/** System properties: names with plain values. Something deeper may be another shape with them inside. */
export function parseSystemProperties(body: JsonObject): JsonObject | undefined {
  return Object.values(body).every(value => typeof value !== 'object') ? body : undefined
}

/** The word for how upgrades stand. */
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
