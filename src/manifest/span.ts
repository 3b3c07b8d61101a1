/** The offsets of a value in the text, and of its key where it has one; the end is exclusive. */
export interface Span {
  readonly key?: readonly [number, number]
  readonly value: readonly [number, number]
  /** The value at the anchor, if the value is an alias. */
  readonly source?: readonly [number, number]
}
