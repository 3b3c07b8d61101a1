import type { CST } from 'yaml'
import { caps } from './yaml-limits.js'

/** Twice the cap, since what is just above it is refused where it stands, by the reader. */
const levels = 2 * caps.depth

/**
 * Where the nesting becomes too deep even to compose; `undefined` when it does not. Composing is recursive, and
 * running out of stack inside it can end the process, so that no exception tells of it.
 */
export function tooDeepAt(tokens: readonly CST.Token[]): number | undefined {
  let level = tokens
  for (let depth = 0; depth < levels; depth += 1) level = level.flatMap(membersOf)
  return level[0]?.offset
}

function membersOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value]
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value].filter(member => member != null))
}
