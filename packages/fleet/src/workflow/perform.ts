import { type ApplyEvent, applySite, type Outcome, type PlannedSite, siteWriter } from 'landform'
import { drain, type ExitCode, exitCodes } from 'landform/cli'
import {
  defaultPollMs,
  describeRequest,
  followSite,
  isRejectedOutcome,
  openSite,
  planOpened,
  recordWatchedEnd,
  selectTimings,
  toOpenOutcome,
} from 'landform/sites'
import { hasBegun, isAnswered, isPending, listSentMarks, type StageTiming } from 'landform/state'
import { computeManifestDigest } from '../model/manifest-digest.js'
import type { Order, Phase, Run } from '../model/run.js'
import { classifyExitCode, classifyOutcome, classifyProblem, type RunEnding } from './ends.js'
import type { RunPorts } from './run-ports.js'
import type { RunReporter } from './run-reporter.js'

/** Known facts about a configuration, kept across retries. */
export interface SiteFacts {
  /** A request was sent, and its outcome is unknown. */
  readonly isOpen: boolean
  /** The configuration is known to have begun on the site. */
  readonly begun: boolean
  /** Times of the stages as observed while waiting, under the names of the contract. */
  readonly timings?: readonly StageTiming[]
}

/** The next phase and the known facts, or an end. */
export type StepOutcome =
  | { readonly kind: 'next'; readonly phase: 'wait' | 'update'; readonly facts: SiteFacts }
  | RunEnding

/** The end of a phase that was stopped. */
export const interrupted = classifyExitCode(exitCodes.interrupted, 'interrupted')

/** The context of the phases of a run. */
export interface StepContext extends RunPorts {
  readonly run: Run
  readonly reporter: RunReporter
  readonly stop: AbortSignal
  /** End of the time limit of the site, on the monotonic clock. */
  readonly untilMs: number
  enter(phase: Phase): Promise<void>
}

/** Opens the site of a run if the worker has the submitted manifest: another one may name another address. Sends nothing. */
async function openRunSite(step: StepContext) {
  const { run, clock } = step
  const reject = (ending: RunEnding) => ({ ok: false, error: ending }) as const
  const found = await step.openManifest()
  if (!found.ok) return reject(classifyExitCode(found.error.exitCode as ExitCode, found.error.message))
  const request = { ...found.value, ports: { ...found.value.ports, clock } }
  const opened = await openSite(request)
  if (!opened.ok) return reject(classifyProblem(opened.error, run))
  const { value: site } = opened
  const digest = computeManifestDigest(site)
  if (digest !== run.digest)
    return reject(classifyExitCode(exitCodes.refused, describeOtherManifest(digest, run)))
  const { provideToken } = site
  const client = request.ports.client ?? siteWriter(site.url, provideToken, site.route)
  const ports = { ...request.ports, client, provideToken }
  return { ok: true, value: { site, request: { ...request, ports }, client } } as const
}

function describeOtherManifest(found: string, { digest, name }: Order): string {
  const short = (text: string) => text.slice(0, 'sha256:'.length + 12)
  return `the manifest of ${name}, its bases or its policies differ from the submitted ones: the worker has ${short(found)}, but ${short(digest)} was submitted; give the workers the submitted files, or submit the site again`
}

/** Long enough for consecutive polls to agree; a longer wait goes back to the wait phase. */
const shortMs = 60_000

/**
 * Plans the site and performs the plan as `landform apply` does, with the same submission intent, order of steps and
 * receipt. The configure step ends once the service has the request. The update step verifies that the site is ready, and
 * never waits long.
 */
export async function performPlan(facts: SiteFacts, step: StepContext): Promise<StepOutcome> {
  let close = (): void => undefined
  try {
    const found = await step.inTurn('plan', async () => {
      const opened = await step.inTurn('open', () => openRunSite(step))
      if (!opened.ok) return opened
      const { site, request } = opened.value
      close = () => site.close()
      const planned = await planOpened(site, { ...request, signal: step.stop })
      return planned.ok ? planned : ({ ok: false, error: classifyProblem(planned.error, step.run) } as const)
    })
    return found.ok ? await perform(found.value, facts, step) : found.error
  } finally {
    close()
  }
}

async function perform(planned: PlannedSite, facts: SiteFacts, step: StepContext): Promise<StepOutcome> {
  const { run, stop, pollMs, reporter } = step
  const [first] = planned.plan.actions
  const change = first?.operation === 'configure' ? first.change : 'no-op'
  const wait = async (): Promise<StepOutcome> => {
    return { kind: 'next', phase: 'wait', facts: await readFacts(facts, step, planned) }
  }
  if (change === 'resume') return wait()
  const isConfigure = change === 'create'
  await step.enter(isConfigure ? 'configure' : 'update')
  const options = {
    ...(isConfigure ? { detach: true, timeoutMs: 0 } : { timeoutMs: shortMs }),
    ...(pollMs !== undefined && { pollMs }),
    ...(facts.timings !== undefined && { timings: facts.timings }),
    signal: stop,
  }
  const report = async (event: ApplyEvent) => {
    if (!isConfigure && pollEvents.includes(event.type)) return
    const isRepeated = !isConfigure && event.type === 'stages-changed'
    await reporter.report(isRepeated ? { ...event, changed: [] } : event)
  }
  const send = () => drain(applySite(planned, options), report)
  const { outcome } = await (isConfigure ? step.inTurn('send', send) : send())
  return needsWatching(outcome) ? wait() : classifyOutcome(outcome, run)
}

/** Events that the polls before an update repeat. */
const pollEvents: readonly ApplyEvent['type'][] = ['configure-begun', 'site-said', 'site-ready']

function needsWatching(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return outcome.operation === 'configure'
  return outcome.kind === 'in-progress' && outcome.because !== 'not-allowed'
}

/**
 * Updates the facts from the recorded submission intent and the plan. If the state cannot be read, a request may be open,
 * unless the configuration is known to have begun.
 */
export async function readFacts(
  { timings, ...before }: SiteFacts,
  { readState }: Pick<RunPorts, 'readState'>,
  planned?: PlannedSite,
): Promise<SiteFacts> {
  const newest = await readState()
  const submission = newest.ok ? newest.value?.submission : undefined
  const shown = planned?.plan.binds.site.state
  const shows = shown === 'in-progress' || shown === 'ready'
  const begun = before.begun || shows || (submission !== undefined && hasBegun(submission))
  const isOpen = submission !== undefined && isPending(submission) && submission.state !== 'acknowledged'
  return {
    isOpen: !begun && (isOpen || !newest.ok),
    begun,
    ...(timings !== undefined && { timings }),
  }
}

/** Watches a configuration to its end. Sends only GET requests and a sign-in, and records only a failure or rejection. */
export async function watchSite(known: SiteFacts, step: StepContext): Promise<StepOutcome> {
  const { run, clock, random, stop, reporter, untilMs } = step
  const opened = await step.inTurn('open', () => openRunSite(step))
  if (!opened.ok) return opened.error
  const { site, client } = opened.value
  const { pollMs = defaultPollMs(site.url) } = step
  const submission = await readSubmission(step)
  const how = {
    reader: client,
    clock,
    random,
    waitOptions: { pollMs, timeoutMs: Math.max(0, untilMs - clock.monotonicMs()) },
    stages: reporter.stages(),
    begun: known.begun,
    isAnswered: submission !== undefined && isAnswered(submission),
    marks: listSentMarks(submission),
  }
  let facts = known
  const report = async (event: ApplyEvent) => {
    if (event.type === 'configure-begun') facts = { ...facts, isOpen: false, begun: true }
    await reporter.report(event)
  }
  try {
    const end = await drain(followSite(site, how, stop), report)
    if (end.kind === 'ready') {
      const timings = selectTimings(end.timings, facts.timings)
      return { kind: 'next', phase: 'update', facts: { ...facts, isOpen: false, begun: true, timings } }
    }
    if (end.kind === 'failed') {
      const { message = '', stages } = end.observed
      await recordWatchedEnd(site.state, clock, 'failed')
      return classifyOutcome({ kind: 'site-failed', message, stages }, run)
    }
    if (stop.aborted) return interrupted
    const request = describeRequest(await readSubmission(step))
    const outcome = toOpenOutcome(end, { accepted: !facts.isOpen, ...request })
    if (isRejectedOutcome(outcome)) await recordWatchedEnd(site.state, clock, 'rejected')
    return classifyOutcome(outcome, run)
  } finally {
    site.close()
  }
}

/** Reads the recorded submission of a site; `undefined` if there is none or the state cannot be read. */
export async function readSubmission({ readState }: Pick<RunPorts, 'readState'>) {
  const newest = await readState()
  return newest.ok ? newest.value?.submission : undefined
}
