import type { JsonValue } from '../schema/json-schema.js'
import type { JsonPointer } from '../schema/pointer.js'

/** Two offsets in a text; the end is exclusive. */
export type Range = readonly [from: number, to: number]

/** The ranges of a value in the text, and of its key where it has one. A block ends with the line of its last value. */
export interface Span {
  readonly key?: Range
  readonly value: Range
  /** The value at the anchor, if the value is an alias. */
  readonly source?: Range
}

/** The value of a YAML text, with the range of every part. */
export interface YamlContent {
  readonly value: JsonValue
  readonly spans: ReadonlyMap<JsonPointer, Span>
  /** The pointers of the values with an anchor, by the offsets of these values. */
  readonly anchors: ReadonlyMap<number, JsonPointer>
  /** Ranges that were rejected and have no span; they may contain a secret. */
  readonly unread: readonly Range[]
}

/** Finds the end of the line at an offset. */
export function skipLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end + 1
}
