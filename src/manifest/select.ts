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
  return splitPattern(pattern).reduce(selectStep, [{ pointer: '', value: root }])
}

/** Cached, because rules use the same few patterns for thousands of manifests. */
const known = new Map<string, readonly string[]>()

function splitPattern(pattern: string): readonly string[] {
  const steps = known.get(pattern) ?? pattern.split('/').slice(1)
  if (!known.has(pattern) && !/\/\d/.test(pattern)) known.set(pattern, steps)
  return steps
}

function selectStep(found: readonly Selected[], segment: string): readonly Selected[] {
  const next: Selected[] = []
  for (const { pointer, value } of found) {
    if (segment === '*')
      for (const [key, member] of listMembers(value))
        next.push({ pointer: appendSegment(pointer, key), value: member })
    else {
      const member = readMember(value, segment)
      if (member !== undefined) next.push({ pointer: appendSegment(pointer, segment), value: member })
    }
  }
  return next
}
