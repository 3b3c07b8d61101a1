/**
 * Numbers of advisory locks that nobody else uses: processes do each of these one after the other. Two things with one
 * number would wait for each other.
 */
export const advisoryLocks = {
  /** Making our tables. */
  migrate: 7_305_816_221,
  /** Starting the engine, which makes its tables. */
  launch: 7_305_816_222,
  /** Adding runs: of two submissions the second one sees what the first one has added. */
  submit: 7_305_816_223,
  /** Taking back what dead workers had. */
  adopt: 7_305_816_224,
} as const
