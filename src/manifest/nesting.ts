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

/** An opening quote or bracket without its end. */
export interface Unclosed {
  readonly offset: number
  readonly closedBy: string
}

/** Finds the innermost quote, brace or bracket that is not closed. For tokens that are not too deep. */
export function findUnclosed(tokens: readonly CST.Token[]): Unclosed | undefined {
  return listUnclosed(tokens).at(-1)
}

function listUnclosed(tokens: readonly CST.Token[]): Unclosed[] {
  return tokens.flatMap(token => [...findOwnEnd(token), ...listUnclosed(listTokenMembers(token))])
}

const ends: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

function findOwnEnd(token: CST.Token): readonly Unclosed[] {
  const { offset } = token
  if (token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar') {
    const { source } = token
    const [closedBy = ''] = source
    return source.length < 2 || source.at(-1) !== closedBy ? [{ offset, closedBy }] : []
  }
  if (token.type !== 'flow-collection') return []
  const closedBy = ends[token.start.source] ?? ''
  return token.end[0]?.source === closedBy ? [] : [{ offset, closedBy }]
}

function listTokenMembers(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value]
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value].filter(member => member != null))
}
