import { isObject, type JsonObject, type JsonValue } from './json-schema.js'
import { appendSegment, type JsonPointer, readLastSegment, readParent, splitPointer } from './pointer.js'

/** Reads an own member of a map or list; never an inherited one, because names come from users. */
export function readMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Lists the names of the members of a map, or the indices of a list; empty for any other value. */
export function listNames(value: JsonValue | undefined): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

/** Lists the members of a map, or the elements of a list by index; empty for any other value. */
export function listMembers(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** Lists the texts in a value, including names. */
export function listTexts(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  return listMembers(value).flatMap(([name, member]) => [name, ...listTexts(member)])
}

export function readValue(value: JsonValue | undefined, pointer: JsonPointer): JsonValue | undefined {
  return splitPointer(pointer).reduce(readMember, value)
}

/** A value in a manifest, with its place. */
export class Selected {
  readonly value: JsonValue
  readonly owner: Selected | undefined
  readonly name: string

  constructor(value: JsonValue, owner: Selected | undefined, name: string) {
    this.value = value
    this.owner = owner
    this.name = name
  }

  /** Computed on demand: hardly any value of a manifest has a diagnostic. */
  get pointer(): JsonPointer {
    return this.owner === undefined ? '' : appendSegment(this.owner.pointer, this.name)
  }
}

/** A value with a cache of selections, because many rules select the same values of a manifest. */
export class ValueIndex {
  readonly #found = new Map<string, readonly Selected[]>()

  constructor(value: JsonValue) {
    this.#found.set('', [new Selected(value, undefined, '')])
  }

  select(pattern: string): readonly Selected[] {
    const known = this.#found.get(pattern)
    if (known !== undefined) return known
    const owners = this.select(readParent(pattern as JsonPointer))
    const found = selectMembers(owners, readLastSegment(pattern as JsonPointer))
    this.#found.set(pattern, found)
    return found
  }
}

/**
 * Selects the values that match a pattern such as `/spec/volumes/*`, in order; `*` matches every member or element.
 * Missing values and values of another type are skipped: the schema reports those.
 */
export function select(root: JsonValue | ValueIndex, pattern: string): readonly Selected[] {
  return (root instanceof ValueIndex ? root : new ValueIndex(root)).select(pattern)
}

/** Selects the values that match any of the patterns, in the order of the patterns. */
export function selectAll(root: JsonValue | ValueIndex, patterns: readonly string[]): readonly Selected[] {
  const index = root instanceof ValueIndex ? root : new ValueIndex(root)
  return patterns.flatMap(pattern => index.select(pattern))
}

/** Selects below a selected value. */
export function selectBelow(owner: Selected, pattern: string): readonly Selected[] {
  return splitPointer(pattern as JsonPointer).reduce<readonly Selected[]>(selectMembers, [owner])
}

/** Most manifests lack most of the values that rules select. */
const nothing: readonly Selected[] = []

function selectMembers(owners: readonly Selected[], name: string): readonly Selected[] {
  if (owners.length === 0) return nothing
  const found: Selected[] = []
  for (const owner of owners)
    if (name === '*') {
      for (const key of listNames(owner.value))
        found.push(new Selected((owner.value as JsonObject)[key] as JsonValue, owner, key))
    } else {
      const member = readMember(owner.value, name)
      if (member !== undefined) found.push(new Selected(member, owner, name))
    }
  return found
}

const policy = '/spec/upgrade/podPlacementPolicy'

/** The places that several rules check, as patterns for `select` and `selectAll`. */
export const places = {
  volumes: '/spec/volumes/*',
  volumeLabels: '/spec/volumes/*/labels',
  manifestLabels: '/metadata/labels',
  nodeAffinity: `${policy}/nodeAffinity`,
  /** A preference may also be a list, as in Kubernetes. */
  terms: [`${policy}/nodeAffinity/*/nodeSelectorTerms/*`, `${policy}/nodeAffinity/*/*/preference`],
  tolerationList: `${policy}/tolerations`,
  tolerations: `${policy}/tolerations/*`,
} as const

/** Returns the patterns for a field, or for each element of a list, in every node selector term. */
export function placesInTerms(below: string): readonly string[] {
  return places.terms.map(term => `${term}/${below}`)
}
