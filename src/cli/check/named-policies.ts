import { UsageError } from '../usage-error.js'

/** The policy files that the command line names. */
export function namedPolicies(named: readonly string[]): readonly string[] {
  if (named.includes('-')) throw new UsageError('--policy names a file; standard input is for the manifest')
  return named
}
