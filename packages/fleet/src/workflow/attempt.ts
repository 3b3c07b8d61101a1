import { type ApplyEvent, applySite, type PlannedSite, type Result, type SiteProblem } from 'landform'
import { drain, exitCodes } from 'landform/cli'
import { openSite, planOpened } from 'landform/sites'
import { isPending } from 'landform/state'
import { computeManifestDigest } from '../model/manifest-digest.js'
import type { Order, Phase, Run } from '../model/run.js'
import { classifyExitCode, classifyOutcome, classifyProblem, type RunEnding } from './ends.js'
import type { RunPorts } from './run-ports.js'
import type { RunReporter } from './run-reporter.js'

/** The context of an attempt. */
export interface AttemptContext extends RunPorts {
  readonly run: Run
  readonly reporter: RunReporter
  readonly stop: AbortSignal
  /** End of the time limit of the site, on the monotonic clock. */
  readonly untilMs: number
  enter(phase: Phase): Promise<void>
}

/** The end of an attempt that was stopped. The state of the site shows what was sent. */
export const interrupted: RunEnding = {
  ...classifyExitCode(exitCodes.interrupted, 'interrupted'),
  kind: 'again',
}

/** Plans the site and performs the plan, as `landform apply` does, until the site is ready or its time is up. */
export async function attemptRun(context: AttemptContext): Promise<RunEnding> {
  const { run, stop, inTurn } = context
  const planned = await inTurn('plan', () => planRun(context))
  if (!planned.ok) return planned.error
  const start = () => startApply(planned.value, context)
  const isSender = planned.value.plan.actions.some(({ change }) => change === 'create')
  const { ended } = await (isSender ? inTurn('send', start) : start())
  const { outcome } = await ended
  const isCut = stop.aborted && ['interrupted', 'in-progress', 'unknown'].includes(outcome.kind)
  return isCut ? interrupted : classifyOutcome(outcome, run)
}

/** Starts the apply, and resolves once it only waits for the site, or has ended. */
async function startApply(planned: PlannedSite, context: AttemptContext) {
  const { clock, stop: signal, pollMs, untilMs, reporter } = context
  const timeoutMs = Math.max(0, untilMs - clock.monotonicMs())
  const events = applySite(planned, { timeoutMs, ...(pollMs !== undefined && { pollMs }), signal })
  let begin = (): void => undefined
  const waiting = new Promise<void>(resolve => {
    begin = resolve
  })
  const ended = drain(events, async event => {
    if (event.type === 'configure-accepted') context.report({ type: event.type })
    const phase = findPhase(event)
    if (phase === 'wait') begin()
    if (phase !== undefined) await context.enter(phase)
    await reporter.report(event)
  })
  await Promise.race([ended, waiting])
  return { ended }
}

/** Plans the site of a run. Sends only GET requests and a sign-in, and none if the worker has another manifest. */
async function planRun(context: AttemptContext): Promise<Result<PlannedSite, RunEnding>> {
  const { run, clock, stop, inTurn, openManifest } = context
  const reject = (ending: RunEnding) => ({ ok: false, error: ending }) as const
  if (stop.aborted) return reject(interrupted)
  const found = await inTurn('open', openManifest)
  if (!found.ok) return reject(classifyExitCode(found.error.exitCode, found.error.message))
  const request = { ...found.value, ports: { ...found.value.ports, clock } }
  const opened = await inTurn('open', () => openSite(request))
  if (!opened.ok) return reject(classifyProblem(opened.error, run))
  const digest = computeManifestDigest(opened.value)
  // It may name another address.
  if (digest !== run.digest)
    return reject(classifyExitCode(exitCodes.refused, describeOtherManifest(digest, run)))
  const planned = await planOpened(opened.value, { ...request, signal: stop })
  if (planned.ok) return planned
  const ending = classifyProblem(planned.error, run)
  const open = isPassing(planned.error) ? await readOpenEnd(context) : undefined
  if (open === undefined) return reject(ending)
  if (ending.kind === 'end') return reject({ ...ending, kind: 'again' })
  return reject({ ...ending, kind: 'wait', end: { ...ending.end, ...open } })
}

/** True for a problem that a wait for the site tolerates for a while. */
function isPassing(problem: SiteProblem): boolean {
  if (problem.kind !== 'obstacle') return problem.kind === 'look'
  return problem.blocker.kind === 'site-unrecognized' || problem.blocker.kind === 'site-replaced'
}

/**
 * Returns the end of a run whose time is up while its site is in the middle of a configuration, of another run or of a worker
 * that had this run; `undefined` if it is in none.
 */
async function readOpenEnd({ run, readState }: AttemptContext) {
  const newest = await readState()
  if (!newest.ok || newest.value === undefined) return undefined
  const { lock, submission } = newest.value
  const isBegun = submission?.state === 'begun' || submission?.state === 'acknowledged'
  const isOpen = submission !== undefined && isPending(submission) && !isBegun
  if (lock === undefined && (run.phase === undefined || !(isBegun || isOpen))) return undefined
  return isOpen
    ? ({ state: 'ambiguous', exitCode: exitCodes.unknown } as const)
    : ({ state: 'unfinished', exitCode: exitCodes.inProgress } as const)
}

function describeOtherManifest(found: string, { digest, name }: Order): string {
  const short = (text: string) => text.slice(0, 'sha256:'.length + 12)
  return `the manifest of ${name}, its bases or its policies differ from the submitted ones: the worker has ${short(found)}, but ${short(digest)} was submitted; give the workers the submitted files, or submit the site again`
}

/** Returns the phase that begins with an event. */
function findPhase(event: ApplyEvent): Phase | undefined {
  switch (event.type) {
    case 'action-started':
      if (event.operation === 'update') return 'update'
      return event.change === 'create' ? 'configure' : event.change === 'resume' ? 'wait' : undefined
    case 'configure-accepted':
      return 'wait'
    case 'outcome-unknown':
      return event.operation === 'configure' ? 'wait' : undefined
    default:
      return undefined
  }
}
