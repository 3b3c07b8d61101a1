import { type Diagnostic, describeOutcome, type Outcome, type SiteProblem } from 'landform'
import {
  type ExitCode,
  endStateByExitCode,
  endStateOf,
  exitCodeOf,
  exitCodes,
  nextCommands,
  shellWord,
  toFailure,
} from 'landform/cli'
import { addSent, display, removeFullStop, suggestNextStep } from 'landform/report'
import type { EndState } from 'landform/sites'
import type { Order, RunEnd } from '../model/run.js'

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
  const exitCode = exitCodeOf(outcome)
  // Sending the same policy twice has no further effect.
  const isHarmless = outcome.kind === 'unknown' && outcome.operation === 'update'
  const isAgain = isHarmless || (isTemporary(exitCode) && outcome.kind !== 'replaced')
  const end = { exitCode, state: endStateOf(outcome, exitCode) }
  return createEnding(isAgain, [`${describeOutcome(outcome)}${about}`, describeNextStep(outcome, order)], end)
}

/** Maps a problem that prevented a plan to the end of a run. */
export function classifyProblem(problem: SiteProblem, order: NamedOrder): RunEnding {
  const about = 'diagnostics' in problem ? describeDiagnostics(problem.diagnostics) : ''
  const resume = buildResumeCommand(order)
  const { exitCode, message, next } = toFailure(problem, { ...buildCommands(order), plan: resume })
  const edited = 'revert the edits, and submit the manifest again'
  const remedy = problem.kind === 'immutable' ? [edited] : (next ?? [`fix the cause, then run \`${resume}\``])
  const state = findEndState(problem)
  const end = { exitCode, state: state ?? endStateByExitCode[exitCode] }
  const summary = addSent(`${message}${about}`, 'nothing')
  return createEnding(state === undefined && isTemporary(exitCode), [summary, remedy], end)
}

function findEndState(problem: SiteProblem): EndState | undefined {
  if (problem.kind === 'immutable') return 'refused'
  if (problem.kind !== 'obstacle') return undefined
  const { kind } = problem.blocker
  return kind === 'site-too-old' ? 'refused' : kind === 'site-replaced' ? 'ambiguous' : undefined
}

/** Maps an exit code and a message of Landform to the end of a run. */
export function classifyExitCode(exitCode: ExitCode, message: string): RunEnding {
  return createEnding(isTemporary(exitCode), [message], { exitCode, state: endStateByExitCode[exitCode] })
}

function createEnding(
  isAgain: boolean,
  [summary, next = []]: readonly [summary: string, next?: readonly string[]],
  result: Omit<RunEnd, 'message'>,
): RunEnding {
  // It is a cell of a table.
  const message = next.length === 0 ? summary : [removeFullStop(summary), ...next].join('; ')
  return { kind: isAgain ? 'again' : 'end', summary, end: { ...result, message } }
}

/** True for failures that may be over at the next attempt. */
function isTemporary(exitCode: ExitCode): boolean {
  const { stale, locked, unreachable, state, trouble } = exitCodes
  return [stale, locked, unreachable, state, trouble].some(code => code === exitCode)
}

const maxDiagnostics = 3

/** Lists missing or invalid references: a diagnostic names a secret and never contains its value. */
function describeDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const wrong = errors.map(({ message }) => display(message, 300))
  const more = wrong.length > maxDiagnostics ? [`${wrong.length - maxDiagnostics} more`] : []
  return wrong.length === 0 ? '' : `: ${[...wrong.slice(0, maxDiagnostics), ...more].join('; ')}`
}

function describeNextStep(outcome: Outcome, order: NamedOrder): readonly string[] {
  const commands = buildCommands(order)
  // Another request after a rejection needs consent, which a fleet does not ask for.
  const isNo = outcome.kind === 'rejected-before' || ('isRejected' in outcome && outcome.isRejected === true)
  return suggestNextStep(outcome, isNo ? commands : { ...commands, apply: buildResumeCommand(order) })
}

function buildResumeCommand({ name }: Pick<Order, 'name'>): string {
  return `landform fleet resume ${shellWord(name)}`
}

/** Returns the commands for one site of a fleet, with the state of the fleet. */
export function buildCommands({ manifest: file }: Pick<Order, 'manifest'>) {
  const state = 'postgres:env:LANDFORM_DATABASE_URL'
  return nextCommands({ file, url: undefined, state, emulate: false, 'allow-origin': [] })
}
