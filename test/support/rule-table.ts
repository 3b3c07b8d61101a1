import { type Changes, problemsOf } from './changed-manifest.js'

/** Each row: what it is, the changes, and what is said of them. */
export type Table = readonly (readonly [string, Changes, readonly string[]])[]

/** A test for each row of a table about one rule. */
export function rule(name: string, table: Table): void {
  describe(name, () => {
    test.each(table)('%s', (_, changes, expected) => {
      expect(problemsOf(changes)).toEqual(expected)
    })
  })
}
