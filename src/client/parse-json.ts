import type { JsonValue } from '../schema/json-schema.js'

const text = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON value of an answer, if it is one and says nothing twice: of two members with one name, readers differ on
 * which counts (RFC 8259 §4). A byte order mark before it changes nothing and may be there (§8.1).
 */
export function parseJson(bytes: Buffer): JsonValue | undefined {
  try {
    const source = text.decode(bytes)
    const value = JSON.parse(source) as JsonValue
    return saysTwice(source) ? undefined : value
  } catch {
    return undefined
  }
}

/** Whether an object in a valid JSON text has two members with one name. Keeps its own stack, however deep it goes. */
function saysTwice(source: string): boolean {
  const around: Set<string>[] = []
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at]
    if (character === '{' || character === '[') around.push(new Set())
    else if (character === '}' || character === ']') around.pop()
    else if (character === '"') {
      const end = endOfString(source, at)
      if (colonAfter(source, end)) {
        const name = JSON.parse(source.slice(at, end + 1)) as string
        const names = around.at(-1)
        if (names?.has(name)) return true
        names?.add(name)
      }
      at = end
    }
  }
  return false
}

/** Where the string ends that begins here: a quote is part of it behind an odd number of backslashes. */
function endOfString(source: string, start: number): number {
  let end = start + 1
  while (source[end] !== '"') end += source[end] === '\\' ? 2 : 1
  return end
}

function colonAfter(source: string, end: number): boolean {
  let next = end + 1
  while (/\s/.test(source[next] ?? '')) next += 1
  return source[next] === ':'
}
