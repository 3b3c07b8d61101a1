import type { Outcome, WaitEnd } from '../../apply/outcome.js'
import type { ServiceFailure } from '../../client/failure.js'
import { failedStage } from '../../contract/field-notes.js'
import { countCoverage, type Plan, sendsRequests } from '../../plan/plan.js'
import { describeOtherSite } from '../anomalies.js'
import { describeCause, suggestAfterCause } from '../answer-causes.js'
import { display } from '../display.js'
import { chooseReferencesExit, suggestReferences } from '../findings.js'
import { formatSentence, removeFullStop } from '../phrase.js'
import { countImmutable, describeStalePlan, describeUnrecorded } from '../plan-words.js'
import { describeLocked } from '../state-summary.js'
import { describeUnknown } from '../unknown-outcome.js'
import { describeEnd, endings } from './ending.js'
import { causeOfService, describeFailure, describeRejection } from './service.js'
import { causeOfState } from './state.js'

/** The endings of an apply. */
export const endOfApply = endings<Outcome>({
  done: {
    title: 'everything in the plan is done',
    say: 'success: the site was verified ready',
    sent: 'something',
    exit: 'done',
  },
  'in-progress': {
    title: {
      inProgress: 'the wait ended before the configuration, or the run was detached',
      interrupted: 'the wait was interrupted',
      permission: 'every poll of the site is rejected',
    },
    say({ because, failure }) {
      const isRejected = because === 'not-allowed'
      const words = failure && describeFailure(failure)
      const hasCause = isRejected && failure !== undefined && describeCause(failure) !== undefined
      const end = hasCause ? `every poll of the site is rejected: ${words}` : inProgress[because].say
      const last = words === undefined || isRejected ? '' : `. The last poll of the site failed: ${words}`
      return `${end}; a configuration in progress continues on the service${last}`
    },
    sent: 'something',
    exit: ({ because }) => inProgress[because].exit,
    next: ({ because, failure }, { apply, status }) =>
      because === 'not-allowed' || failure?.kind === 'unauthorized'
        ? suggestAfterPolls(failure, `then resume the wait: \`${apply}\``)
        : [`resume the wait: \`${apply}\``, `or see the state of the site: \`${status}\``],
  },
  unknown: {
    title: 'the outcome of a request is unknown',
    say: outcome => `the outcome of ${outcome.operation} is unknown: ${describeUnknown(outcome)}`,
    sent: 'perhaps',
    exit: 'unknown',
    // Sending the same policy twice has no further effect.
    end: ({ operation }) => (operation === 'update' ? 'failed' : undefined),
    next: ({ operation, nonce }, { apply, status, discardIntent }) =>
      operation === 'update'
        ? `run \`${apply}\`: sending the same policy again changes nothing`
        : [
            `see the state of the site: \`${status}\``,
            `keep watching it, without sending configure again: \`${apply}\``,
            // Only a recorded request can be declared not to have reached the service.
            ...(nonce === undefined
              ? []
              : [`if you are sure that the request did not reach the service: \`${discardIntent(nonce)}\``]),
          ],
  },
  locked: {
    title: 'another run has the lock of the site',
    say: ({ lock }) => describeLocked(lock),
    exit: 'locked',
    next: ({ lock, liveness }, { apply, unlock }) => [
      `wait for that run, then run \`${apply}\``,
      ...(liveness === 'elsewhere' ? [`if you are sure that it is gone: \`${unlock(lock.nonce)}\``] : []),
    ],
  },
  'rejected-before': {
    title: 'the service rejected an earlier `configure`',
    say: ({ submission }) => describeEarlierRejection(submission.reason ?? 'no reason given'),
    exit: 'unknown',
    next: (_, { apply }) => suggestAfterRejection(apply),
  },
  'site-failed': {
    title: 'the service reports that the configuration failed',
    say({ message, stages }) {
      const failed = stages.filter(({ state }) => state === failedStage).map(({ name }) => display(name))
      const quoted = display(message, 500)
      const end = failed.length === 0 ? quoted : `${removeFullStop(quoted)} (failed: ${failed.join(', ')})`
      return `the service reports that the configuration failed: ${end}`
    },
    sent: 'something',
    exit: 'serviceFailed',
    next: (_, { plan }) => [
      'check the logs of the service',
      'undeploy and redeploy the site',
      `see how to configure it again: \`${plan}\``,
    ],
  },
  replaced: {
    title: 'a different site responds than before, or the site lost its configuration',
    say: ({ because }) =>
      because.kind === 'not-configured-any-more'
        ? 'the site no longer reports a configuration, though one had started: it was undeployed, or another site responds'
        : describeOtherSite(because),
    sent: 'something',
    exit: 'stale',
    end: 'ambiguous',
    next: (_, { plan }) =>
      `find out what happened to the site that was being configured; then run \`${plan}\` and review it`,
  },
  'not-taken': {
    title: { trouble: 'the site cannot be reached any more, after a part of the plan was done' },
    say({ operation, failure, after, because, isRejected }) {
      // A load balancer may have sent the request twice and returned the rejection of the second.
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
    exit({ failure, after }) {
      const { exit } = causeOfService(failure)
      return exit === 'unreachable' && after !== undefined ? 'trouble' : exit
    },
    next({ because, isRejected }, { apply }) {
      if (because === 'license')
        return [
          `fix \`spec.license.file\`, then run \`${apply}\``,
          `if the response is not about the license: \`${apply} --no-license-check\``,
        ]
      if (because === 'blocked')
        return [
          `let POST requests pass to the service, then run \`${apply}\``,
          `if they do, and only the license check is blocked: \`${apply} --no-license-check\``,
        ]
      return isRejected ? suggestAfterRejection(apply) : `fix the cause, then run \`${apply}\``
    },
  },
  'not-permitted': {
    title: 'the service does not list the user type for this license, and a policy requires it',
    say: outcome => `${describeUserTypes(outcome)}, and a policy requires it`,
    exit: 'refused',
    next: (_, { apply }) =>
      `use a listed type in \`spec.administrator.userType\`, or another license; then run \`${apply}\``,
  },
  stale: {
    title: 'the saved plan is stale',
    say: ({ moved }) => describeStalePlan(moved),
    exit: 'stale',
    next: (_, { plan }) => `run \`${plan}\`, and review the new plan`,
  },
  references: {
    title: { missing: 'secrets or files are missing', invalid: 'secrets or files are invalid' },
    say: 'secrets or files that the manifest refers to are missing or invalid',
    exit: ({ diagnostics }) => chooseReferencesExit(diagnostics),
    next: ({ diagnostics }, { apply }) => `${suggestReferences(diagnostics)}, then run \`${apply}\``,
  },
  interrupted: {
    say: 'interrupted',
    sent: 'no more',
    exit: 'interrupted',
    next: (_, { apply }) => `run \`${apply}\` to continue`,
  },
  'not-recorded': {
    say: ({ after, failure }) => `${recordFailureWords[after]} ${causeOfState(failure).say}`,
    sent: ({ after }) => (after === 'nothing' ? 'nothing' : 'something'),
    exit: ({ failure }) => causeOfState(failure).exit,
    next: (_, { apply }) =>
      `fix the cause, then run \`${apply}\`: it continues from the actual state of the site`,
  },
})

/** The endings of a wait that only reads. */
export const endOfWait = endings<WaitEnd>({
  ready: { say: 'the site is ready', exit: 'done' },
  failed: { say: 'the service reports that the configuration failed', exit: 'serviceFailed' },
  replaced: endOfApply,
  timeout: {
    title: {
      inProgress: 'the wait timed out',
      unknown: 'the site reports an unknown state to the end of a wait',
    },
    say: 'the wait timed out',
    exit: ({ last }) => (last?.kind === 'unrecognized' ? 'unknown' : 'inProgress'),
  },
  'not-begun': { say: 'the site shows no configuration', exit: 'inProgress' },
  'not-allowed': { say: 'every poll of the site is rejected', exit: 'permission' },
  interrupted: { say: 'the wait was interrupted', exit: 'interrupted' },
})

/** Describes the outcome of an apply in one sentence, with what was sent. */
export function describeOutcome(outcome: Outcome): string {
  return describeEnd(endOfApply(outcome))
}

type EndedPlan = Pick<Plan, 'actions' | 'immutable' | 'fields'>

type UserTypes = Pick<Outcome & { readonly kind: 'not-permitted' }, 'userType' | 'listed'>

/** Describes a license without the user type of the administrator. */
export function describeUserTypes({ userType, listed }: UserTypes): string {
  const others = listed.map(type => display(type)).join(', ')
  return `the service does not list the administrator's user type ${display(userType)} for this license (listed: ${others || 'none'})`
}

/** Describes the outcome, its limits, and the ignored edits. */
export function describeEnding(outcome: Outcome, plan: EndedPlan): string {
  const { length } = plan.immutable.filter(({ ignored }) => ignored)
  if (outcome.kind !== 'done') return describeOutcome(outcome)
  const coverage = countCoverage(plan.fields)
  const notes = [
    ...(coverage.unrecorded > 0 ? [describeUnrecorded(coverage)] : []),
    ...(length > 0 ? [`${countImmutable(length)} ${length === 1 ? 'was' : 'were'} ignored`] : []),
  ]
  // A run that sent nothing and could not compare every field must not read as a success.
  if (coverage.unrecorded > 0 && !sendsRequests(plan)) return `the site is ready, but ${notes.join('; ')}`
  return [describeOutcome(outcome), ...notes].join('; ')
}

/** Formats the outcome as a sentence, or as an error if the user must act. */
export function formatEnding(outcome: Outcome, plan: EndedPlan): string {
  const words = describeEnding(outcome, plan)
  return isNoError.includes(outcome.kind) ? formatSentence(words) : `error: ${removeFullStop(words)}\n`
}

const isNoError: readonly Outcome['kind'][] = ['done', 'in-progress', 'interrupted']

/** Describes the rejection of an earlier `configure`. */
export function describeEarlierRejection(reason: string): string {
  return `the service rejected an earlier configure: ${display(reason, 500)}`
}

/** Suggests the next step after the service rejected a `configure`. */
export function suggestAfterRejection(again: string): string {
  return `fix the cause, then run \`${again} --resubmit-after-rejection\``
}

const recordFailureWords = {
  nothing: 'the request could not be recorded:',
  configure: 'configure was carried out, and the run stopped there:',
  update: 'everything was carried out, but could not be recorded:',
} as const

const inProgress = {
  timeout: { say: 'the wait timed out', exit: 'inProgress' },
  interrupted: { say: 'the wait was interrupted', exit: 'interrupted' },
  detached: { say: 'detached', exit: 'inProgress' },
  'not-allowed': { say: 'every poll of the site is rejected: a valid token is required', exit: 'permission' },
} as const

/** Suggests how to get a valid token for the polls; the failure names a missing secret. */
function suggestAfterPolls(failure: ServiceFailure | undefined, resume: string): readonly string[] {
  const token =
    failure?.kind === 'unauthorized' && failure.isTokenless
      ? 'provide a token as `spec.site.token`, or an account that signs in as `spec.site.signIn`'
      : 'check the token in `spec.site.token`, or the account in `spec.site.signIn`'
  const steps = failure && suggestAfterCause(failure, { token })
  return steps === undefined ? [`${token}, ${resume}`] : [...steps, resume]
}
