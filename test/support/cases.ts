/** A quarter, unless `npm run verify -- properties` asks for all, or for many times as many. */
const { PROPERTY_FACTOR = '0.25' } = process.env

/** How often a property is tried, where `some` cases are the whole. */
export function cases(some: number): number {
  return Math.ceil(some * Number(PROPERTY_FACTOR))
}

/** The same, but never fewer than `some`: where fewer would not meet everything that the test says they meet. */
export function allCases(some: number): number {
  return Math.max(some, cases(some))
}
