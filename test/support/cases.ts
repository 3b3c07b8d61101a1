const { PROPERTY_FACTOR = '1' } = process.env

/** How often a property is tried: `some` cases in the suite, and many times that in `npm run verify -- properties --full`. */
export function cases(some: number): number {
  return Math.ceil(some * Number(PROPERTY_FACTOR))
}
