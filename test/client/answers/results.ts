/** What a command comes to: its exit code, and what it says. */
export type Cell = readonly [exitCode: number, says: RegExp]

/** What each command must make of an answer to a look. */
export interface Results {
  readonly plan: Cell
  readonly status: Cell
  /** `apply` at a site that answers so from the first look on. */
  readonly apply: Cell
  /** `apply` that waits for a configuration, which the site showed twice before it answers so for good. */
  readonly waiting: Cell
}

const timeIsUp: Cell = [3, /^the wait timed out/]
const observationFails: Cell = [3, /^the wait timed out.*\. The last poll of the site failed: /]

/** Nothing was planned or sent, and a wait goes on to the end of its time. */
function unread(exitCode: number, says: RegExp): Results {
  const cell: Cell = [exitCode, says]
  return { plan: cell, status: cell, apply: cell, waiting: observationFails }
}

const failed: Cell = [5, /^the service reports that the configuration failed/]
const unrecognized: Cell = [4, /the site reports the state ".*", .*, so nothing is planned$/s]

/** The ways in which an answer to a look can be meant. One cause has one exit code, whatever form the answer has. */
export const results = {
  ready: {
    plan: [0, /^configure no-op$/],
    status: [0, /^state {4}ready$/m],
    apply: [0, /^success: the site was verified ready/],
    waiting: [0, /^success: the site was verified ready/],
  },
  'in-progress': {
    plan: [0, /^configure resume$/],
    status: [0, /^state {4}in-progress$/m],
    apply: timeIsUp,
    waiting: timeIsUp,
  },
  failed: { plan: failed, status: [0, /^state {4}failed$/m], apply: failed, waiting: failed },
  /** The site says that it has none: after a request that is a sign that nothing came of it, or that all was lost. */
  'not-configured': {
    plan: [0, /^configure create$/],
    status: [0, /^state {4}not-configured$/m],
    apply: [4, /^the outcome of configure is unknown: .* shows no sign of it$/],
    waiting: [6, /^the site no longer reports a configuration/],
  },
  /** No state at all: before a request there is no configuration, and afterwards it means nothing. */
  silent: {
    plan: [0, /^configure create$/],
    status: [0, /^state {4}not-configured$/m],
    apply: timeIsUp,
    waiting: timeIsUp,
  },
  unrecognized: {
    plan: unrecognized,
    status: [0, /^state {4}unrecognized: /m],
    apply: unrecognized,
    waiting: [4, /^the outcome of configure is unknown: the site reports the state ".*", /s],
  },
  /** Something else than a site answers, or nothing whole. */
  'not-understood': unread(75, /unexpected response \(HTTP \d+\): /),
  'no-answer': unread(75, /connection closed before a complete response \(ANSWER_TOO_LARGE\)/),
  trouble: unread(
    75,
    /(?:request timeout|too early|too many requests|internal server error|not implemented|bad gateway|service unavailable|gateway timeout|service error) \(HTTP \d+\)/,
  ),
  /** An error body with a status of trouble: the words are shown, and the same look may go well later. */
  'refused in trouble': unread(75, /the service rejected the request: /),
  'not-found': unread(69, /no site at this address, or it is not up yet \(HTTP \d+\)/),
  refused: unread(5, /the service rejected the request: /),
  elsewhere: unread(78, /unexpected redirect .*; not followed$/),
  'slash without end': unread(78, /to \/portal\/admin\/; not followed$/),
  'sign-in': {
    ...unread(77, /authentication failed: /),
    waiting: [77, /^every poll of the site is rejected for lack of a valid token/],
  },
  /** Something in front of the service answers that it lets nobody in: the token may have no part in it. */
  'sign-in page': {
    ...unread(77, /a sign-in page/),
    waiting: [77, /^every poll of the site is rejected: .*a sign-in page/],
  },
  denied: {
    ...unread(77, /something in front of the service denied access \(HTTP 40[13]\)/),
    waiting: [77, /^every poll of the site is rejected: something in front of the service denied access/],
  },
} as const satisfies Readonly<Record<string, Results>>

export type Result = keyof typeof results

/** An answer as it comes. */
export interface Given {
  readonly status: number
  readonly body: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** JSON under a status. */
export function json(body: unknown, status = 200): Given {
  return { status, body: JSON.stringify(body) }
}

/** A text under a status. */
export function text(
  body: string | Buffer,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Given {
  return { status, body, headers }
}
