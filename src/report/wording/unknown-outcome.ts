import type { Outcome, UnknownReason } from '../../apply/outcome.js'
import { display } from '../display.js'

type UnknownOutcome = Extract<Outcome, { readonly kind: 'unknown' }>
type Facts = Pick<UnknownOutcome, 'reason' | 'state'>

const reasons: Readonly<Record<UnknownReason, (facts: Pick<Facts, 'state'>) => string>> = {
  'no-complete-response': () => 'no complete response was received',
  'no-sign-of-configuration': () => 'the request was sent, and the site shows no sign of it',
  'no-valid-token': () => 'the site cannot be polled without a valid token',
  interrupted: () => 'the wait was interrupted before the site showed a state',
  'run-cancelled': () => 'the run was cancelled before the site showed a state',
  'no-response-while-waiting': () => 'the site did not respond once during the wait',
  'shows-no-configuration': () => 'no valid response was received, and the site shows no configuration',
  'unknown-state': ({ state }) => `the site reports ${theState(state)}, which is not documented`,
  'contradictory-state': ({ state }) =>
    `the site reports ${theState(state)}, but also signs of a configuration`,
  'site-failed': () => 'the site reports that the configuration failed',
}

/** The reason that the outcome of a request is unknown. */
export function describeUnknownReason({ reason, state }: Facts): string {
  return reasons[reason](state === undefined ? {} : { state })
}

/** Describes the reason in a receipt: a code, a text of the service, or both. */
export function describeKeptReason(reason: string): string {
  const [code = '', ...said] = reason.split(': ')
  if (!isUnknownReason(code)) return display(reason, 500)
  return display([reasons[code]({}), ...said].join(': '), 500)
}

function isUnknownReason(text: string): text is UnknownReason {
  return Object.hasOwn(reasons, text)
}

function theState(state: string | undefined): string {
  return state === undefined ? 'a state' : `the state "${display(state, 60)}"`
}
