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
import { profileNames } from '../contract/profiles.js'
import type { JsonValue } from '../schema/json-schema.js'
import { listTexts } from '../schema/member.js'
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
  ...[...matchOperators, ...tolerationEffects, ...tolerationOperators, ...profileNames],
]

/**
 * Makes a function that withholds the texts of a site in a value, names among them. Documented words stay, and so do the texts
 * of the manifest and of the record, which have no secret: values are compared before, so that only what is shown changes.
 */
export function withholdTexts(
  situation: Pick<Situation, 'withhold' | 'desired' | 'record'>,
): <T extends object>(shown: T) => T {
  const { withhold, desired, record } = situation
  if (withhold === undefined) return shown => shown
  const { organization, policy } = desired
  const known = new Set([
    ...documented,
    ...[organization, policy, record].flatMap(one => listTexts(one as JsonValue | undefined)),
  ])
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string') return known.has(value) || isCode(value) ? value : withhold(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(hide)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [hide(name), hide(one)]))
  }
  return shown => hide(shown) as typeof shown
}

const foundMembers: readonly string[] = ['before', 'found']

/** Withholds the other value of fields that are shown. */
export function withholdFound<T extends object>(fields: readonly T[], situation: Situation): readonly T[] {
  const hide = withholdTexts(situation)
  return fields.map(field => {
    const found = Object.entries(field).filter(([name]) => foundMembers.includes(name))
    return found.length === 0
      ? field
      : { ...field, ...Object.fromEntries(found.map(([name, value]) => [name, hide([value])[0]])) }
  })
}
