import { credentialTypes } from '../contract/cloud.js'
import {
  affinityKinds,
  matchExpressionFields,
  matchOperators,
  policyFields,
  preferredTermFields,
  tolerationEffects,
  tolerationFields,
  tolerationOperators,
} from '../contract/placement.js'
import { anyProfileNames } from '../contract/profiles.js'
import type { JsonValue } from '../schema/json-schema.js'
import { listTexts } from '../schema/select.js'
import type { Situation } from './situation.js'

const codeForm = /^\d{1,6}(?:\.\d{1,6}){0,4}$/

/** True for a number, a version or a build. */
export function isCode(text: string): boolean {
  return codeForm.test(text)
}

const documented: readonly string[] = [
  ...[affinityKinds, preferredTermFields, matchExpressionFields, tolerationFields, policyFields].flatMap(
    Object.keys,
  ),
  ...['nodeSelectorTerms', 'matchExpressions', 'podPlacementPolicy', 'tolerationSeconds'],
  ...[...matchOperators, ...tolerationEffects, ...tolerationOperators],
  ...anyProfileNames,
  ...Object.keys(credentialTypes),
]

/** The members of plans and drift that contain values of a site; all others contain texts of the manifest or of Landform. */
const siteMembers: readonly string[] = ['before', 'found', 'upgradeConfig', 'kept', 'name']

/**
 * Withholds the texts of a site in a result, including names, if this process lacks a secret. Documented words stay, as do
 * the texts of the manifest and of the record, which contain no secrets. Values were compared before.
 */
export function withholdTexts<T>(
  result: T,
  { withhold, desired, record }: Pick<Situation, 'withhold' | 'desired' | 'record'>,
): T {
  if (withhold === undefined) return result
  const { organization, policy } = desired
  const known = new Set([
    ...documented,
    ...[organization, policy, record].flatMap(one => listTexts(one as JsonValue | undefined)),
  ])
  const show = (value: unknown, isOfSite: boolean): unknown => {
    if (typeof value === 'string')
      return !isOfSite || known.has(value) || isCode(value) ? value : withhold(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(one => show(one, isOfSite))
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        show(name, isOfSite),
        show(one, isOfSite || siteMembers.includes(name)),
      ]),
    )
  }
  return show(result, false) as T
}
