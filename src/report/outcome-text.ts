import type { Outcome } from '../apply/outcome.js'
import type { Replaced } from '../apply/wait/verdict.js'
import { failedStage } from '../contract/field-operations.js'
import type { Plan } from '../plan/plan.js'
import type { Lock } from '../state/site-state.js'
import { describeDifference } from './difference-text.js'
import { display } from './display.js'
import { describeFailure } from './failure-text.js'
import { describeStateFailure } from './state/failure-words.js'
import { describeStaleFact } from './wording/stale-plan.js'
import { describeUnknownReason } from './wording/unknown-outcome.js'

/** How an apply ended, in one sentence. */
export function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'done':
      return 'done: the site is ready, and everything in the plan was carried out'
    case 'in-progress':
      return `${inProgress[outcome.because]}; a configuration under way goes on by itself${unseen(outcome)}`
    case 'unknown':
      return `the outcome of ${outcome.operation} is unknown: ${describeUnknownReason(outcome)}${answered(outcome)}`
    case 'locked':
      return `nothing was sent: ${describeLock(outcome.lock)} has the site`
    case 'rejected-before':
      return `nothing was sent: the service said no to an earlier configure: ${display(outcome.submission.reason ?? 'without a reason', 500)}`
    case 'site-failed':
      return `the service reports that the configuration failed: ${display(outcome.message, 500)}${failedStages(outcome)}`
    case 'replaced':
      return describeReplaced(outcome.because)
    case 'not-taken':
      // A balancer may have sent it twice, and passed on the no to the second.
      if (outcome.isRejected)
        return `the answer to ${outcome.operation} was no: ${describeFailure(outcome.failure)}`
      return `${outcome.after === undefined ? '' : 'the site is ready, but '}${outcome.operation} was not carried out: ${describeFailure(outcome.failure)}`
    case 'stale':
      return `the plan is stale: ${outcome.moved.map(describeStaleFact).join('; ')}; nothing was sent`
    case 'references':
      return 'nothing was sent: secrets or files that the manifest refers to are missing or unfit'
    case 'interrupted':
      return 'interrupted; nothing more was sent'
    case 'not-recorded':
      return `${recorded[outcome.after]} ${describeStateFailure(outcome.failure)}`
    default:
      return outcome satisfies never
  }
}

/** Who has a site, since when. */
export function describeLock({ holder, purpose, since, expiresAt }: Lock): string {
  const until = expiresAt === undefined ? '' : `, until ${expiresAt} unless it goes on`
  return `${display(purpose)} of process ${holder.pid} on ${display(holder.host)}, since ${since}${until},`
}

/** The same, with what the plan left out because the user said so. */
export function describeEnding(outcome: Outcome, { immutable }: Pick<Plan, 'immutable'>): string {
  const { length } = immutable.filter(({ ignored }) => ignored)
  const leftOut =
    length === 1 ? '1 edit that nothing can carry out was' : `${length} edits that nothing can carry out were`
  return `${describeOutcome(outcome)}${outcome.kind === 'done' && length > 0 ? `; ${leftOut} left out` : ''}`
}

/** The commands that go on from here, with the options that this one had. */
export interface NextCommands {
  readonly apply: string
  readonly plan: string
  readonly status: string
  /** Shows what is kept about the site. */
  readonly show: string
  resubmit(nonce: string): string
  unlock(nonce: string): string
}

/** What to do next, with the exact command; empty where nothing is left to do. */
export function nextStep(outcome: Outcome, commands: NextCommands): string {
  const { apply: again, plan, status: look, resubmit, unlock } = commands
  switch (outcome.kind) {
    case 'done':
      return ''
    case 'in-progress':
      if (outcome.because === 'not-allowed' || outcome.failure?.kind === 'unauthorized')
        return `give the site a token that is right (spec.site.token), then run \`${again}\` to take up the wait`
      return `run \`${again}\` to take up the wait, or \`${look}\` to look`
    case 'unknown':
      return outcome.operation === 'configure'
        ? `run \`${look}\`, and \`${again}\` to look on: it does not send configure again.${undone(outcome.nonce, resubmit)}`
        : `run \`${again}\`: sending the same policy again changes nothing`
    case 'locked':
      return outcome.liveness === 'elsewhere'
        ? `wait for that run, and then run \`${again}\`. If you are sure that it is gone: \`${unlock(outcome.lock.nonce)}\``
        : `wait for that run, and then run \`${again}\``
    case 'rejected-before':
      return afterRejection(again)
    case 'site-failed':
      return `see the logs of the service. A failed configuration is undone by undeploying; once the site is deployed again, \`${plan}\` names the command with which configure may be sent again`
    case 'replaced':
      return `find out what became of the site that was being configured; then run \`${plan}\` and review it`
    case 'not-taken':
      return outcome.isRejected ? afterRejection(again) : `mend the cause, then run \`${again}\``
    case 'stale':
      return `run \`${plan}\` and review it again`
    case 'references':
      return `provide what is missing, then run \`${again}\``
    case 'interrupted':
      return `run \`${again}\` to go on`
    case 'not-recorded':
      return `mend the cause, then run \`${again}\`: it finds the site as it is`
    default:
      return outcome satisfies never
  }
}

/** What to do where the service said no to a `configure`. */
export function afterRejection(again: string): string {
  return `mend the cause, then run \`${again} --resubmit-after-rejection\`, which first makes sure for a minute that nothing has begun`
}

/** Only of a request that is on record can anybody say that nothing came of it. */
function undone(nonce: string | undefined, resubmit: NextCommands['resubmit']): string {
  return nonce === undefined ? '' : ` If you are sure that nothing came of it: \`${resubmit(nonce)}\``
}

const recorded = {
  nothing: 'nothing was sent, since afterwards it could not be noted:',
  configure: 'configure was carried out, and nothing after it:',
  update: 'everything was carried out, but it could not be noted:',
} as const

const inProgress = {
  timeout: 'the time to wait is up',
  interrupted: 'the wait was interrupted',
  detached: 'detached',
  'not-allowed': 'every look at the site is refused for want of a right token',
} as const

/** What is known of the site is older than the end of the wait. */
function unseen({ because, failure }: Outcome & { kind: 'in-progress' }): string {
  if (failure === undefined || because === 'not-allowed') return ''
  return `. The last look at the site came to nothing: ${describeFailure(failure)}`
}

function describeReplaced(because: Replaced): string {
  return because.kind === 'not-configured-any-more'
    ? 'the site shows no configuration any more, though one had begun: it was taken back, or another site answers'
    : `another site answers at the address: ${describeDifference(because)}`
}

/** What was answered to a request of which nobody knows what came of it. */
function answered({ said = '' }: Outcome & { kind: 'unknown' }): string {
  return said === '' ? '' : `. The answer to the request said: ${display(said, 200)}`
}

function failedStages({ stages }: Outcome & { kind: 'site-failed' }): string {
  const failed = stages.filter(({ state }) => state === failedStage).map(({ name }) => display(name))
  return failed.length === 0 ? '' : ` (failed: ${failed.join(', ')})`
}
