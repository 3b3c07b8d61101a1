import type { Outcome } from '../../../../src/apply/outcome.js'
import { type ExitCode, exitCodes } from '../../../../src/cli/exit-code.js'
import { exitCodeOf, exitCodeOfProblem } from '../../../../src/cli/exit-code-of.js'
import type { Diagnostic } from '../../../../src/diagnostics/diagnostic.js'
import type { SiteProblem } from '../../../../src/library/problem.js'
import { display } from '../../../../src/report/display.js'
import { describeOutcome } from '../../../../src/report/outcome-text.js'
import { describeProblem } from '../../../../src/report/problem-text.js'
import { withoutStop } from '../../../../src/report/sentence.js'
import type { Order } from '../model/run.js'
import type { RunEnd } from '../model/run-end.js'
import { commandsFor, nextFleetStep, resumeCommand } from './next-steps.js'

/** An outcome that ends the run, or that is retried and becomes the given end when retries are exhausted. */
export interface Ending {
  readonly kind: 'end' | 'again'
  readonly end: RunEnd
  /** The event, without the next step. */
  readonly said: string
}

type Named = Pick<Order, 'name' | 'manifest'>

/** Maps the outcome of an apply to the end of a run. */
export function endOfOutcome(outcome: Outcome, order: Named): Ending {
  const about = outcome.kind === 'references' ? texts(outcome.diagnostics) : ''
  const summary = `${describeOutcome(outcome)}${about}`
  return ending({ said: summary, next: nextFleetStep(outcome, order) }, exitCodeOf(outcome), placeOf(outcome))
}

/** Maps a problem that prevented a plan to the end of a run. */
export function endOfProblem(problem: SiteProblem, order: Named): Ending {
  const about = 'diagnostics' in problem ? texts(problem.diagnostics) : ''
  const { next, place: endState } = remedyOf(problem, order)
  return ending({ said: `${describeProblem(problem)}${about}`, next }, exitCodeOfProblem(problem), endState)
}

/** Maps an exit code and a message of Landform to the end of a run. */
export function endOfCode(exitCode: ExitCode, message: string): Ending {
  return ending({ said: message, next: '' }, exitCode)
}

type Place = RunEnd['state'] | 'again'

interface Words {
  readonly said: string
  /** The next step; empty if there is none. */
  readonly next: string
}

function ending(
  { said: summary, next }: Words,
  exitCode: ExitCode,
  endState: Place = placeByCode[exitCode],
): Ending {
  const message = next === '' ? summary : `${withoutStop(summary)}; ${next}`
  if (endState !== 'again') return { kind: 'end', end: { state: endState, message, exitCode }, said: summary }
  // A run that waits for another run needs more time; any other failure that persists must be fixed.
  const state = exitCode === exitCodes.locked ? 'unfinished' : 'failed'
  return { kind: 'again', end: { state, message, exitCode }, said: summary }
}

/** The state of a run for each exit code. */
const placeByCode = {
  [exitCodes.done]: 'done',
  [exitCodes.changes]: 'failed',
  [exitCodes.inProgress]: 'unfinished',
  [exitCodes.unknown]: 'ambiguous',
  [exitCodes.serviceFailed]: 'failed',
  [exitCodes.stale]: 'again',
  [exitCodes.locked]: 'again',
  [exitCodes.usage]: 'refused',
  [exitCodes.invalid]: 'refused',
  [exitCodes.missing]: 'refused',
  [exitCodes.unreachable]: 'again',
  [exitCodes.internal]: 'failed',
  [exitCodes.state]: 'again',
  [exitCodes.trouble]: 'again',
  [exitCodes.permission]: 'refused',
  [exitCodes.refused]: 'refused',
  [exitCodes.hungUp]: 'cancelled',
  [exitCodes.interrupted]: 'cancelled',
  [exitCodes.brokenPipe]: 'failed',
  [exitCodes.terminated]: 'cancelled',
} as const satisfies Record<ExitCode, Place>

/** Overrides for outcomes whose exit code is not specific enough. */
function placeOf(outcome: Outcome): Place | undefined {
  if (outcome.kind === 'replaced') return 'ambiguous'
  if (outcome.kind === 'in-progress' && outcome.because === 'not-allowed') return 'refused'
  // Sending the same policy twice has no further effect.
  if (outcome.kind === 'unknown' && outcome.operation === 'update') return 'again'
  return undefined
}

function remedyOf(problem: SiteProblem, order: Named): { readonly next: string; readonly place?: Place } {
  const { plan, status, resubmit } = commandsFor(order)
  const again = `then run \`${resumeCommand(order)}\``
  if (problem.kind === 'immutable')
    return { next: 'revert the edits, and submit the manifest again', place: 'refused' }
  if (problem.kind !== 'obstacle') return { next: `fix the cause, ${again}` }
  switch (problem.obstacle.kind) {
    case 'site-too-old':
      return {
        next: 'upgrade the site first, or remove the marked fields; then submit the manifest again',
        place: 'refused',
      }
    case 'site-replaced':
      return {
        next: `if the site was redeployed and must be configured again: \`${resubmit(problem.obstacle.submission.nonce)}\`, ${again}`,
        place: 'ambiguous',
      }
    case 'site-unrecognized':
      return {
        next: `inspect the site (\`${status}\`), because Landform does not know this state; ${again}`,
      }
    case 'site-failed':
      return { next: `check the logs of the service and \`${plan}\`` }
    default:
      return problem.obstacle satisfies never
  }
}

const mostTexts = 3

/** Lists missing or invalid references: a diagnostic names a secret and never contains its value. */
function texts(diagnostics: readonly Diagnostic[]): string {
  const wrong = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => display(message, 300))
  const more = wrong.length > mostTexts ? [`${wrong.length - mostTexts} more`] : []
  return wrong.length === 0 ? '' : `: ${[...wrong.slice(0, mostTexts), ...more].join('; ')}`
}
