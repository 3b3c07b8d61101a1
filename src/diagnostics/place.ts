/** A line and a column in a text, both counted from 1; columns in UTF-16 code units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A range in a file; `end` is the first position after it. */
export interface Place {
  readonly file: string
  readonly start: Position
  readonly end: Position
}

/** A place that explains a diagnostic, with the reason. */
export interface RelatedPlace {
  readonly message: string
  readonly place: Place
}
