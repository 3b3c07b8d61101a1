import {
  type ApplyEvent,
  applySite,
  type Outcome,
  type PlannedSite,
  type Result,
  type SiteProblem,
} from 'landform'
import { drain, exitCodes } from 'landform/cli'
import { addSent } from 'landform/report'
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
  const started = await inTurn('start', async () => {
    const planned = await planRun(context)
    return planned.ok ? startApply(planned.value, context) : planned.error
  })
  if ('kind' in started) return started
  const { outcome } = await started.ended
  const isCut = stop.aborted && ['interrupted', 'in-progress', 'unknown'].includes(outcome.kind)
  return isCut ? interrupted : classifyOutcome(outcome, run)
}

/** Starts the apply, and resolves once it waits for the site or updates it, or has ended. Configures none after the time limit. */
async function startApply(planned: PlannedSite, context: AttemptContext) {
  const { clock, stop: signal, pollMs, untilMs, reporter } = context
  const timeoutMs = Math.max(0, untilMs - clock.monotonicMs())
  if (timeoutMs === 0 && planned.plan.actions.some(({ change }) => change === 'create'))
    return classifyExitCode(exitCodes.inProgress, addSent('the time limit has passed', 'nothing'))
  const events = applySite(planned, { timeoutMs, ...(pollMs !== undefined && { pollMs }), signal })
  let begin = (): void => undefined
  const waiting = new Promise<void>(resolve => {
    begin = resolve
  })
  const ended = drain(events, async event => {
    if (event.type === 'configure-accepted') context.report({ type: event.type })
    const phase = findPhase(event)
    if (phase === 'wait' || phase === 'update') begin()
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
  const { error: problem } = planned
  const ending = classifyProblem(problem, run)
  const open = isPassing(problem) ? await readOpenOutcome(problem, context) : undefined
  if (open === undefined) return reject(ending)
  const end = problem.kind === 'look' ? classifyOutcome(open, run).end : ending.end
  return reject({ ...ending, kind: ending.kind === 'end' ? 'again' : 'wait', end })
}

/** True for a problem that a wait for the site tolerates for a while. */
function isPassing(problem: SiteProblem): boolean {
  if (problem.kind !== 'obstacle') return problem.kind === 'look'
  return problem.blocker.kind === 'site-unrecognized' || problem.blocker.kind === 'site-replaced'
}

/**
 * Returns the outcome of a configuration that the site may be in the middle of, sent by another run or by a worker that had
 * this one; `undefined` if there is none.
 */
async function readOpenOutcome(
  problem: SiteProblem,
  { run, readState }: AttemptContext,
): Promise<Outcome | undefined> {
  const newest = await readState()
  const { lock, submission } = (newest.ok ? newest.value : undefined) ?? {}
  if (submission === undefined || (run.phase === undefined && lock === undefined)) return undefined
  const failure = problem.kind === 'look' ? problem.failure : undefined
  const isRejected = failure?.kind === 'unauthorized'
  if (submission.state === 'begun' || submission.state === 'acknowledged') {
    const because = isRejected ? 'not-allowed' : 'timeout'
    return { kind: 'in-progress', because, ...(failure !== undefined && { failure }) }
  }
  if (!isPending(submission)) return undefined
  const reason = isRejected ? 'no-valid-token' : 'no-response-while-waiting'
  return { kind: 'unknown', operation: 'configure', reason, nonce: submission.nonce }
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
