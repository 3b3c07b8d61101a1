import type { Outcome, UnknownReason } from '../apply/outcome.js'
import { display } from './display.js'

type UnknownOutcome = Extract<Outcome, { readonly kind: 'unknown' }>

const unknownWords: Readonly<Record<UnknownReason, (facts: Pick<UnknownOutcome, 'state'>) => string>> = {
  'no-complete-response': () => 'no complete response was received',
  'not-confirmed': () => 'the response does not confirm it',
  'no-sign-of-configuration': () => 'the request was sent, and the site shows no sign of it',
  'no-valid-token': () =>
    'the site rejects every poll: it requires a valid token, or something in front of it denies access',
  interrupted: () => 'the wait was interrupted before the site showed a state',
  'run-cancelled': () => 'the run was cancelled before the site showed a state',
  'no-response-while-waiting': () => 'the site did not respond once during the wait',
  'shows-no-configuration': () => 'no valid response was received, and the site shows no configuration',
  'unknown-state': ({ state }) => `the site reports ${theState(state)}, which is not documented`,
  'contradictory-state': ({ state }) =>
    `the site reports ${theState(state)}, but also signs of a configuration`,
  'site-failed': () => 'the site reports that the configuration failed',
}

/** The reasons that only mean that the site shows no sign of the request. */
const nothingShown: readonly UnknownReason[] = [
  'no-sign-of-configuration',
  'shows-no-configuration',
  'not-confirmed',
]

/** Describes an unknown outcome, with the text of the response if there was one. */
export function describeUnknown({
  reason,
  state,
  said = '',
  isRejection,
}: Omit<UnknownOutcome, 'kind' | 'operation'>): string {
  const words = unknownWords[reason](state === undefined ? {} : { state })
  if (said === '') return words
  const response = `"${display(said, 200)}"`
  const shown = nothingShown.includes(reason) ? 'the site shows no sign of it' : words
  return isRejection
    ? `the service responded ${response}, which does not prove that it had no effect; ${shown}`
    : `got ${response}, which proves no rejection; ${shown}`
}

/** Describes the reason in a receipt, which is a code, a text of the service, or both. */
export function describeKeptReason(reason: string): string {
  const [code = '', ...said] = reason.split(': ')
  return Object.hasOwn(unknownWords, code)
    ? describeUnknown({ reason: code as UnknownReason, said: said.join(': ') })
    : display(reason, 500)
}

function theState(state: string | undefined): string {
  return state === undefined ? 'a state' : `the state "${display(state, 60)}"`
}
