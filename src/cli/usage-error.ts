/** A command line that cannot be run; thrown, so that no command runs on a part of it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** True for a `UsageError` of whatever bundle, each of which has a class of its own. */
export function isUsageError(error: unknown): error is UsageError {
  return (error as Partial<Error> | null | undefined)?.name === 'UsageError'
}
