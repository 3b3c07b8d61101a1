import type { Outcome, UnknownReason } from '../apply/outcome.js'
import type { Replaced } from '../apply/wait/observed.js'
import { failedStage } from '../contract/field-operations.js'
import { isUncompared } from '../plan/fields/field-status.js'
import type { Plan } from '../plan/plan.js'
import type { Lock } from '../state/site-state.js'
import { display } from './display.js'
import { describeFailure, describeRejection } from './failures.js'
import { formatSentence, removeFullStop } from './phrase.js'
import { describeStalePlan } from './plan-words.js'
import { describeStateFailure } from './state-failure.js'
import { describeDifference } from './status.js'

/** Describes the outcome of an apply in one sentence. */
export function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'done':
      return 'success: the site was verified ready'
    case 'in-progress':
      return `${inProgress[outcome.because]}; a configuration in progress continues on the service${describeLastPoll(outcome)}`
    case 'unknown':
      return `the outcome of ${outcome.operation} is unknown: ${describeUnknownReason(outcome)}${quoteResponse(outcome)}`
    case 'locked':
      return `the site is locked by ${describeLock(outcome.lock)}; nothing was sent`
    case 'rejected-before':
      return `the service rejected an earlier configure, and nothing was sent now: ${display(outcome.submission.reason ?? 'no reason given', 500)}`
    case 'site-failed':
      return `the service reports that the configuration failed: ${quoteBefore(outcome.message, listFailedStages(outcome))}`
    case 'replaced':
      return describeReplaced(outcome.because)
    case 'not-taken':
      // A balancer may have sent it twice, and passed on the rejection of the second.
      if (outcome.isRejected)
        return `the service rejected ${outcome.operation}: ${describeRejection(outcome.failure)}`
      if (outcome.because === 'license')
        return `the service refused the license before configure, which was not sent: ${describeRejection(outcome.failure)}`
      return `${outcome.after === undefined ? '' : 'the site is ready, but '}${outcome.operation} was not carried out: ${describeFailure(outcome.failure)}`
    case 'not-permitted':
      return `${describeUserTypes(outcome)}, and a policy requires it; nothing was sent`
    case 'stale':
      return describeStalePlan(outcome.moved)
    case 'references':
      return 'secrets or files that the manifest refers to are missing or invalid; nothing was sent'
    case 'interrupted':
      return 'interrupted; nothing more was sent'
    case 'not-recorded':
      return `${recordFailureWords[outcome.after]} ${describeStateFailure(outcome.failure)}`
    default:
      return outcome satisfies never
  }
}

/** Describes the owner of a lock, and its start and end. */
export function describeLock({ holder, purpose, since, expiresAt }: Lock): string {
  const until = expiresAt === undefined ? '' : `, until ${expiresAt} unless renewed`
  return `${display(purpose)} of process ${holder.pid} on ${display(holder.host)}, since ${since}${until}`
}

type EndedPlan = Pick<Plan, 'immutable' | 'fields'>

type UserTypes = Pick<Outcome & { readonly kind: 'not-permitted' }, 'userType' | 'listed'>

/** Describes a license without the user type of the administrator. */
export function describeUserTypes({ userType, listed }: UserTypes): string {
  const others = listed.map(type => display(type)).join(', ')
  return `the service does not list user type ${display(userType)} for the administrator with this license, but ${others || 'none'}`
}

/** Describes the outcome, its limits, and the ignored edits. */
export function describeEnding(outcome: Outcome, { immutable, fields }: EndedPlan): string {
  const { length } = immutable.filter(({ ignored }) => ignored)
  const leftOut =
    length === 1 ? '1 edit of an immutable field was' : `${length} edits of immutable fields were`
  const notes = [
    ...(isUncompared(fields) ? ['nothing of its organization could be compared'] : []),
    ...(length > 0 ? [`${leftOut} ignored`] : []),
  ]
  return [describeOutcome(outcome), ...(outcome.kind === 'done' ? notes : [])].join('; ')
}

/** Formats the outcome as a sentence, or as an error if the user must act. */
export function formatEnding(outcome: Outcome, plan: EndedPlan): string {
  const words = describeEnding(outcome, plan)
  return isNoError.includes(outcome.kind) ? formatSentence(words) : `error: ${removeFullStop(words)}\n`
}

const isNoError: readonly Outcome['kind'][] = ['done', 'in-progress', 'interrupted']

/** The possible next commands, with the options of this one. */
export interface NextCommands {
  readonly apply: string
  readonly plan: string
  readonly status: string
  /** Shows the state that is kept about the site. */
  readonly show: string
  discardIntent(nonce: string): string
  unlock(nonce: string): string
}

/** Suggests the next steps with their exact commands, one a line. */
export function suggestNextStep(outcome: Outcome, commands: NextCommands): string {
  const { apply: again, plan, status, discardIntent, unlock } = commands
  switch (outcome.kind) {
    case 'done':
      return ''
    case 'in-progress':
      if (outcome.because === 'not-allowed' || outcome.failure?.kind === 'unauthorized')
        return `set a valid token (\`spec.site.token\`), then resume the wait: \`${again}\``
      return `resume the wait: \`${again}\`\nor see the state of the site: \`${status}\``
    case 'unknown':
      return outcome.operation === 'configure'
        ? `see the state of the site: \`${status}\`\nkeep watching it, without sending configure again: \`${again}\`${suggestResubmit(outcome.nonce, discardIntent)}`
        : `run \`${again}\`: sending the same policy again changes nothing`
    case 'locked':
      return outcome.liveness === 'elsewhere'
        ? `wait for that run, then run \`${again}\`\nif you are sure that it is gone: \`${unlock(outcome.lock.nonce)}\``
        : `wait for that run, then run \`${again}\``
    case 'rejected-before':
      return suggestAfterRejection(again)
    case 'site-failed':
      return `check the logs of the service\nundeploy and redeploy the site\nsee how to configure it again: \`${plan}\``
    case 'replaced':
      return `find out what happened to the site that was being configured; then run \`${plan}\` and review it`
    case 'not-taken':
      if (outcome.because === 'license')
        return `fix \`spec.license.file\`, then run \`${again}\`\nif the answer is not about the license: \`${again} --no-license-check\``
      return outcome.isRejected ? suggestAfterRejection(again) : `fix the cause, then run \`${again}\``
    case 'not-permitted':
      return `use a listed type in \`spec.administrator.userType\`, or another license; then run \`${again}\``
    case 'stale':
      return `run \`${plan}\`, and review the new plan`
    case 'references':
      return `provide what is missing, then run \`${again}\``
    case 'interrupted':
      return `run \`${again}\` to continue`
    case 'not-recorded':
      return `fix the cause, then run \`${again}\`: it continues from the actual state of the site`
    default:
      return outcome satisfies never
  }
}

/** Suggests the next step after the service rejected a `configure`. */
export function suggestAfterRejection(again: string): string {
  return `fix the cause, then run \`${again} --resubmit-after-rejection\`, which first verifies for a minute that no configuration has started`
}

/** Only a recorded request can be declared not to have reached the service. */
function suggestResubmit(nonce: string | undefined, resubmit: NextCommands['discardIntent']): string {
  return nonce === undefined
    ? ''
    : `\nif you are sure that the request did not reach the service: \`${resubmit(nonce)}\``
}

const recordFailureWords = {
  nothing: 'nothing was sent, because it could not be recorded:',
  configure: 'configure was carried out, but nothing after it:',
  update: 'everything was carried out, but could not be recorded:',
} as const

const inProgress = {
  timeout: 'the wait timed out',
  interrupted: 'the wait was interrupted',
  detached: 'detached',
  'not-allowed': 'every poll of the site is rejected for lack of a valid token',
} as const

function describeLastPoll({ because, failure }: Outcome & { kind: 'in-progress' }): string {
  if (failure === undefined || because === 'not-allowed') return ''
  return `. The last poll of the site failed: ${describeFailure(failure)}`
}

function describeReplaced(because: Replaced): string {
  return because.kind === 'not-configured-any-more'
    ? 'the site no longer reports a configuration, though one had started: it was undeployed, or another site responds'
    : `another site responds at this address: ${describeDifference(because)}`
}

function quoteResponse({ said = '' }: Outcome & { kind: 'unknown' }): string {
  return said === '' ? '' : `. The response said: ${display(said, 200)}`
}

/** Quotes a text of the service; the full stop at its end gives way to words that follow. */
function quoteBefore(text: string, words: string): string {
  const quoted = display(text, 500)
  return words === '' ? quoted : `${removeFullStop(quoted)}${words}`
}

function listFailedStages({ stages }: Outcome & { kind: 'site-failed' }): string {
  const failed = stages.filter(({ state }) => state === failedStage).map(({ name }) => display(name))
  return failed.length === 0 ? '' : ` (failed: ${failed.join(', ')})`
}

type UnknownOutcome = Extract<Outcome, { readonly kind: 'unknown' }>
type Facts = Pick<UnknownOutcome, 'reason' | 'state'>

const unknownWords: Readonly<Record<UnknownReason, (facts: Pick<Facts, 'state'>) => string>> = {
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

function describeUnknownReason({ reason, state }: Facts): string {
  return unknownWords[reason](state === undefined ? {} : { state })
}

/** Describes the reason in a receipt: a code, a text of the service, or both. */
export function describeKeptReason(reason: string): string {
  const [code = '', ...said] = reason.split(': ')
  if (!isUnknownReason(code)) return display(reason, 500)
  return display([unknownWords[code]({}), ...said].join(': '), 500)
}

function isUnknownReason(text: string): text is UnknownReason {
  return Object.hasOwn(unknownWords, text)
}

function theState(state: string | undefined): string {
  return state === undefined ? 'a state' : `the state "${display(state, 60)}"`
}
