import { findFieldSchema } from '../schema/field-schema.js'
import type { JsonValue } from '../schema/json-schema.js'
import { appendSegment, type JsonPointer } from '../schema/pointer.js'
import { listMembers } from '../schema/select.js'

/** Lists the texts that a check selects. Omits secrets: another rule reports a literal secret. */
export function* listTexts(
  value: JsonValue,
  isWanted: (text: string) => boolean,
): Generator<readonly [JsonPointer, string]> {
  // Nearly every manifest has no such text, and then needs no pointers. A manifest that is only a text is rejected anyway.
  if (typeof value === 'string' || !hasText(value, isWanted)) return
  for (const [pointer, text] of listAll(value, ''))
    if (isWanted(text) && findFieldSchema(pointer)['x-reference'] !== 'secret') yield [pointer, text]
}

function hasText(value: JsonValue, isWanted: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isWanted(value)
  return (
    typeof value === 'object' && value !== null && Object.values(value).some(one => hasText(one, isWanted))
  )
}

function* listAll(value: JsonValue, pointer: JsonPointer): Generator<readonly [JsonPointer, string]> {
  if (typeof value === 'string') yield [pointer, value]
  else for (const [key, member] of listMembers(value)) yield* listAll(member, appendSegment(pointer, key))
}
