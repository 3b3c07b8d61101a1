import type { JsonValue } from '../schema/json-schema.js'

const text = new TextDecoder('utf-8', { fatal: true })

/** The result of parsing JSON: a value, an object with a duplicate name, or no JSON. */
export type ReadJson =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'doubled-name' | 'no-json' }

/**
 * Reads JSON. Of two members with one name, readers differ on which counts (RFC 8259 §4), so that neither is taken. A byte
 * order mark before it changes nothing and may be there (§8.1).
 */
export function readJson(bytes: Buffer): ReadJson {
  try {
    const source = text.decode(bytes)
    const value = JSON.parse(source) as JsonValue
    // What is said twice is there once.
    return countMembersOfText(source) > countMembers(value)
      ? { kind: 'doubled-name' }
      : { kind: 'value', value }
  } catch {
    return { kind: 'no-json' }
  }
}

/** The JSON value of an answer, if it is one and says nothing twice. */
export function parseJson(bytes: Buffer): JsonValue | undefined {
  const read = readJson(bytes)
  return read.kind === 'value' ? read.value : undefined
}

/** Members in a valid JSON text: each has the one colon that stands outside of strings. */
function countMembersOfText(source: string): number {
  let count = 0
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at)
    if (code === 0x22) at = findStringEnd(source, at)
    else if (code === 0x3a) count += 1
  }
  return count
}

/** Members of all objects in a value. Keeps its own stack, however deep it goes. */
function countMembers(value: JsonValue): number {
  const rest = [value]
  let count = 0
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    if (typeof one !== 'object' || one === null) continue
    const inner: readonly JsonValue[] = Array.isArray(one) ? one : Object.values(one)
    if (inner !== one) count += inner.length
    for (const each of inner) if (typeof each === 'object') rest.push(each)
  }
  return count
}

/** Finds the end of the string that begins here: a quote is part of it behind an odd number of backslashes. */
function findStringEnd(source: string, start: number): number {
  let end = source.indexOf('"', start + 1)
  while (isEscaped(source, end)) end = source.indexOf('"', end + 1)
  return end
}

function isEscaped(source: string, at: number): boolean {
  let first = at
  while (source[first - 1] === '\\') first -= 1
  return (at - first) % 2 === 1
}
