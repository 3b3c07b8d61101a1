const { PROPERTY_FACTOR = '1' } = process.env
const factor = Number(PROPERTY_FACTOR)

/** True with `PROPERTY_FACTOR=60`, which tries all rows of the tables that `npm test` tries in part. */
export const isAtLength = factor > 1

/** How often a property is tried: `some` times in `npm test`, and `PROPERTY_FACTOR` times as often where that is set. */
export function cases(some: number): number {
  return some * factor
}
