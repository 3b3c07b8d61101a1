import type { Outcome } from '../apply/outcome.js'
import type { Replaced } from '../apply/wait/observed.js'
import type { ServiceFailure } from '../client/failure.js'
import { failedStage } from '../contract/field-notes.js'
import type { Plan } from '../plan/plan.js'
import type { EndState } from '../plan/run-state.js'
import type { Lock } from '../state/site-state.js'
import { describeOtherSite } from './anomalies.js'
import { describeCause, suggestAfterCause } from './answer-causes.js'
import { display } from './display.js'
import { type ExitCode, endStateByExitCode, exitCodes } from './exit-code.js'
import { exitCodeOfFailure, exitCodeOfReferences, exitCodeOfState } from './exit-code-of.js'
import { describeFailure, describeRejection } from './failures.js'
import { formatSentence, removeFullStop } from './phrase.js'
import { describeStalePlan } from './plan-words.js'
import { addSent, type Sent } from './sent.js'
import { describeStateFailure } from './state-failure.js'
import { describeUnknown } from './unknown-outcome.js'

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

/** The texts, the exit code and the end state of one kind of outcome. */
interface OutcomeRow<O extends Outcome> {
  /** Describes it in one sentence, which does not say what was sent. */
  describe(outcome: O): string
  readonly sent: Sent | ((outcome: O) => Sent)
  exitCode(outcome: O): ExitCode
  /** The state that it leaves its site in, where the exit code alone is not specific enough. */
  endState?(outcome: O): EndState | undefined
  /** Suggests the next steps with their exact commands, one a line. */
  next(outcome: O, commands: NextCommands): string
}

type OutcomeTable = { readonly [K in Outcome['kind']]: OutcomeRow<Extract<Outcome, { readonly kind: K }>> }

const outcomes: OutcomeTable = {
  done: {
    describe: () => 'success: the site was verified ready',
    sent: 'something',
    exitCode: () => exitCodes.done,
    next: () => '',
  },
  'in-progress': {
    describe: outcome =>
      `${describeBecause(outcome)}; a configuration in progress continues on the service${describeLastPoll(outcome)}`,
    sent: 'something',
    exitCode: ({ because }) => inProgressCodes[because],
    endState: ({ because }) => (because === 'not-allowed' ? 'refused' : undefined),
    next: ({ because, failure }, { apply, status }) =>
      because === 'not-allowed' || failure?.kind === 'unauthorized'
        ? `${suggestAfterPolls(failure)}then resume the wait: \`${apply}\``
        : `resume the wait: \`${apply}\`\nor see the state of the site: \`${status}\``,
  },
  unknown: {
    describe: outcome => `the outcome of ${outcome.operation} is unknown: ${describeUnknown(outcome)}`,
    sent: 'perhaps',
    exitCode: () => exitCodes.unknown,
    // Sending the same policy twice has no further effect.
    endState: ({ operation }) => (operation === 'update' ? 'failed' : undefined),
    next: ({ operation, nonce }, { apply, status, discardIntent }) =>
      operation === 'configure'
        ? `see the state of the site: \`${status}\`\nkeep watching it, without sending configure again: \`${apply}\`${suggestResubmit(nonce, discardIntent)}`
        : `run \`${apply}\`: sending the same policy again changes nothing`,
  },
  locked: {
    describe: ({ lock }) => `the site is locked by ${describeLock(lock)}`,
    sent: 'nothing',
    exitCode: () => exitCodes.locked,
    next: ({ lock, liveness }, { apply, unlock }) =>
      `wait for that run, then run \`${apply}\`${liveness === 'elsewhere' ? `\nif you are sure that it is gone: \`${unlock(lock.nonce)}\`` : ''}`,
  },
  'rejected-before': {
    describe: ({ submission }) =>
      `the service rejected an earlier configure: ${display(submission.reason ?? 'no reason given', 500)}`,
    sent: 'nothing',
    exitCode: () => exitCodes.unknown,
    next: (_, { apply }) => suggestAfterRejection(apply),
  },
  'site-failed': {
    describe: outcome =>
      `the service reports that the configuration failed: ${quoteBefore(outcome.message, listFailedStages(outcome))}`,
    sent: 'something',
    exitCode: () => exitCodes.serviceFailed,
    next: (_, { plan }) =>
      `check the logs of the service\nundeploy and redeploy the site\nsee how to configure it again: \`${plan}\``,
  },
  replaced: {
    describe: ({ because }) => describeReplaced(because),
    sent: 'something',
    exitCode: () => exitCodes.stale,
    endState: () => 'ambiguous',
    next: (_, { plan }) =>
      `find out what happened to the site that was being configured; then run \`${plan}\` and review it`,
  },
  'not-taken': {
    describe({ operation, failure, after, because, isRejected }) {
      // A balancer may have sent it twice, and passed on the rejection of the second.
      if (isRejected) return `the service rejected ${operation}: ${describeRejection(failure)}`
      if (because === 'license')
        return `the service refused the license before configure: ${describeRejection(failure)}`
      if (because === 'blocked')
        return `the license check before configure did not reach the service: ${describeFailure(failure)}`
      return `${after === undefined ? '' : 'the site is ready, but '}${operation} was not carried out: ${describeFailure(failure)}`
    },
    sent({ failure, after, because }) {
      if (because !== undefined) return 'nothing'
      if (failure.kind !== 'not-sent') return 'something'
      return after === undefined ? 'nothing' : 'no more'
    },
    exitCode({ failure, after }) {
      const code = exitCodeOfFailure(failure)
      // `unreachable` means that nothing was sent, but something was.
      return code === exitCodes.unreachable && after !== undefined ? exitCodes.trouble : code
    },
    next({ because, isRejected }, { apply }) {
      if (because === 'license')
        return `fix \`spec.license.file\`, then run \`${apply}\`\nif the answer is not about the license: \`${apply} --no-license-check\``
      if (because === 'blocked')
        return `let POST requests pass to the service, then run \`${apply}\`\nif they do, and only the license check is blocked: \`${apply} --no-license-check\``
      return isRejected ? suggestAfterRejection(apply) : `fix the cause, then run \`${apply}\``
    },
  },
  'not-permitted': {
    describe: outcome => `${describeUserTypes(outcome)}, and a policy requires it`,
    sent: 'nothing',
    exitCode: () => exitCodes.refused,
    next: (_, { apply }) =>
      `use a listed type in \`spec.administrator.userType\`, or another license; then run \`${apply}\``,
  },
  stale: {
    describe: ({ moved }) => describeStalePlan(moved),
    sent: 'nothing',
    exitCode: () => exitCodes.stale,
    next: (_, { plan }) => `run \`${plan}\`, and review the new plan`,
  },
  references: {
    describe: () => 'secrets or files that the manifest refers to are missing or invalid',
    sent: 'nothing',
    exitCode: ({ diagnostics }) => exitCodeOfReferences(diagnostics),
    next: (_, { apply }) => `provide what is missing, then run \`${apply}\``,
  },
  interrupted: {
    describe: () => 'interrupted',
    sent: 'no more',
    exitCode: () => exitCodes.interrupted,
    next: (_, { apply }) => `run \`${apply}\` to continue`,
  },
  'not-recorded': {
    describe: ({ after, failure }) => `${recordFailureWords[after]} ${describeStateFailure(failure)}`,
    sent: ({ after }) => (after === 'nothing' ? 'nothing' : 'something'),
    exitCode: ({ failure }) => exitCodeOfState(failure),
    next: (_, { apply }) =>
      `fix the cause, then run \`${apply}\`: it continues from the actual state of the site`,
  },
}

/** A row takes only outcomes of its kind, which the compiler cannot see in a table. */
function rowOf(outcome: Outcome): OutcomeRow<Outcome> {
  return outcomes[outcome.kind] as OutcomeRow<Outcome>
}

/** Describes the outcome of an apply in one sentence, with what was sent. */
export function describeOutcome(outcome: Outcome): string {
  return addSent(rowOf(outcome).describe(outcome), findSent(outcome))
}

/** Finds what an apply had sent when it ended. */
export function findSent(outcome: Outcome): Sent {
  const { sent } = rowOf(outcome)
  return typeof sent === 'string' ? sent : sent(outcome)
}

/** The code for how an apply ended. An interrupt has the code of its signal, which only the caller knows. */
export function exitCodeOf(outcome: Outcome): ExitCode {
  return rowOf(outcome).exitCode(outcome)
}

/** The state that an outcome leaves its site in. */
export function endStateOf(outcome: Outcome, exitCode: ExitCode): EndState {
  return rowOf(outcome).endState?.(outcome) ?? endStateByExitCode[exitCode]
}

/** Suggests the next steps with their exact commands. */
export function suggestNextStep(outcome: Outcome, commands: NextCommands): readonly string[] {
  return rowOf(outcome)
    .next(outcome, commands)
    .split('\n')
    .filter(line => line !== '')
}

/** Describes the owner of a lock, and its start and end. */
export function describeLock({ holder, purpose, since, expiresAt }: Lock): string {
  const until = expiresAt === undefined ? '' : `, until ${expiresAt} unless renewed`
  return `${display(purpose)} of process ${holder.pid} on ${display(holder.host)}, since ${since}${until}`
}

type EndedPlan = Pick<Plan, 'immutable'>

type UserTypes = Pick<Outcome & { readonly kind: 'not-permitted' }, 'userType' | 'listed'>

/** Describes a license without the user type of the administrator. */
export function describeUserTypes({ userType, listed }: UserTypes): string {
  const others = listed.map(type => display(type)).join(', ')
  return `the service does not list user type ${display(userType)} for the administrator with this license, but ${others || 'none'}`
}

/** Describes the outcome, its limits, and the ignored edits. */
export function describeEnding(outcome: Outcome, { immutable }: EndedPlan): string {
  const { length } = immutable.filter(({ ignored }) => ignored)
  const leftOut =
    length === 1 ? '1 edit that cannot be applied was' : `${length} edits that cannot be applied were`
  const notes = [...(length > 0 ? [`${leftOut} ignored`] : [])]
  return [describeOutcome(outcome), ...(outcome.kind === 'done' ? notes : [])].join('; ')
}

/** Formats the outcome as a sentence, or as an error if the user must act. */
export function formatEnding(outcome: Outcome, plan: EndedPlan): string {
  const words = describeEnding(outcome, plan)
  return isNoError.includes(outcome.kind) ? formatSentence(words) : `error: ${removeFullStop(words)}\n`
}

const isNoError: readonly Outcome['kind'][] = ['done', 'in-progress', 'interrupted']

/** Suggests the next step after the service rejected a `configure`. */
export function suggestAfterRejection(again: string): string {
  return `fix the cause, then run \`${again} --resubmit-after-rejection\``
}

/** Only a recorded request can be declared not to have reached the service. */
function suggestResubmit(nonce: string | undefined, resubmit: NextCommands['discardIntent']): string {
  return nonce === undefined
    ? ''
    : `\nif you are sure that the request did not reach the service: \`${resubmit(nonce)}\``
}

const recordFailureWords = {
  nothing: 'the request could not be recorded:',
  configure: 'configure was carried out, but nothing after it:',
  update: 'everything was carried out, but could not be recorded:',
} as const

const inProgress = {
  timeout: 'the wait timed out',
  interrupted: 'the wait was interrupted',
  detached: 'detached',
  'not-allowed': 'every poll of the site is rejected for lack of a valid token',
} as const

function describeBecause({ because, failure }: Outcome & { kind: 'in-progress' }): string {
  return because === 'not-allowed' && failure !== undefined && describeCause(failure) !== undefined
    ? `every poll of the site is rejected: ${describeFailure(failure)}`
    : inProgress[because]
}

const inProgressCodes = {
  timeout: exitCodes.inProgress,
  interrupted: exitCodes.interrupted,
  detached: exitCodes.inProgress,
  'not-allowed': exitCodes.permission,
} as const

/** Suggests what the polls lacked; a secret that is missing is named by the failure. */
function suggestAfterPolls(failure: ServiceFailure | undefined): string {
  const token = describeLackOfToken(failure)
  const words = failure && suggestAfterCause(failure, { token })
  return words === undefined ? `${token}, ` : `${words}\n`
}

function describeLackOfToken(failure: ServiceFailure | undefined): string {
  if (failure?.kind !== 'unauthorized' || failure.isTokenless !== true)
    return 'check the token in `spec.site.token`, or the account in `spec.site.signIn`'
  return 'provide a token as `spec.site.token`, or an account that signs in as `spec.site.signIn`'
}

function describeLastPoll({ because, failure }: Outcome & { kind: 'in-progress' }): string {
  if (failure === undefined || because === 'not-allowed') return ''
  return `. The last poll of the site failed: ${describeFailure(failure)}`
}

function describeReplaced(because: Replaced): string {
  return because.kind === 'not-configured-any-more'
    ? 'the site no longer reports a configuration, though one had started: it was undeployed, or another site responds'
    : describeOtherSite(because)
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
