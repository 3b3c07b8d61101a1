const { PROPERTY_FACTOR = '1' } = process.env
const factor = Number(PROPERTY_FACTOR)

/** True with `PROPERTY_FACTOR` above 1, which tries all rows of the tables that `npm test` tries in part. */
export const isAtLength = factor > 1

/** Returns how often to try a property: `some` times in `npm test`, multiplied by `PROPERTY_FACTOR` if that is set. */
export function cases(some: number): number {
  return some * factor
}
