import type { Outcome } from '../apply/outcome.js'
import type { Plan } from '../plan/plan.js'
import { display } from './display.js'
import { describeFailure } from './failure-text.js'

/** How an apply ended, in one sentence. */
export function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'done':
      return 'done: the site is ready, and everything in the plan was carried out'
    case 'in-progress':
      return `${inProgress[outcome.because]}; the service goes on configuring the site`
    case 'unknown':
      return `the outcome of ${outcome.operation} is unknown: ${display(outcome.reason)}`
    case 'site-failed':
      return `the service reports that the configuration failed: ${display(outcome.message, 500)}${failedStages(outcome)}`
    case 'not-taken':
      return `${outcome.operation} was not carried out: ${describeFailure(outcome.failure)}`
    case 'stale':
      return `changed since the plan was made, so nothing was sent: ${outcome.moved.map(fact => display(fact)).join(', ')}`
    case 'references':
      return 'nothing was sent: secrets or files that the manifest refers to are missing or unfit'
    case 'interrupted':
      return 'interrupted; nothing more was sent'
    case 'not-recorded':
      return `${recorded[outcome.after]} the record ${display(outcome.failure.where)} is ${outcome.failure.kind}: ${display(outcome.failure.reason)}`
    default:
      return outcome satisfies never
  }
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
}

/** What to do next, with the exact command; empty where nothing is left to do. */
export function nextStep(outcome: Outcome, commands: NextCommands): string {
  const { apply: again, plan, status: look } = commands
  switch (outcome.kind) {
    case 'done':
      return ''
    case 'in-progress':
      return `run \`${again}\` to take up the wait, or \`${look}\` to look`
    case 'unknown':
      return outcome.operation === 'configure'
        ? `run \`${look}\`; do not apply again before it shows what became of the request`
        : `run \`${again}\`: sending the same policy again changes nothing`
    case 'site-failed':
      return 'see the logs of the service; a failed configuration is taken back by undeploying, and there is no way on from here'
    case 'not-taken':
      return `mend the cause, then run \`${again}\``
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

const recorded = {
  nothing: 'nothing was sent, since afterwards it could not be noted:',
  configure: 'configure was carried out, and nothing after it:',
  update: 'everything was carried out, but it could not be noted:',
} as const

const inProgress = {
  timeout: 'the time to wait is up',
  interrupted: 'the wait was interrupted',
  detached: 'detached',
} as const

function failedStages({ stages }: Outcome & { kind: 'site-failed' }): string {
  const failed = stages.filter(({ state }) => /fail|error/i.test(state)).map(({ name }) => display(name))
  return failed.length === 0 ? '' : ` (failed: ${failed.join(', ')})`
}
