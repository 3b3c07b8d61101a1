import type { EndState } from '../plan/run-state.js'

/** The meaning of an exit code. */
export interface ExitCodeRow {
  readonly code: number
  readonly meaning: string
  /** When the same command can be run again. */
  readonly again: 'not needed' | 'yes' | 'later' | 'after a fix' | 'after a check'
  /** The next step, in sentences. */
  readonly next: string
  /** The state that an apply leaves its site in. */
  readonly end: EndState
  /**
   * The rank of the code. The exit code of a run over several sites is the one with the lowest rank: first come codes
   * that need an investigation, then codes that need a fix, then codes that another run may resolve. Absent if no site
   * ends with the code.
   */
  readonly rank?: number
}

const stopped =
  'A request in flight had half a minute to complete, and a configuration continues on the service.'

/** Every exit code of the process. The table is a contract: README and the command-line page show it. */
export const exitCodeRows = {
  done: {
    code: 0,
    meaning: 'success: the site was verified ready',
    again: 'not needed',
    next: 'There is nothing to do.',
    end: 'done',
    rank: 18,
  },
  changes: {
    code: 2,
    meaning:
      '`plan --detailed-exitcode`: there are changes; `drift`: something differs; `test`: an expectation does not hold',
    again: 'not needed',
    next: 'This is a result, not a failure: review the report, and apply it; after `test`, fix the manifest or the expectation.',
    end: 'failed',
    rank: 17,
  },
  inProgress: {
    code: 3,
    meaning: 'still in progress',
    again: 'yes',
    next: 'Run the same command again, for example on a schedule: it resumes waiting. The wait timed out, or the run was detached. The configuration continues on the service.',
    end: 'unfinished',
    rank: 16,
  },
  unknown: {
    code: 4,
    meaning: 'outcome unknown',
    again: 'after a check',
    next: 'A request was sent and its outcome is unknown, or the site reports an unknown state. `landform status` shows the site, and `apply` keeps watching it. If a `configure` did not reach the service, `landform state discard-intent` proves that, and then `apply` can send another. After an export, check for its file first; after a deletion, check which webhooks are left, because a second deletion would remove new ones, too.',
    end: 'ambiguous',
    rank: 2,
  },
  serviceFailed: {
    code: 5,
    meaning: 'the service reports failure, refused the request, or warns of an export',
    again: 'after a check',
    next: 'See the logs of the service for the reason. A failed configuration cannot be resumed: undeploy and redeploy the site. `--allow-warnings` accepts a warning of an export.',
    end: 'failed',
    rank: 3,
  },
  stale: {
    code: 6,
    meaning: 'stale plan, or an edit of an immutable field',
    again: 'after a fix',
    next: 'The message names the fact that changed: plan again, and review the plan. If another site responds than before, find out why first. Revert an edit of an immutable field, or name it with `--ignore-immutable`.',
    end: 'failed',
    rank: 5,
  },
  locked: {
    code: 7,
    meaning: 'another run holds the lock of the site',
    again: 'later',
    next: 'The message names the run. `--lock-timeout 20m` waits for it. If its machine no longer exists: `landform state unlock`.',
    // Another run is working on the site, so this one only has to wait.
    end: 'unfinished',
    rank: 12,
  },
  usage: {
    code: 64,
    meaning: 'the command line is invalid; nothing was run',
    again: 'after a fix',
    next: 'The message names the problem, and the help of the command lists every option.',
    end: 'refused',
  },
  invalid: {
    code: 65,
    meaning: 'the manifest, a policy or another file is invalid, or a secret or file cannot be used',
    again: 'after a fix',
    next: '`landform explain CODE` explains each [diagnostic](diagnostics.md).',
    end: 'refused',
    rank: 8,
  },
  missing: {
    code: 66,
    meaning: 'a manifest, policy, file or secret is missing',
    again: 'after a fix',
    next: 'The message names it.',
    end: 'refused',
    rank: 9,
  },
  unreachable: {
    code: 69,
    meaning: 'the service cannot be reached, or is not at its address; nothing was sent',
    again: 'later',
    next: 'Check the address of the site, and that it can be reached from here. `-v` shows the route. A 404 means that the path is wrong, or that the site is not up yet; right after a deployment `--wait-ready 15m` waits for it.',
    end: 'failed',
    rank: 10,
  },
  internal: {
    code: 70,
    meaning: 'internal error: a defect of Landform',
    again: 'yes',
    next: 'Report it, with the printed message. Running the command again is as safe as ever.',
    end: 'failed',
    rank: 1,
  },
  state: {
    code: 74,
    meaning: 'the state, a report or a file could not be read or written',
    again: 'after a fix',
    next: 'A run that fails before its submission intent is recorded sends nothing; after that, the next run continues from the actual state of the site.',
    end: 'failed',
    rank: 4,
  },
  trouble: {
    code: 75,
    meaning: 'service unavailable',
    again: 'later',
    next: 'Retrying is safe.',
    end: 'failed',
    rank: 11,
  },
  permission: {
    code: 77,
    meaning: 'authentication, permission or TLS',
    again: 'after a fix',
    next: 'A token, a password, a certificate or the sign-in at a proxy is invalid: the message says which. Or something in front of the site responded: with a sign-in page or a redirect to one, with an account of its own, or by denying access. Or the server requires a client certificate.',
    end: 'refused',
    rank: 6,
  },
  refused: {
    code: 78,
    meaning: 'rejected by a policy or an option',
    again: 'after a fix',
    next: 'The run was not confirmed or names another target, a rule of the policy is violated, the version lacks the operation, a file would be overwritten, the state is not the one that the manifest declares or is not the one with an open request of this machine, the origin is not allowed, TLS is not verified, the site redirects to another address (the message names it), its port expects https, or a drift covers less than `--min-coverage`.',
    end: 'refused',
    rank: 7,
  },
  hungUp: {
    code: 129,
    meaning: 'the terminal was closed',
    again: 'yes',
    next: stopped,
    end: 'cancelled',
    rank: 14,
  },
  interrupted: {
    code: 130,
    meaning: 'interrupted',
    again: 'yes',
    next: stopped,
    end: 'cancelled',
    rank: 15,
  },
  brokenPipe: {
    code: 141,
    meaning: 'the reader of the output closed it',
    again: 'yes',
    next: 'Usually a pager or `head`. `apply` continues without a reader, and ends with its own result.',
    end: 'failed',
  },
  terminated: {
    code: 143,
    meaning: 'terminated',
    again: 'yes',
    next: stopped,
    end: 'cancelled',
    rank: 13,
  },
} as const satisfies Readonly<Record<string, ExitCodeRow>>

export type ExitName = keyof typeof exitCodeRows

/** The exit codes by their names. */
export const exitCodes = Object.fromEntries(
  Object.entries(exitCodeRows).map(([name, { code }]) => [name, code]),
) as {
  readonly [K in ExitName]: (typeof exitCodeRows)[K]['code']
}

export type ExitCode = (typeof exitCodes)[ExitName]

/** The codes that sites end with, the worst first. */
export const severityOrder = Object.values<ExitCodeRow>(exitCodeRows)
  .filter(({ rank }) => rank !== undefined)
  .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
  .map(({ code }) => code as ExitCode)

/** Finds the worst exit code of several sites; 0 only if all are 0. A code without a rank counts as the worst. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  const rank = (code: ExitCode) => severityOrder.indexOf(code)
  return codes.reduce<ExitCode>((worst, code) => (rank(code) < rank(worst) ? code : worst), exitCodes.done)
}

/** The order in words, for the help. */
export const severityOrderWords = severityOrder.join(', ')

/** The state that an apply leaves its site in, for each exit code. */
export const endStateByExitCode = Object.fromEntries(
  Object.values(exitCodeRows).map(({ code, end }) => [code, end]),
) as Readonly<Record<ExitCode, EndState>>

/** The exit code of a site that ended in a state without an apply, such as one that was cancelled before. */
export const exitCodeByEndState: Readonly<Record<EndState, ExitCode>> = {
  ambiguous: exitCodes.unknown,
  failed: exitCodes.serviceFailed,
  refused: exitCodes.refused,
  unfinished: exitCodes.inProgress,
  cancelled: exitCodes.interrupted,
  done: exitCodes.done,
}

/** Thrown for options that a command cannot run with, so that it does not ignore a part of them. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Recognizes a `UsageError` of any bundle: each has its own class. */
export function isUsageError(error: unknown): error is UsageError {
  return (error as Partial<Error> | null | undefined)?.name === 'UsageError'
}
