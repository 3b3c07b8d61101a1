import type { exitCodes } from '../../src/report/exit-code.js'

/** The documentation of an exit code. */
export interface ExitCodeFacts {
  readonly meaning: string
  /** Says when the same command can be run again. */
  readonly again: 'not needed' | 'yes' | 'later' | 'after a fix' | 'after a check'
  /** The next step, in sentences. */
  readonly next: string
}

/** Every exit code; a new one does not compile without. */
export const exitCodeFacts: Readonly<Record<keyof typeof exitCodes, ExitCodeFacts>> = {
  done: {
    meaning: 'success: the site was verified ready',
    again: 'not needed',
    next: 'There is nothing to do.',
  },
  changes: {
    meaning:
      '`plan --detailed-exitcode`: there are changes; `drift`: something differs; `test`: an expectation does not hold',
    again: 'not needed',
    next: 'This is a result, not a failure: review the report, and apply it; after `test`, fix the manifest or the expectation.',
  },
  inProgress: {
    meaning: 'still in progress',
    again: 'yes',
    next: 'Run the same command again, for example on a schedule: it resumes waiting. The wait timed out, the run was detached, or no token is valid any more (then provide one). The configuration continues on the service.',
  },
  unknown: {
    meaning: 'outcome unknown',
    again: 'after a check',
    next: 'A request was sent and its outcome is unknown, or the site reports an unknown state. `landform status` shows the site, and `apply` keeps watching it. If a `configure` did not reach the service, `landform state discard-intent` proves that, and then `apply` can send another. After an export, check for its file first; after a deletion, check which webhooks are left, because a second deletion would remove new ones, too.',
  },
  serviceFailed: {
    meaning: 'the service reports failure, refused the request, or warns of an export',
    again: 'after a check',
    next: 'See the logs of the service for the reason. A failed configuration cannot be resumed: undeploy and redeploy the site. `--allow-warnings` accepts a warning of an export.',
  },
  stale: {
    meaning: 'stale plan, or an edit of an immutable field',
    again: 'after a fix',
    next: 'The message names the fact that changed: plan again, and review the plan. If another site responds than before, find out why first. Revert an edit of an immutable field, or name it with `--ignore-immutable`.',
  },
  locked: {
    meaning: 'another run holds the lock of the site; nothing was sent',
    again: 'later',
    next: 'The message names the run. If its machine no longer exists: `landform state unlock`.',
  },
  usage: {
    meaning: 'the command line is invalid; nothing was run',
    again: 'after a fix',
    next: 'The message names the problem, and the help of the command lists every option.',
  },
  invalid: {
    meaning: 'the manifest, a policy or another file is invalid, or a secret or file cannot be used',
    again: 'after a fix',
    next: '`landform explain CODE` explains each [diagnostic](diagnostics.md). Nothing was sent.',
  },
  missing: {
    meaning: 'a manifest, policy, file or secret is missing',
    again: 'after a fix',
    next: 'The message names it. Nothing was sent.',
  },
  unreachable: {
    meaning: 'the service cannot be reached, or is not at its address; nothing was sent',
    again: 'later',
    next: 'Check the address of the site, and that it can be reached from here. `-v` shows the route. A 404 means that the path is wrong, or that the site is not up yet; right after a deployment `--wait-ready 15m` waits for it.',
  },
  internal: {
    meaning: 'internal error: a defect of Landform',
    again: 'yes',
    next: 'Report it, with the printed message. Running the command again is as safe as ever.',
  },
  state: {
    meaning: 'the state, a report or a file could not be read or written',
    again: 'after a fix',
    next: 'Before the submission intent was recorded, nothing was sent; after that, the next run continues from the actual state of the site.',
  },
  trouble: {
    meaning: 'service unavailable',
    again: 'later',
    next: 'Retrying is safe.',
  },
  permission: {
    meaning: 'authentication, permission or TLS',
    again: 'after a fix',
    next: 'A token, a password, a certificate or the sign-in at a proxy is invalid: the message says which. Or a sign-in page, or a redirect to one, responded instead of the site.',
  },
  refused: {
    meaning: 'rejected by a policy or an option',
    again: 'after a fix',
    next: 'The run was not confirmed or names another target, a rule of the policy is violated, the version lacks the operation, a file would be overwritten, the state is not the one that the manifest declares or is not the one with an open request of this machine, the origin is not allowed, TLS is not verified, the site redirects to another address (the message names it), or a drift covers less than `--min-coverage`.',
  },
  hungUp: { meaning: 'the terminal was closed', again: 'yes', next: describeStopped() },
  interrupted: { meaning: 'interrupted', again: 'yes', next: describeStopped() },
  brokenPipe: {
    meaning: 'the reader of the output closed it',
    again: 'yes',
    next: 'Usually a pager or `head`. `apply` continues without a reader, and ends with its own result.',
  },
  terminated: { meaning: 'terminated', again: 'yes', next: describeStopped() },
}

/** Codes that any command may end with. */
export const ofEveryCommand: readonly number[] = [0, 64, 70, 129, 130, 141, 143]

const ofSite = [65, 66, 69, 74, 75, 77, 78]

/** The further exit codes of each command; the tests compare this with every printed code. */
const ofCommand: Readonly<Record<string, readonly number[]>> = {
  init: [65, 66, 78],
  validate: [65, 66, 74, 78],
  render: [65, 66, 74, 78],
  plan: [2, 4, 5, 6, ...ofSite],
  show: [6, 65, 66, 74],
  apply: [3, 4, 5, 6, 7, ...ofSite],
  status: [3, 4, 5, 6, ...ofSite],
  drift: [2, 3, 4, 5, 6, ...ofSite],
  probe: [...ofSite],
  adopt: [3, 4, 5, 6, 7, ...ofSite],
  'export-site': [4, 5, 6, ...ofSite],
  'webhooks delete-all': [4, 5, 6, ...ofSite],
  'state show': [65, 66, 74, 78],
  'state unlock': [6, 7, 65, 66, 74, 78],
  'state move': [6, 7, 65, 66, 74, 78],
  'state discard-intent': [4, 5, 6, 7, ...ofSite],
  'fleet submit': [65, 66, 74, 78],
  'fleet worker': [7, 65, 66, 69, 74, 78],
  'fleet status': [3, 4, 5, 6, 7, ...ofSite],
  'fleet cancel': [65, 66, 74, 78],
  'fleet resume': [4, 65, 66, 74, 78],
  'fleet history': [65, 66, 74, 78],
  'fleet prune': [65, 66, 74, 78],
  'fleet ui': [65, 66, 69, 74, 78],
  why: [5, ...ofSite],
  explain: [],
  schema: [],
  test: [2, 65, 66, 74],
  emulate: [65, 66, 69],
  completion: [],
}

/** Lists all exit codes of a command. */
export function listExitCodes(name: string): readonly number[] {
  const own = ofCommand[name]
  if (own === undefined) throw new Error(`scripts/reference/exit-code-facts.ts has no exit codes of ${name}`)
  return [...ofEveryCommand, ...own].toSorted((a, b) => a - b)
}

/** Lists the commands that can end with a code. */
export function findCommandsWith(value: number): readonly string[] {
  return Object.keys(ofCommand).filter(name => listExitCodes(name).includes(value))
}

function describeStopped(): string {
  return 'A request in flight had half a minute to complete, and a configuration continues on the service.'
}
