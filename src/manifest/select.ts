import { appendSegment, type JsonPointer } from '../diagnostics/pointer.js'
import type { JsonValue } from '../schema/json-schema.js'
import { listMembers, readMember } from '../schema/member.js'

export interface Selected {
  readonly pointer: JsonPointer
  readonly value: JsonValue
}

/**
 * Selects the values that match a pattern such as `/spec/volumes/*`, in order; `*` matches every member or element.
 * Missing values and values of another type are skipped: the schema reports those.
 */
export function select(root: JsonValue, pattern: string): readonly Selected[] {
  const { plain, pointer, rest } = parsePattern(pattern)
  let value: JsonValue | undefined = root
  for (const name of plain) {
    value = readMember(value, name)
    if (value === undefined) return nothing
  }
  const found: Selected[] = []
  collect({ pointer, value }, rest, found)
  return found
}

/** Most manifests lack most of what the rules look for. */
const nothing: readonly Selected[] = []

interface Pattern {
  /** The names before the first `*`, which lead to `pointer`. */
  readonly plain: readonly string[]
  readonly pointer: JsonPointer
  readonly rest: Step | undefined
}

interface Step {
  readonly name: string
  readonly next: Step | undefined
}

/** Cached, because rules use the same few patterns for thousands of manifests. */
const known = new Map<string, Pattern>()

function parsePattern(pattern: string): Pattern {
  const before = known.get(pattern)
  if (before !== undefined) return before
  const names = pattern.split('/').slice(1)
  const star = names.includes('*') ? names.indexOf('*') : names.length
  const plain = names.slice(0, star)
  const parsed = {
    plain,
    pointer: plain.reduce<JsonPointer>(appendSegment, ''),
    rest: names.slice(star).reduceRight<Step | undefined>((next, name) => ({ name, next }), undefined),
  }
  if (!/\/\d/.test(pattern)) known.set(pattern, parsed)
  return parsed
}

function collect({ pointer, value }: Selected, step: Step | undefined, found: Selected[]): void {
  if (step === undefined) {
    found.push({ pointer, value })
    return
  }
  const { name, next } = step
  if (name === '*') {
    for (const [key, member] of listMembers(value))
      collect({ pointer: appendSegment(pointer, key), value: member }, next, found)
    return
  }
  const member = readMember(value, name)
  if (member !== undefined) collect({ pointer: appendSegment(pointer, name), value: member }, next, found)
}
