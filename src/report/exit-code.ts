import type { EndState } from '../plan/run-state.js'

/** The exit codes of the process. The table is a contract: README and the command-line page show it. */
export const exitCodes = {
  done: 0,
  changes: 2,
  inProgress: 3,
  unknown: 4,
  serviceFailed: 5,
  stale: 6,
  locked: 7,
  usage: 64,
  invalid: 65,
  missing: 66,
  unreachable: 69,
  internal: 70,
  state: 74,
  trouble: 75,
  permission: 77,
  refused: 78,
  hungUp: 129,
  interrupted: 130,
  brokenPipe: 141,
  terminated: 143,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/**
 * The exit code of a run over several sites: the first in this order that one of them ended with. First come codes
 * that need an investigation, then codes that need a fix, then codes that another run may resolve.
 */
export const severityOrder: readonly ExitCode[] = [
  exitCodes.internal,
  exitCodes.unknown,
  exitCodes.serviceFailed,
  exitCodes.state,
  exitCodes.stale,
  exitCodes.permission,
  exitCodes.refused,
  exitCodes.invalid,
  exitCodes.missing,
  exitCodes.unreachable,
  exitCodes.trouble,
  exitCodes.locked,
  exitCodes.terminated,
  exitCodes.hungUp,
  exitCodes.interrupted,
  exitCodes.inProgress,
  exitCodes.changes,
  exitCodes.done,
]

/** The worst of the exit codes of sites; 0 only where all are. One that is in no order counts as the worst. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  const rank = (code: ExitCode) => severityOrder.indexOf(code)
  return codes.reduce<ExitCode>((worst, code) => (rank(code) < rank(worst) ? code : worst), exitCodes.done)
}

/** The order in words, for the help. */
export const severityOrderWords = severityOrder.join(', ')

/** The state that an apply leaves its site in, for each exit code. */
export const endStateByExitCode: Readonly<Record<ExitCode, EndState>> = {
  [exitCodes.done]: 'done',
  [exitCodes.changes]: 'failed',
  [exitCodes.inProgress]: 'unfinished',
  [exitCodes.unknown]: 'ambiguous',
  [exitCodes.serviceFailed]: 'failed',
  [exitCodes.stale]: 'failed',
  // Another run has the site: it needs more time.
  [exitCodes.locked]: 'unfinished',
  [exitCodes.usage]: 'refused',
  [exitCodes.invalid]: 'refused',
  [exitCodes.missing]: 'refused',
  [exitCodes.unreachable]: 'failed',
  [exitCodes.internal]: 'failed',
  [exitCodes.state]: 'failed',
  [exitCodes.trouble]: 'failed',
  [exitCodes.permission]: 'refused',
  [exitCodes.refused]: 'refused',
  [exitCodes.hungUp]: 'cancelled',
  [exitCodes.interrupted]: 'cancelled',
  [exitCodes.brokenPipe]: 'failed',
  [exitCodes.terminated]: 'cancelled',
}

/** The exit code of a site that ended in a state without an apply, such as one that was cancelled before. */
export const exitCodeByEndState: Readonly<Record<EndState, ExitCode>> = {
  ambiguous: exitCodes.unknown,
  failed: exitCodes.serviceFailed,
  refused: exitCodes.refused,
  unfinished: exitCodes.inProgress,
  cancelled: exitCodes.interrupted,
  done: exitCodes.done,
}

/** Options that a command cannot run with; thrown, so that it does not run on a part of them. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Recognizes a `UsageError` of any bundle: each has its own class. */
export function isUsageError(error: unknown): error is UsageError {
  return (error as Partial<Error> | null | undefined)?.name === 'UsageError'
}
