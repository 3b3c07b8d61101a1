import { appendSegment, formatDotted, type JsonPointer, splitPointer } from '../../diagnostics/pointer.js'
import type { ImmutableEdit } from '../../plan/plan.js'
import { findFieldSchema } from '../../schema/field-schema.js'

/** More fields than these are replaced by their sections. */
const maxNamed = 6

/** Formats the command-line options that ignore the given edits. */
export function formatIgnoreOptions(edits: readonly ImmutableEdit[]): string {
  const fields = [...new Set(edits.map(({ pointer }) => findPlainField(pointer)))]
  const shown = fields.length > maxNamed ? [...new Set(fields.map(findSection))] : fields
  return shown.map(field => `--ignore-immutable ${quoteIndices(formatDotted(field))}`).join(' ')
}

/** Quotes a path with brackets, which zsh reads as a pattern. */
function quoteIndices(path: string): string {
  return path.includes('[') ? `'${path}'` : path
}

/** Finds the longest path to a field with plain names only, so that the command can be copied. */
function findPlainField(pointer: JsonPointer): JsonPointer {
  let field: JsonPointer = ''
  let isOpen = false
  for (const segment of splitPointer(pointer)) {
    const next = appendSegment(field, segment)
    // A map with arbitrary names has no schema for any of them.
    isOpen ||= findFieldSchema(field).additionalProperties === true
    if (!/^\w+$/.test(segment) || !(isOpen || Object.keys(findFieldSchema(next)).length > 0)) break
    field = next
  }
  return field
}

function findSection(pointer: JsonPointer): JsonPointer {
  return splitPointer(pointer).slice(0, 2).reduce<JsonPointer>(appendSegment, '')
}
