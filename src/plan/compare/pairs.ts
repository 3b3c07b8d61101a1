import { isObject, type JsonValue } from '../../schema/json-schema.js'
import { memberOf } from '../../schema/member.js'
import { type Field, memberField } from './field.js'
import { isSet, isUnordered, meaningOf } from './meaning.js'

/** The positions of an element in two lists; absent where it is in one of them only. */
export interface Pair {
  readonly before?: number
  readonly after?: number
}

/** Two lists of one field. */
interface Lists {
  readonly before: readonly JsonValue[]
  readonly after: readonly JsonValue[]
}

/**
 * Which element of one list is which of another, in the order of the second: by position where that counts; else
 * first those that say the same, then those of one name (`x-merge-by`), and the rest in their order, so that a
 * renamed element is one change and not two.
 */
export function pairsOf({ before, after }: Lists, field: Field): readonly Pair[] {
  const left = { before: positions(before, field), after: positions(after, field) }
  const found: Pair[] = []
  const pair = (key: (element: JsonValue, index: number) => string | undefined) => {
    const waiting = new Map<string, number[]>()
    for (const index of left.before) {
      const name = key(before[index] ?? null, index)
      if (name !== undefined) waiting.set(name, [...(waiting.get(name) ?? []), index])
    }
    for (const index of [...left.after]) {
      const name = key(after[index] ?? null, index)
      const match = name === undefined ? undefined : waiting.get(name)?.shift()
      if (match === undefined) continue
      found.push({ before: match, after: index })
      left.before.delete(match)
      left.after.delete(index)
    }
  }
  if (isUnordered(field)) {
    pair((element, index) => meaningOf(element, memberField(field, index)))
    pair((element, index) => nameIn(element, memberField(field, index), field))
  }
  const [olds, news] = [[...left.before], [...left.after]]
  const rest = Array.from({ length: Math.max(olds.length, news.length) }, (_, index): Pair => {
    const [old, next] = [olds[index], news[index]]
    return { ...(old !== undefined && { before: old }), ...(next !== undefined && { after: next }) }
  })
  return [...found, ...rest].toSorted((a, b) => (a.after ?? after.length) - (b.after ?? after.length))
}

/** The positions that count: in a set, of equal elements only the first. */
function positions(list: readonly JsonValue[], field: Field): Set<number> {
  if (!isSet(field)) return new Set(list.keys())
  const first = new Map<string | undefined, number>()
  for (const [index, element] of list.entries()) {
    const meaning = meaningOf(element, memberField(field, index))
    if (!first.has(meaning)) first.set(meaning, index)
  }
  return new Set(first.values())
}

/** What an element is called in its list, by the fields that name it. */
function nameIn(element: JsonValue, field: Field, list: Field): string | undefined {
  const keys = list.schema['x-merge-by']
  if (keys === undefined || !isObject(element)) return undefined
  return keys.map(key => meaningOf(memberOf(element, key), memberField(field, key)) ?? '').join()
}
