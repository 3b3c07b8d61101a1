import { type Changes, problemsOf } from './changed-manifest.js'

/** Rows with a title, the changes, and the expected problems. */
export type Table = readonly (readonly [string, Changes, readonly string[]])[]

/** Defines a test for each row of a table about one rule. */
export function rule(name: string, table: Table): void {
  describe(name, () => {
    test.each(table)('%s', (_, changes, expected) => {
      expect(problemsOf(changes)).toEqual(expected)
    })
  })
}
