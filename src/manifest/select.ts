import { child, type JsonPointer } from '../diagnostics/pointer.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'

export interface Selected {
  readonly pointer: JsonPointer
  readonly value: JsonValue
}

/**
 * The values that a pattern such as `/spec/volumes/*` names, in order; `*` stands for every member or element.
 * What is absent or of another shape is passed over: the schema has its own word on that.
 */
export function select(root: JsonValue, pattern: string): readonly Selected[] {
  const step = (found: readonly Selected[], segment: string): readonly Selected[] =>
    found.flatMap(({ pointer, value }) =>
      members(value)
        .filter(([key]) => segment === '*' || key === segment)
        .map(([key, member]) => ({ pointer: child(pointer, key), value: member })),
    )
  return pattern
    .split('/')
    .slice(1)
    .reduce(step, [{ pointer: '', value: root }])
}

function members(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (Array.isArray(value)) return value.map((element: JsonValue, index) => [String(index), element] as const)
  return isObject(value) ? Object.entries(value) : []
}
