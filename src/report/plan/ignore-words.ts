import { child, dotted, type JsonPointer, segments } from '../../diagnostics/pointer.js'
import type { ImmutableEdit } from '../../plan/plan.js'
import { fieldSchema } from '../../schema/manifest-schema.js'

/** More fields than these are named by the sections that they are in. */
const mostNamed = 6

/** The options that let the given edits stop nothing, as a person would type them. */
export function ignoreWords(edits: readonly ImmutableEdit[]): string {
  const fields = [...new Set(edits.map(({ pointer }) => named(pointer)))]
  const shown = fields.length > mostNamed ? [...new Set(fields.map(section))] : fields
  return shown.map(field => `--ignore-immutable ${dotted(field)}`).join(' ')
}

/** The longest path to a field whose names are plain, so that nothing stands in a command that a shell takes apart. */
function named(pointer: JsonPointer): JsonPointer {
  let field: JsonPointer = ''
  let isOpen = false
  for (const segment of segments(pointer)) {
    const next = child(field, segment)
    // A map that takes any names has a schema for none of them.
    isOpen ||= fieldSchema(field).additionalProperties === true
    if (!/^\w+$/.test(segment) || !(isOpen || Object.keys(fieldSchema(next)).length > 0)) break
    field = next
  }
  return field
}

function section(pointer: JsonPointer): JsonPointer {
  return segments(pointer).slice(0, 2).reduce<JsonPointer>(child, '')
}
