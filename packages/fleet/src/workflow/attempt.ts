import { type ApplyEvent, applySite, type PlannedSite, type Receipt, type Result } from 'landform'
import { drain, exitCodes } from 'landform/cli'
import { openSite, planOpened } from 'landform/sites'
import { computeManifestDigest } from '../model/manifest-digest.js'
import type { Order, Phase, Run } from '../model/run.js'
import { classifyExitCode, classifyOutcome, classifyProblem, type RunEnding } from './ends.js'
import type { RunPorts } from './run-ports.js'
import type { RunReporter } from './run-reporter.js'

/** The end of an attempt that was stopped. The state of the site shows what was sent. */
export const interrupted = classifyExitCode(exitCodes.interrupted, 'interrupted')

/** The context of an attempt. */
export interface AttemptContext extends RunPorts {
  readonly run: Run
  readonly reporter: RunReporter
  readonly stop: AbortSignal
  /** End of the time limit of the site, on the monotonic clock. */
  readonly untilMs: number
  enter(phase: Phase): Promise<void>
}

/** Plans the site and performs the plan, as `landform apply` does, until the site is ready or its time is up. */
export async function attemptRun(context: AttemptContext): Promise<RunEnding> {
  const { run, clock, stop, pollMs, reporter, untilMs, inTurn, enter } = context
  const planned = await inTurn('plan', () => planRun(context))
  if (!planned.ok) return planned.error
  const timeoutMs = Math.max(0, untilMs - clock.monotonicMs())
  const events = applySite(planned.value, {
    timeoutMs,
    ...(pollMs !== undefined && { pollMs }),
    signal: stop,
  })
  const report = async (event: ApplyEvent) => {
    const phase = findPhase(event)
    if (phase !== undefined) await enter(phase)
    if (event.type === 'configure-accepted') context.report({ type: event.type })
    await reporter.report(event)
  }
  const isSender = planned.value.plan.actions.some(({ change }) => change === 'create')
  const early = isSender ? await inTurn('send', () => readUntilWait(events, report)) : undefined
  const { outcome } = early ?? (await drain(events, report))
  const isCut = stop.aborted && ['interrupted', 'in-progress', 'unknown'].includes(outcome.kind)
  return isCut ? interrupted : classifyOutcome(outcome, run)
}

/** Plans the site of a run. Sends only GET requests and a sign-in. */
async function planRun(context: AttemptContext): Promise<Result<PlannedSite, RunEnding>> {
  const { run, stop, inTurn } = context
  const opened = await inTurn('open', () => openRunSite(context))
  if (!opened.ok) return opened
  const { site, request } = opened.value
  const planned = await planOpened(site, { ...request, signal: stop })
  return planned.ok ? planned : { ok: false, error: classifyProblem(planned.error, run) }
}

/** Opens the site of a run if the worker has the submitted manifest: another one may name another address. Sends nothing. */
async function openRunSite({ run, clock, openManifest }: AttemptContext) {
  const reject = (ending: RunEnding) => ({ ok: false, error: ending }) as const
  const found = await openManifest()
  if (!found.ok) return reject(classifyExitCode(found.error.exitCode, found.error.message))
  const request = { ...found.value, ports: { ...found.value.ports, clock } }
  const opened = await openSite(request)
  if (!opened.ok) return reject(classifyProblem(opened.error, run))
  const { value: site } = opened
  const digest = computeManifestDigest(site)
  return digest === run.digest
    ? ({ ok: true, value: { site, request } } as const)
    : reject(classifyExitCode(exitCodes.refused, describeOtherManifest(digest, run)))
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

/** Reads events until the wait for the site begins; returns the receipt if there is none. */
async function readUntilWait(
  events: AsyncGenerator<ApplyEvent, Receipt>,
  report: (event: ApplyEvent) => Promise<void>,
): Promise<Receipt | undefined> {
  for (;;) {
    const next = await events.next()
    if (next.done === true) return next.value
    await report(next.value)
    if (findPhase(next.value) === 'wait') return undefined
  }
}
