const { PROPERTY_FACTOR = '0.25' } = process.env

/**
 * True where tables are tried whole: `npm run verify -- properties --full`. Everywhere else their rows take turns, so that
 * the short form of that check has nothing to add to them.
 */
export const isAtLength = Number(PROPERTY_FACTOR) > 1
