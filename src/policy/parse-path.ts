import { appendSegment, type JsonPointer } from '../diagnostics/pointer.js'
import { findSimilar } from '../manifest/did-you-mean.js'
import { yamlLimits } from '../manifest/yaml-limits.js'
import type { Result } from '../result.js'
import { findFieldSchema } from '../schema/field-schema.js'
import { longestText } from '../schema/fields.js'
import type { JsonSchema } from '../schema/json-schema.js'
import type { PolicyPath } from './policy.js'

export type ParsedPath = Result<PolicyPath, UnknownPath>

export interface UnknownPath {
  /** The path up to and including the first name that no manifest has. */
  readonly path: string
  readonly suggestion: string | undefined
  readonly allowed: readonly string[]
}

/**
 * Parses a path such as `spec.volumes.*.size` and finds it in the schema of manifests. The rest of a path after `labels`
 * is one key, with its dots.
 */
export function parsePath(text: string): ParsedPath {
  const words = text.split('.')
  if (text.length > longestText || words.length > yamlLimits.depth)
    return { ok: false, error: { path: `${text.slice(0, 60)}…`, suggestion: undefined, allowed: [] } }
  let spots: readonly JsonPointer[] = ['']
  for (const [index, word] of words.entries()) {
    const owners = spots.map(findFieldSchema)
    if (word !== '' && owners.some(isFree)) return { ok: true, value: { steps: words, spots: [] } }
    if (word !== '' && owners.every(isLabels)) {
      const steps = [...words.slice(0, index), words.slice(index).join('.')]
      return { ok: true, value: { steps, spots: spots.map(spot => appendSegment(spot, word)) } }
    }
    const next = spots.flatMap(spot => findMembers(spot, word))
    if (next.length === 0) return rejectPath(words, index, owners)
    spots = next
  }
  return { ok: true, value: { steps: words, spots } }
}

/** True where a field may have members of any name and kind. */
export function isFree({ additionalProperties }: JsonSchema): boolean {
  return additionalProperties === true
}

function isLabels({ additionalProperties }: JsonSchema): boolean {
  return typeof additionalProperties === 'object' && additionalProperties.type === 'string'
}

function findMembers(owner: JsonPointer, word: string): readonly JsonPointer[] {
  const { properties = {}, items } = findFieldSchema(owner)
  if (items !== undefined) return word === '*' ? [appendSegment(owner, 0)] : []
  if (word === '*') {
    // `*` is for members of one shape only: volumes, and the kinds of affinity.
    const members = Object.keys(properties).map(name => appendSegment(owner, name))
    const [shape, ...others] = new Set(members.map(member => findFieldSchema(member)['x-shape']))
    return shape !== undefined && others.length === 0 ? members : []
  }
  return Object.hasOwn(properties, word) ? [appendSegment(owner, word)] : []
}

function rejectPath(words: readonly string[], index: number, owners: readonly JsonSchema[]): ParsedPath {
  const [word = '', ...rest] = words.slice(index)
  const before = words.slice(0, index)
  const spelt = (...names: readonly string[]) => [...before, ...names].join('.')
  const isList = owners.some(({ items }) => items !== undefined)
  const allowed = isList
    ? ['*']
    : [...new Set(owners.flatMap(({ properties = {} }) => Object.keys(properties)))]
  const inSpec = index === 0 && Object.hasOwn(findFieldSchema('/spec').properties ?? {}, word)
  const near = isList ? '*' : findSimilar(word, allowed)
  const after = isList && !/^\d*$/.test(word) ? [word, ...rest] : rest
  const candidate = inSpec ? `spec.${words.join('.')}` : near && spelt(near, ...after)
  const again = candidate === undefined ? undefined : parsePath(candidate)
  return {
    ok: false,
    error: {
      path: spelt(word),
      // Later names may be misspelt as well.
      suggestion: again?.ok === false ? (again.error.suggestion ?? (near && spelt(near))) : candidate,
      allowed: allowed.map(name => spelt(name)),
    },
  }
}
