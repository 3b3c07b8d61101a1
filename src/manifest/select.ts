import { appendSegment, type JsonPointer, splitPointer } from '../diagnostics/pointer.js'
import type { JsonObject, JsonValue } from '../schema/json-schema.js'
import { listNames, readMember } from '../schema/member.js'

/** A value in a manifest, which knows its place. */
export class Selected {
  readonly value: JsonValue
  readonly owner: Selected | undefined
  readonly name: string

  constructor(value: JsonValue, owner: Selected | undefined, name: string) {
    this.value = value
    this.owner = owner
    this.name = name
  }

  /** Made when somebody asks: hardly any value of a manifest has a diagnostic. */
  get pointer(): JsonPointer {
    return this.owner === undefined ? '' : appendSegment(this.owner.pointer, this.name)
  }
}

/**
 * Selects the values that match a pattern such as `/spec/volumes/*`, in order; `*` matches every member or element.
 * Missing values and values of another type are skipped: the schema reports those.
 */
export function select(root: JsonValue, pattern: string): readonly Selected[] {
  return findLast(root, readPattern(pattern))
}

/** Selects the values that match any of the patterns, in the order of the patterns. */
export function selectAll(root: JsonValue, patterns: readonly string[]): readonly Selected[] {
  let found = nothing
  for (const pattern of patterns) {
    const more = select(root, pattern)
    if (more.length > 0) found = found.length === 0 ? more : [...found, ...more]
  }
  return found
}

/** Makes a function that reads what matches a pattern, once where several rules ask it of one manifest after another. */
export function selectAs<T>(
  pattern: string,
  read: (at: Selected) => readonly T[],
): (root: JsonValue) => readonly T[] {
  let selected = nothing
  let all: readonly T[] = []
  return root => {
    const found = select(root, pattern)
    if (found !== selected) {
      selected = found
      all = found.flatMap(read)
    }
    return all
  }
}

/** Selects below a selected value. */
export function selectBelow(owner: Selected, pattern: string): readonly Selected[] {
  return readPattern(pattern).names.reduce<readonly Selected[]>(selectMembers, [owner])
}

/** Most manifests lack most of what the rules look for. */
const nothing: readonly Selected[] = []

interface Pattern {
  readonly names: readonly string[]
  readonly lastName: string
  /** The same without its last name, which other patterns begin with, too. */
  readonly owner: Pattern | undefined
  /** What it was asked of last, and what was found: the rules ask much the same of one manifest after another. */
  root: JsonValue | undefined
  found: readonly Selected[]
}

/** There are only as many patterns as the rules name. */
const patterns = new Map<string, Pattern>()

function readPattern(pattern: string): Pattern {
  const known = patterns.get(pattern)
  if (known !== undefined) return known
  const names = splitPointer(pattern as JsonPointer)
  const owner = pattern === '' ? undefined : readPattern(pattern.slice(0, pattern.lastIndexOf('/')))
  const read = { names, lastName: names.at(-1) ?? '', owner, root: undefined, found: nothing }
  patterns.set(pattern, read)
  return read
}

function findLast(root: JsonValue, pattern: Pattern): readonly Selected[] {
  if (pattern.root === root) return pattern.found
  const { owner, lastName } = pattern
  pattern.root = root
  pattern.found =
    owner === undefined ? [new Selected(root, undefined, '')] : selectMembers(findLast(root, owner), lastName)
  return pattern.found
}

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
