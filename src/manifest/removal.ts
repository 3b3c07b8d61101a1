import { type JsonPointer, parentOf } from '../diagnostics/pointer.js'
import type { Edit } from './mend.js'
import type { YamlDocument } from './yaml-document.js'

/**
 * The edit that takes a field out of its map, with its comma or with its lines; `undefined` where that would take
 * out more, or leave a map without fields.
 */
export function removal(document: YamlDocument, pointer: JsonPointer): Edit | undefined {
  const { text, spans } = document
  const [span, owner] = [spans.get(pointer), spans.get(parentOf(pointer))]
  if (span?.key === undefined || owner === undefined || span.source !== undefined) return undefined
  const [from, to] = [span.key[0], Math.max(span.key[1], span.value[1])]
  const siblings = [...spans.keys()].filter(
    other => parentOf(other) === parentOf(pointer) && other !== pointer,
  )
  if (siblings.length === 0) return undefined
  return text[owner.value[0]] === '{' ? fromBraces(text, from, to) : fromLines(text, from, to)
}

function fromBraces(text: string, from: number, to: number): Edit | undefined {
  const after = /^\s*,[ \t]*/.exec(text.slice(to))
  if (after !== null) return { from, to: to + after[0].length, text: '' }
  const before = /,\s*$/.exec(text.slice(0, from))
  return before === null ? undefined : { from: from - before[0].length, to, text: '' }
}

/** Whole lines only: before the key nothing but blanks, behind the value at most a comment. */
function fromLines(text: string, from: number, to: number): Edit | undefined {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const rest = /^[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/.exec(text.slice(to))
  if (text.slice(start, from).trim() !== '') return undefined
  // A list or map over several lines ends behind its last line break.
  if (text[to - 1] === '\n') return { from: start, to, text: '' }
  return rest === null ? undefined : { from: start, to: to + rest[0].length, text: '' }
}
