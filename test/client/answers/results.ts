/** The exit code and the last message of a command. */
export type Cell = readonly [exitCode: number, says: RegExp]

/** The ending of each command for a response to a poll. */
export interface Results {
  readonly plan: Cell
  readonly status: Cell
  /** `apply` if the site gives this response from the first poll on. */
  readonly apply: Cell
  /** `apply` that waits for a configuration, if the site gives this response from some poll of the wait on. */
  readonly waiting: Cell
}

const timeIsUp: Cell = [3, /^the wait timed out/]
const observationFails: Cell = [3, /^the wait timed out.*\. The last poll of the site failed: /]

/** The results if the command ends without a plan, and a wait continues until it times out. */
function unread(exitCode: number, says: RegExp): Results {
  const cell: Cell = [exitCode, says]
  return { plan: cell, status: cell, apply: cell, waiting: observationFails }
}

const failed: Cell = [5, /^the service reports that the configuration failed/]
const unrecognized: Cell = [4, /the site reports the state ".*", .*, so nothing is planned$/s]

/** The results for each meaning of a response to a poll. A cause has one exit code in every form of the response. */
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
  /** No configuration: after a request, either the request had no effect, or the configuration was lost. */
  'not-configured': {
    plan: [0, /^configure create$/],
    status: [0, /^state {4}not-configured$/m],
    apply: [4, /^the outcome of configure is unknown: .* shows no sign of it$/],
    waiting: [6, /^the site no longer reports a configuration/],
  },
  /** No state: before a request the site counts as not configured; afterwards this proves nothing. */
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
  /** Not a root resource, or an incomplete one. */
  'not-understood': unread(75, /unexpected response \(HTTP \d+\): /),
  'no-answer': unread(75, /connection closed before a complete response \(ANSWER_TOO_LARGE\)/),
  trouble: unread(
    75,
    /(?:request timeout|too early|too many requests|internal server error|not implemented|bad gateway|service unavailable|gateway timeout|service error) \(HTTP \d+\)/,
  ),
  /** An error body with the HTTP status of a gateway: its message is shown, and a later poll may succeed. */
  'refused in trouble': unread(75, /the service rejected the request: /),
  'not-found': unread(69, /no site at this address, or it is not up yet \(HTTP \d+\)/),
  refused: unread(5, /the service rejected the request: /),
  elsewhere: unread(78, /unexpected redirect .*; not followed$/),
  'slash without end': unread(78, /to \/portal\/admin\/; not followed$/),
  'sign-in': {
    ...unread(77, /authentication failed: /),
    waiting: [77, /^every poll of the site is rejected: a valid token is required/],
  },
  /** A server in front of the service denies access, perhaps regardless of the token. */
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

export interface Given {
  readonly status: number
  readonly body: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export function json(body: unknown, status = 200): Given {
  return { status, body: JSON.stringify(body) }
}

export function text(
  body: string | Buffer,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Given {
  return { status, body, headers }
}
