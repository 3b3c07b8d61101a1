import type { Diagnostic, Outcome, SiteProblem } from 'landform'
import {
  type Ending,
  type ExitCode,
  endOfApply,
  endOfProblem,
  endStateByExitCode,
  exitCodes,
  nextCommands,
  shellWord,
} from 'landform/cli'
import { describeEnd, display, removeFullStop } from 'landform/report'
import type { Order, RunEnd } from '../model/run.js'

/**
 * The result of an attempt: the end of the run, or a failure that becomes this end after too many tries in a row (`again`),
 * or when the time of the site is up (`wait`).
 */
export interface RunEnding {
  readonly kind: 'end' | 'again' | 'wait'
  readonly end: RunEnd
  /** The message without the next steps. */
  readonly summary: string
}

type NamedOrder = Pick<Order, 'name' | 'manifest'>

/** Maps the outcome of an apply to the end of a run. */
export function classifyOutcome(outcome: Outcome, order: NamedOrder): RunEnding {
  const ending = endOfApply(outcome)
  const commands = buildCommands(order)
  // Another request after a rejection needs consent, which a fleet does not ask for.
  const isNo = outcome.kind === 'rejected-before' || ('isRejected' in outcome && outcome.isRejected === true)
  const next = ending.next(isNo ? commands : { ...commands, apply: buildResumeCommand(order) })
  const about = outcome.kind === 'references' ? describeDiagnostics(outcome.diagnostics) : ''
  return createEnding(ending, `${describeEnd(ending)}${about}`, next)
}

/** Maps a problem that prevented a plan to the end of a run. */
export function classifyProblem(problem: SiteProblem, order: NamedOrder): RunEnding {
  const ending = endOfProblem(problem)
  const resume = buildResumeCommand(order)
  const next = ending.next({ ...buildCommands(order), plan: resume })
  const remedy = next.length > 0 ? next : [`fix the cause, then run \`${resume}\``]
  const edited = ['revert the edits, and submit the manifest again']
  const about = 'diagnostics' in problem ? describeDiagnostics(problem.diagnostics) : ''
  const summary = describeEnd({ ...ending, say: `${ending.say}${about}` })
  return createEnding(ending, summary, problem.kind === 'immutable' ? edited : remedy)
}

/** Maps an exit code and a message of Landform to the end of a run. */
export function classifyExitCode(exitCode: ExitCode, message: string): RunEnding {
  return createEnding({ exitCode, end: endStateByExitCode[exitCode] }, message)
}

function createEnding(
  { exitCode, end }: Pick<Ending, 'exitCode' | 'end'>,
  summary: string,
  next: readonly string[] = [],
): RunEnding {
  // The message is shown in a table cell.
  const message = next.length === 0 ? summary : [removeFullStop(summary), ...next].join('; ')
  // A site that is refused, or ambiguous, needs a person.
  const isAgain = (end === 'failed' || end === 'unfinished') && mayPass.includes(exitCode)
  const kind = exitCode === locked ? 'wait' : isAgain ? 'again' : 'end'
  return { kind, summary, end: { exitCode, state: end, message } }
}

const { unknown, stale, locked, unreachable, state, trouble } = exitCodes

/** The exit codes of failures that may be temporary. */
const mayPass: readonly ExitCode[] = [unknown, stale, unreachable, state, trouble]

const maxDiagnostics = 3

/** Lists the errors, such as missing secrets. A diagnostic names a secret and never contains its value. */
function describeDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const wrong = errors.map(({ message }) => display(message, 300))
  const more = wrong.length > maxDiagnostics ? [`${wrong.length - maxDiagnostics} more`] : []
  return wrong.length === 0 ? '' : `: ${[...wrong.slice(0, maxDiagnostics), ...more].join('; ')}`
}

function buildResumeCommand({ name }: Pick<Order, 'name'>): string {
  return `landform fleet resume ${shellWord(name)}`
}

/** Returns the commands for one site of a fleet, with the state of the fleet. */
export function buildCommands({ manifest: file }: Pick<Order, 'manifest'>) {
  const state = 'postgres:env:LANDFORM_DATABASE_URL'
  return nextCommands({ file, url: undefined, state, emulate: false, 'allow-origin': [] })
}
