import type { JsonObject, JsonValue } from '../schema/json-schema.js'
import { maxBodyBytes, maxDepth } from './evidence.js'

/**
 * An answer of that shape, with placeholders for values: `toShape` makes the same shape of it. A text that is no shape stays, and
 * what would be longer than any answer is cut; of both `toShape` makes another shape, which is how they are found.
 */
export function fromShape(shape: JsonValue): JsonValue {
  let left = maxBodyBytes
  let made = 0
  let depth = 0
  return fill(shape)

  function fill(one: JsonValue): JsonValue {
    if (typeof one === 'string') return fillText(one)
    if (typeof one !== 'object' || one === null) return one
    // No shape is so deep, and what is would use up the stack.
    if (depth > maxDepth) return false
    depth += 1
    const filled = Array.isArray(one) ? fillList(one as readonly JsonValue[]) : fillObject(one as JsonObject)
    depth -= 1
    return filled
  }

  function fillList(list: readonly JsonValue[]): JsonValue {
    return list.flatMap((one, at) => {
      const more = at === list.length - 1 ? readMore(one) : undefined
      return more === undefined ? [fill(one)] : Array.from({ length: take(more) }, () => null)
    })
  }

  function fillObject(object: JsonObject): JsonValue {
    const members = Object.entries(object).flatMap(([key, one]): (readonly [string, JsonValue])[] => {
      const more = readMore(key)
      if (more !== undefined)
        return Array.from({ length: take(more) }, (_none, at) => [`<more> ${at}`, null] as const)
      const length = /^<key (\d{1,7})(?: \d{1,3})?>$/.exec(key)?.[1]
      return [[length === undefined ? key : makeKey(take(Number(length))), fill(one)]]
    })
    return Object.fromEntries(members)
  }

  function fillText(text: string): JsonValue {
    const [, kind, first = '', second = ''] = /^<([a-z]+)(?: ([\d.]{1,7}))?(?: (\d{1,2}))?>$/.exec(text) ?? []
    const length = take(Number(second === '' ? first : second))
    switch (kind) {
      case 'boolean':
        return false
      case 'number':
        return 0.5
      case 'integer':
        return Number(`1${'0'.repeat(Math.max(0, Math.min(length, 16) - 1))}`)
      case 'identifier':
        return `${'x'.repeat(length)}${nextNumber()}`.slice(-length)
      case 'address':
        return `a://${'~'.repeat(Math.max(0, length - 4))}`
      case 'text':
        return '~'.repeat(length)
      case 'version':
        return makeVersion(first, length)
      case 'deeper':
        return {}
      default:
        return text
    }
  }

  /** A key that no object has twice, and that is no name of a field. */
  function makeKey(length: number): string {
    if (length === 0) return ''
    return `${String.fromCodePoint(firstLetter + made++)}${'~'.repeat(length - 1)}`
  }

  function nextNumber(): string {
    return (made++).toString(36)
  }

  function take(wanted: number): number {
    const taken = Number.isInteger(wanted) ? Math.min(wanted, left) : 0
    left -= taken
    return taken
  }
}

/** Beyond the letters that names of fields have. */
const firstLetter = 0x400

function makeVersion(release: string, length: number): string {
  const padded = release.padEnd(length, '.0')
  return padded.endsWith('.') ? `${padded.slice(0, -1)}0` : padded
}

function readMore(text: JsonValue): number | undefined {
  const count = typeof text === 'string' ? /^<more (\d{1,7})>$/.exec(text)?.[1] : undefined
  return count === undefined ? undefined : Number(count)
}
