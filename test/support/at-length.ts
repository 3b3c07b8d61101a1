const { PROPERTY_FACTOR = '0.25' } = process.env
const factor = Number(PROPERTY_FACTOR)

/**
 * True in CI, and where tables are tried at length. `npm test` alone tries some of the rows that cross one thing with another:
 * each thing in some row, though not each with each.
 */
export const isWhole = factor >= 1

/**
 * True where tables are tried at length: `npm run verify -- properties --full`. Everywhere else their rows take turns, so that
 * the short form of that check has nothing to add to them.
 */
export const isAtLength = factor > 1
