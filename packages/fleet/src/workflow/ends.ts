import { type Diagnostic, describeOutcome, describeProblem, type Outcome, type SiteProblem } from 'landform'
import { type ExitCode, exitCodeOf, exitCodeOfProblem, exitCodes } from 'landform/cli'
import { display, removeFullStop } from 'landform/report'
import type { Order } from '../model/run.js'
import type { RunEnd } from '../model/run-end.js'
import { buildCommands, buildResumeCommand, describeNextStep } from './next-steps.js'

/** An outcome that ends the run, or that is retried and becomes the given end when retries are exhausted. */
export interface RunEnding {
  readonly kind: 'end' | 'again'
  readonly end: RunEnd
  /** The event, without the next step. */
  readonly summary: string
}

type NamedOrder = Pick<Order, 'name' | 'manifest'>

/** Maps the outcome of an apply to the end of a run. */
export function classifyOutcome(outcome: Outcome, order: NamedOrder): RunEnding {
  const about = outcome.kind === 'references' ? describeDiagnostics(outcome.diagnostics) : ''
  const summary = `${describeOutcome(outcome)}${about}`
  return createEnding(
    { summary, next: describeNextStep(outcome, order) },
    exitCodeOf(outcome),
    overrideState(outcome),
  )
}

/** Maps a problem that prevented a plan to the end of a run. */
export function classifyProblem(problem: SiteProblem, order: NamedOrder): RunEnding {
  const about = 'diagnostics' in problem ? describeDiagnostics(problem.diagnostics) : ''
  const { next, place: endState } = describeRemedy(problem, order)
  return createEnding(
    { summary: `${describeProblem(problem)}${about}`, next },
    exitCodeOfProblem(problem),
    endState,
  )
}

/** Maps an exit code and a message of Landform to the end of a run. */
export function classifyExitCode(exitCode: ExitCode, message: string): RunEnding {
  return createEnding({ summary: message, next: '' }, exitCode)
}

type EndState = RunEnd['state'] | 'again'

interface EndingText {
  readonly summary: string
  /** The next step; empty if there is none. */
  readonly next: string
}

function createEnding(
  { summary, next }: EndingText,
  exitCode: ExitCode,
  endState: EndState = stateByExitCode[exitCode],
): RunEnding {
  const message = next === '' ? summary : `${removeFullStop(summary)}; ${next}`
  if (endState !== 'again') return { kind: 'end', end: { state: endState, message, exitCode }, summary }
  // A run that waits for another run needs more time; any other failure that persists must be fixed.
  const state = exitCode === exitCodes.locked ? 'unfinished' : 'failed'
  return { kind: 'again', end: { state, message, exitCode }, summary }
}

/** The state of a run for each exit code. */
const stateByExitCode = {
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
} as const satisfies Record<ExitCode, EndState>

/** Overrides for outcomes whose exit code is not specific enough. */
function overrideState(outcome: Outcome): EndState | undefined {
  if (outcome.kind === 'replaced') return 'ambiguous'
  if (outcome.kind === 'in-progress' && outcome.because === 'not-allowed') return 'refused'
  // Sending the same policy twice has no further effect.
  if (outcome.kind === 'unknown' && outcome.operation === 'update') return 'again'
  return undefined
}

function describeRemedy(
  problem: SiteProblem,
  order: NamedOrder,
): { readonly next: string; readonly place?: EndState } {
  const { plan, status, discardIntent } = buildCommands(order)
  const again = `then run \`${buildResumeCommand(order)}\``
  if (problem.kind === 'immutable')
    return { next: 'revert the edits, and submit the manifest again', place: 'refused' }
  if (problem.kind !== 'obstacle') return { next: `fix the cause, ${again}` }
  switch (problem.blocker.kind) {
    case 'site-too-old':
      return {
        next: 'upgrade the site first, or remove the marked fields; then submit the manifest again',
        place: 'refused',
      }
    case 'site-replaced':
      return {
        next: `if the site was redeployed and must be configured again: \`${discardIntent(problem.blocker.submission.nonce)}\`, ${again}`,
        place: 'ambiguous',
      }
    case 'site-unrecognized':
      return {
        next: `inspect the site (\`${status}\`), because Landform does not know this state; ${again}`,
      }
    case 'site-failed':
      return { next: `check the logs of the service and \`${plan}\`` }
    default:
      return problem.blocker satisfies never
  }
}

const maxDiagnostics = 3

/** Lists missing or invalid references: a diagnostic names a secret and never contains its value. */
function describeDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const wrong = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => display(message, 300))
  const more = wrong.length > maxDiagnostics ? [`${wrong.length - maxDiagnostics} more`] : []
  return wrong.length === 0 ? '' : `: ${[...wrong.slice(0, maxDiagnostics), ...more].join('; ')}`
}
