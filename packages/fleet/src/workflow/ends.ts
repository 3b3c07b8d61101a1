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

/** What follows from how something ended: that is the end, or it is tried again, and is that end where it is given up. */
export interface Ending {
  readonly kind: 'end' | 'again'
  readonly end: RunEnd
  /** What happened, without what to do about it. */
  readonly said: string
}

type Named = Pick<Order, 'name' | 'manifest'>

/** What follows from how an apply ended. */
export function endOfOutcome(outcome: Outcome, order: Named): Ending {
  const about = outcome.kind === 'references' ? texts(outcome.diagnostics) : ''
  const said = `${describeOutcome(outcome)}${about}`
  return ending({ said, next: nextFleetStep(outcome, order) }, exitCodeOf(outcome), placeOf(outcome))
}

/** What follows from why there is no plan. */
export function endOfProblem(problem: SiteProblem, order: Named): Ending {
  const about = 'diagnostics' in problem ? texts(problem.diagnostics) : ''
  const { next, place } = remedyOf(problem, order)
  return ending({ said: `${describeProblem(problem)}${about}`, next }, exitCodeOfProblem(problem), place)
}

/** What follows from an exit code, with a message in words of Landform. */
export function endOfCode(exitCode: ExitCode, message: string): Ending {
  return ending({ said: message, next: '' }, exitCode)
}

type Place = RunEnd['state'] | 'again'

interface Words {
  readonly said: string
  /** What to do about it; empty where there is nothing to do. */
  readonly next: string
}

function ending({ said, next }: Words, exitCode: ExitCode, place: Place = placeByCode[exitCode]): Ending {
  const message = next === '' ? said : `${withoutStop(said)}; ${next}`
  if (place !== 'again') return { kind: 'end', end: { state: place, message, exitCode }, said }
  // Who waits for another run needs more time; whatever else does not pass by itself is to be mended.
  const state = exitCode === exitCodes.locked ? 'unfinished' : 'failed'
  return { kind: 'again', end: { state, message, exitCode }, said }
}

/** What each exit code is in a fleet. */
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

/** Where the exit code does not say enough. */
function placeOf(outcome: Outcome): Place | undefined {
  if (outcome.kind === 'replaced') return 'ambiguous'
  if (outcome.kind === 'in-progress' && outcome.because === 'not-allowed') return 'refused'
  // Sending the same policy again changes nothing.
  if (outcome.kind === 'unknown' && outcome.operation === 'update') return 'again'
  return undefined
}

function remedyOf(problem: SiteProblem, order: Named): { readonly next: string; readonly place?: Place } {
  const { plan, status, resubmit } = commandsFor(order)
  const again = `then run \`${resumeCommand(order)}\``
  if (problem.kind === 'immutable')
    return { next: `take the edits back, and submit it again`, place: 'refused' }
  if (problem.kind !== 'obstacle') return { next: `mend the cause, ${again}` }
  switch (problem.obstacle.kind) {
    case 'site-too-old':
      return {
        next: 'upgrade the site first, or remove the marked fields; then submit it again',
        place: 'refused',
      }
    case 'site-replaced':
      return {
        next: `where it was deployed anew, and is to be configured again: \`${resubmit(problem.obstacle.submission.nonce)}\`, ${again}`,
        place: 'ambiguous',
      }
    case 'site-unrecognized':
      return {
        next: `look at the site itself (\`${status}\`), for Landform does not guess what a state means; ${again}`,
      }
    case 'site-failed':
      return { next: `see the logs of the service, and \`${plan}\`` }
    default:
      return problem.obstacle satisfies never
  }
}

const mostTexts = 3

/** Which references are missing or unfit: a diagnostic names a secret and never tells it. */
function texts(diagnostics: readonly Diagnostic[]): string {
  const wrong = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => display(message, 300))
  const more = wrong.length > mostTexts ? [`${wrong.length - mostTexts} more`] : []
  return wrong.length === 0 ? '' : `: ${[...wrong.slice(0, mostTexts), ...more].join('; ')}`
}
