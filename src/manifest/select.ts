import { child, type JsonPointer } from '../diagnostics/pointer.js'
import type { JsonValue } from '../schema/json-schema.js'
import { memberOf, membersOf } from '../schema/member.js'

export interface Selected {
  readonly pointer: JsonPointer
  readonly value: JsonValue
}

/**
 * The values that a pattern such as `/spec/volumes/*` names, in order; `*` stands for every member or element.
 * What is absent or of another shape is passed over: the schema has its own word on that.
 */
export function select(root: JsonValue, pattern: string): readonly Selected[] {
  return stepsOf(pattern).reduce(step, [{ pointer: '', value: root }])
}

/** Rules ask with the same few patterns, of thousands of manifests. */
const known = new Map<string, readonly string[]>()

function stepsOf(pattern: string): readonly string[] {
  const steps = known.get(pattern) ?? pattern.split('/').slice(1)
  if (!known.has(pattern) && !/\/\d/.test(pattern)) known.set(pattern, steps)
  return steps
}

function step(found: readonly Selected[], segment: string): readonly Selected[] {
  const next: Selected[] = []
  for (const { pointer, value } of found) {
    if (segment === '*')
      for (const [key, member] of membersOf(value)) next.push({ pointer: child(pointer, key), value: member })
    else {
      const member = memberOf(value, segment)
      if (member !== undefined) next.push({ pointer: child(pointer, segment), value: member })
    }
  }
  return next
}
