import type { CST } from 'yaml'
import { yamlLimits } from './yaml-limits.js'

/** Twice the cap: the reader rejects nesting that is only slightly too deep, at its place. */
const levels = 2 * yamlLimits.depth

/**
 * Finds the offset where nesting is too deep to compose; `undefined` if it is not. Composing is recursive, and a stack
 * overflow inside it can end the process without an exception.
 */
export function findTooDeep(tokens: readonly CST.Token[]): number | undefined {
  let level = tokens
  for (let depth = 0; depth < levels; depth += 1) level = level.flatMap(listTokenMembers)
  return level[0]?.offset
}

/** Finds the offset of the first unclosed quote; `undefined` if there is none. For tokens that are not too deep. */
export function findUnclosedQuote(tokens: readonly CST.Token[]): number | undefined {
  for (const token of tokens) {
    if (token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar') {
      const { source, offset } = token
      if (source.length < 2 || source.at(-1) !== source[0]) return offset
    }
    const inside = findUnclosedQuote(listTokenMembers(token))
    if (inside !== undefined) return inside
  }
  return undefined
}

function listTokenMembers(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value]
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value].filter(member => member != null))
}
