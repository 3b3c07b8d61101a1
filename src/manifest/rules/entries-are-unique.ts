import { diagnose } from '../../diagnostics/diagnostic.js'
import { isObject, type JsonValue } from '../../schema/json-schema.js'
import { appendSegment, readLastSegment } from '../../schema/pointer.js'
import { places, select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** Lists, with the field that identifies an entry; without one, the whole entry does. */
const lists = [
  { list: '/spec/cloudStorage', field: 'name' },
  { list: '/spec/dataStores', field: 'clientPath' },
  { list: '/spec/folders' },
  { list: places.tolerationList },
] as const satisfies readonly { readonly list: string; readonly field?: string }[]

/** A list has no duplicate entries; each is reported once, at its second occurrence. */
export const entriesAreUnique: Rule = function* ({ index }) {
  for (const { list, ...by } of lists)
    for (const { pointer, value: entries } of select(index, list)) {
      if (!Array.isArray(entries)) continue
      const timesSeen = new Map<string, number>()
      for (const [index, entry] of (entries as readonly JsonValue[]).entries()) {
        const shared = 'field' in by ? readField(entry, by.field) : entry
        const identity = computeIdentity(shared)
        if (identity === undefined) continue
        const times = (timesSeen.get(identity) ?? 0) + 1
        timesSeen.set(identity, times)
        if (times !== 2) continue
        const element = appendSegment(pointer, index)
        const at = 'field' in by ? appendSegment(element, by.field) : element
        const text = typeof shared === 'string' ? shared : undefined
        yield diagnose('manifest/duplicate-entry', at, { list: readLastSegment(pointer), shared: text })
      }
    }
}

function readField(entry: JsonValue, field: string): JsonValue {
  return isObject(entry) ? (entry[field] ?? null) : null
}

/** Computes a text that only equal entries share; `undefined` for a value that is neither text nor a map. */
function computeIdentity(entry: JsonValue): string | undefined {
  if (typeof entry === 'string') return entry
  if (!isObject(entry)) return undefined
  const { key = '', operator = 'Equal', value = '', effect = '', ...others } = entry
  return JSON.stringify([key, operator, value, effect, others])
}
