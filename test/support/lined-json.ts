import type { JsonValue } from '../../src/schema/json-schema.js'
import { appendSegment, type JsonPointer } from '../../src/schema/pointer.js'

/** JSON text with every member and element on a line of its own, and their line numbers. */
interface LinedJson {
  readonly text: string
  readonly lines: ReadonlyMap<JsonPointer, number>
}

/** Writes a value as such JSON, which is valid YAML. */
export function linedJson(value: JsonValue): LinedJson {
  const lines = new Map<JsonPointer, number>()
  const rows: string[] = ['']
  const write = (text: string) => rows.push(`${rows.pop()}${text}`)
  const visit = (node: JsonValue, at: JsonPointer): void => {
    lines.set(at, rows.length)
    const isList = Array.isArray(node)
    const members = typeof node === 'object' && node !== null ? Object.entries(node) : undefined
    if (members === undefined || members.length === 0) return void write(JSON.stringify(node))
    write(isList ? '[' : '{')
    for (const [index, [key, member]] of members.entries()) {
      rows.push(isList ? '' : `${JSON.stringify(key)}: `)
      visit(member, appendSegment(at, key))
      if (index < members.length - 1) write(',')
    }
    rows.push(isList ? ']' : '}')
  }
  visit(value, '')
  return { text: `${rows.join('\n')}\n`, lines }
}
