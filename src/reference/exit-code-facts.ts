import type { exitCodes } from '../cli/exit-code.js'

/** What a reader of an exit code wants to know. */
export interface ExitCodeFacts {
  readonly meaning: string
  /** Whether the same command may simply run again. */
  readonly again: 'needless' | 'yes' | 'later' | 'after mending' | 'after a look'
  /** What to do, in sentences. */
  readonly next: string
}

/** Every exit code; a new one does not compile without. */
export const exitCodeFacts: Readonly<Record<keyof typeof exitCodes, ExitCodeFacts>> = {
  done: { meaning: 'done, and the truth agrees', again: 'needless', next: 'There is nothing to do.' },
  changes: {
    meaning:
      '`plan --detailed-exitcode`: there are changes; `drift`: something differs; `test`: an expectation does not hold',
    again: 'needless',
    next: 'It is an answer and no failure: review what is shown, and apply it; after `test`, mend the manifest or the expectation.',
  },
  inProgress: {
    meaning: 'still in progress',
    again: 'yes',
    next: 'Run the same command again, by a schedule if you like: it takes up the wait. The time was up, the run was detached, or no token is right any more (then give it one). The configuration goes on by itself.',
  },
  unknown: {
    meaning: 'outcome unknown',
    again: 'after a look',
    next: 'A request went out and nothing tells what became of it, or the site shows a state that nobody knows. `landform status` looks, and `apply` looks on. If nothing came of a `configure`, `landform state resubmit` has the proof made, and then `apply` may send another. After an export look for its file first; after a deletion see which webhooks are left, for a second one would delete new ones, too.',
  },
  serviceFailed: {
    meaning: 'the service reports failure, refused the request, or warns of an export',
    again: 'after a look',
    next: 'The logs of the service say why. A configuration that failed is taken back by undeploying. A warning of an export is allowed with `--allow-warnings`.',
  },
  stale: {
    meaning: 'something the plan was made from is no longer true, or an edit can never be applied',
    again: 'after mending',
    next: 'The message names the fact that moved: plan again, and review. Where another site answers than before, find out why first. An edit that nothing can carry out is taken back, or named with `--ignore-immutable`.',
  },
  locked: {
    meaning: 'another run has the site, and nothing was sent',
    again: 'later',
    next: 'The message names the run. Of a machine that is gone: `landform state unlock`.',
  },
  usage: {
    meaning: 'the command line is not right, and nothing was run',
    again: 'after mending',
    next: 'The message says what is wrong with it, and the help of the command has every option.',
  },
  invalid: {
    meaning: 'the manifest, a policy or another file is not valid, or a secret or file may not be used',
    again: 'after mending',
    next: '`landform explain CODE` says more of each [diagnostic](diagnostics.md). Nothing was sent.',
  },
  missing: {
    meaning: 'a manifest, policy, file or secret is missing',
    again: 'after mending',
    next: 'The message names it. Nothing was sent.',
  },
  unreachable: {
    meaning: 'the service cannot be reached, or is not at its address; nothing was sent',
    again: 'later',
    next: 'Check the address of the site, and that it can be reached from here. `-v` says by which way it is. A 404 in place of the site says that its path is another one, or that it is not up yet; right after a deployment `--wait-ready 15m` waits for it.',
  },
  internal: {
    meaning: 'internal error: a defect of Landform',
    again: 'yes',
    next: 'Tell us, with what was printed. Whatever it was, running again is as safe as ever.',
  },
  state: {
    meaning: 'the state, a report or a file could not be read or written',
    again: 'after mending',
    next: 'Before the promise nothing was sent; after it the next run finds the site as it is.',
  },
  trouble: {
    meaning: 'the service is in trouble',
    again: 'later',
    next: 'Trying again is safe.',
  },
  permission: {
    meaning: 'authentication, permission or TLS',
    again: 'after mending',
    next: 'A token, a password, a certificate or the sign-in at a proxy is not right: the message says which. A page to sign in at, or a redirect to one, came in place of the site.',
  },
  refused: {
    meaning: 'refused, by rules of the team or by something you asked for',
    again: 'after mending',
    next: 'There was no yes or another target, a rule of the policy is violated, the version lacks the operation, a file would be replaced, the state is not the one that the manifest declares, or that this machine has an open request in, the origin is not allowed, TLS is not verified, the site answers with a redirect to another address (the message names it), or a drift covers less than `--min-coverage`.',
  },
  hungUp: { meaning: 'the terminal was closed', again: 'yes', next: stoppedWords() },
  interrupted: { meaning: 'interrupted', again: 'yes', next: stoppedWords() },
  brokenPipe: {
    meaning: 'whoever read the output went away',
    again: 'yes',
    next: 'Mostly a pager or `head` that had enough. `apply` goes on without a reader, and ends with what it came to.',
  },
  terminated: { meaning: 'terminated', again: 'yes', next: stoppedWords() },
}

/** Codes that any command may end with. */
export const ofEveryCommand: readonly number[] = [0, 64, 70, 129, 130, 141, 143]

const looks = [65, 66, 69, 74, 75, 77, 78]

/** What each command may end with besides; the tests hold this against what is printed anywhere. */
const ofCommand: Readonly<Record<string, readonly number[]>> = {
  init: [65, 66, 78],
  validate: [65, 66, 74, 78],
  render: [65, 66, 74, 78],
  plan: [2, 4, 5, 6, ...looks],
  show: [6, 65, 66, 74],
  apply: [3, 4, 5, 6, 7, ...looks],
  status: [3, 4, 5, 6, ...looks],
  drift: [2, 3, 4, 5, 6, ...looks],
  'export-site': [4, 5, ...looks],
  'webhooks delete-all': [4, 5, ...looks],
  'state show': [65, 66, 74, 78],
  'state unlock': [6, 7, 65, 66, 74, 78],
  'state move': [6, 7, 65, 66, 74, 78],
  'state resubmit': [4, 5, 6, 7, ...looks],
  'fleet submit': [65, 66, 74, 78],
  'fleet worker': [7, 66, 69, 74, 78],
  'fleet status': [3, 4, 5, 66, 74, 78],
  'fleet cancel': [66, 74, 78],
  'fleet resume': [4, 66, 74, 78],
  'fleet history': [66, 74, 78],
  'fleet prune': [66, 74, 78],
  'fleet ui': [66, 69, 74, 78],
  why: [5, ...looks],
  explain: [],
  schema: [],
  test: [2, 65, 66, 74],
  emulate: [65, 66, 69],
  completion: [],
}

/** The codes of a command beside those of every one. */
export function codesOf(name: string): readonly number[] {
  const own = ofCommand[name]
  if (own === undefined) throw new Error(`say in src/reference/exit-code-facts.ts what ${name} ends with`)
  return [...ofEveryCommand, ...own].toSorted((a, b) => a - b)
}

/** The commands that may end with a code. */
export function commandsWith(value: number): readonly string[] {
  return Object.keys(ofCommand).filter(name => codesOf(name).includes(value))
}

function stoppedWords(): string {
  return 'A request under way had half a minute to be answered, and a configuration goes on by itself.'
}
