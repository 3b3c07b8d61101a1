import { child, dotted, type JsonPointer, segments } from '../../diagnostics/pointer.js'
import type { ImmutableEdit } from '../../plan/plan.js'
import { fieldSchema } from '../../schema/manifest-schema.js'

/** More fields than these are replaced by their sections. */
const maxNamed = 6

/** Formats the command-line options that ignore the given edits. */
export function ignoreWords(edits: readonly ImmutableEdit[]): string {
  const fields = [...new Set(edits.map(({ pointer }) => named(pointer)))]
  const shown = fields.length > maxNamed ? [...new Set(fields.map(section))] : fields
  return shown.map(field => `--ignore-immutable ${dotted(field)}`).join(' ')
}

/** Finds the longest path to a field with plain names only, so that the command needs no shell quoting. */
function named(pointer: JsonPointer): JsonPointer {
  let field: JsonPointer = ''
  let isOpen = false
  for (const segment of segments(pointer)) {
    const next = child(field, segment)
    // A map with arbitrary names has no schema for any of them.
    isOpen ||= fieldSchema(field).additionalProperties === true
    if (!/^\w+$/.test(segment) || !(isOpen || Object.keys(fieldSchema(next)).length > 0)) break
    field = next
  }
  return field
}

function section(pointer: JsonPointer): JsonPointer {
  return segments(pointer).slice(0, 2).reduce<JsonPointer>(child, '')
}
