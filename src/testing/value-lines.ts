import { isObject, type JsonValue } from '../schema/json-schema.js'

/** Formats a value as lines, one for each part that can differ alone; not meant to be parsed. */
export function valueLines(value: JsonValue): readonly string[] {
  if (isList(value)) return value.length === 0 ? ['[]'] : value.flatMap(one => bulleted([...leaves(one, '')]))
  return [...leaves(value, '')]
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function bulleted([first = '', ...rest]: readonly string[]): readonly string[] {
  return [`- ${first}`, ...rest.map(line => `  ${line}`)]
}

function* leaves(value: JsonValue, path: string): Generator<string> {
  if (isList(value) && value.some(isObject)) {
    if (path !== '') yield `${path}:`
    yield* valueLines(value)
    return
  }
  if (!isObject(value)) {
    yield path === '' ? word(value) : `${path}: ${word(value)}`
    return
  }
  const members = Object.entries(value)
  if (members.length === 0) yield path === '' ? '{}' : `${path}: {}`
  for (const [name, member] of members) yield* leaves(member, path === '' ? name : `${path}.${name}`)
}

function word(value: JsonValue): string {
  return typeof value === 'string' && /^[\w./:@(){} -]+$/.test(value) ? value : JSON.stringify(value)
}
