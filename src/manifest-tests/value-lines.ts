import { isObject, type JsonValue } from '../schema/json-schema.js'

/** Formats a value as lines, one for each part that can differ alone; not meant to be parsed. */
export function formatValueLines(value: JsonValue): readonly string[] {
  if (isList(value))
    return value.length === 0 ? ['[]'] : value.flatMap(one => addBullet([...listLeaves(one, '')]))
  return [...listLeaves(value, '')]
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function addBullet([first = '', ...rest]: readonly string[]): readonly string[] {
  return [`- ${first}`, ...rest.map(line => `  ${line}`)]
}

function* listLeaves(value: JsonValue, path: string): Generator<string> {
  if (isList(value) && value.some(isObject)) {
    if (path !== '') yield `${path}:`
    yield* formatValueLines(value)
    return
  }
  if (!isObject(value)) {
    yield path === '' ? formatScalar(value) : `${path}: ${formatScalar(value)}`
    return
  }
  const members = Object.entries(value)
  if (members.length === 0) yield path === '' ? '{}' : `${path}: {}`
  for (const [name, member] of members) yield* listLeaves(member, path === '' ? name : `${path}.${name}`)
}

function formatScalar(value: JsonValue): string {
  return typeof value === 'string' && /^[\w./:@(){} -]+$/.test(value) ? value : JSON.stringify(value)
}
