const { PROPERTY_FACTOR = '1' } = process.env
const factor = Number(PROPERTY_FACTOR)

/** True in `npm run verify -- properties --full`, which tries all rows of the tables that `npm test` tries in part. */
export const isAtLength = factor > 1

/** How often a property is tried: `some` times in `npm test`, a multiple in `npm run verify -- properties --full`. */
export function cases(some: number): number {
  return some * factor
}
