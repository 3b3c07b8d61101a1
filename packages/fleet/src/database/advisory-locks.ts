/**
 * Keys of our advisory locks: only one process at a time does each of these. Every key is used for one purpose only,
 * because two purposes with one key would block each other.
 */
export const advisoryLocks = {
  /** Creating our tables. */
  tables: 7_305_816_221,
  /** Starting the engine, which creates its tables. */
  launch: 7_305_816_222,
  /** Adding runs: the second of two submissions sees the runs of the first one. */
  submit: 7_305_816_223,
  /** Reassigning the work of dead workers. */
  adopt: 7_305_816_224,
} as const
