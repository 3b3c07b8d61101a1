import { type ExitCode, exitCodes } from '../exit-code.js'

/**
 * What a run over several sites answers with: the first of these that one of them ended with. First what a person has
 * to look into, then what they have to mend, then what another run may bring about by itself.
 */
export const gravity: readonly ExitCode[] = [
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

/** The gravest of the exit codes of sites; 0 only where all are. One that is in no order counts as the gravest. */
export function gravest(codes: readonly ExitCode[]): ExitCode {
  const rank = (code: ExitCode) => gravity.indexOf(code)
  return codes.reduce<ExitCode>((worst, code) => (rank(code) < rank(worst) ? code : worst), exitCodes.done)
}

/** The order in words, for the help. */
export const gravityWords = gravity.join(', ')
