import {
  type ApplyEvent,
  applySite,
  type Outcome,
  type PlannedSite,
  type Result,
  type StateStore,
  siteWriter,
} from 'landform'
import { type ExitCode, exitCodes } from 'landform/cli'
import {
  defaultPollMs,
  describeRequest,
  followSite,
  openSite,
  planOpened,
  recordFailure,
  selectTimings,
  toOpenOutcome,
  type WaitEnd,
} from 'landform/sites'
import { hasBegun, isAnswered, isPending } from 'landform/state'
import { computeManifestDigest } from '../model/manifest-digest.js'
import type { Order, Phase } from '../model/run.js'
import { classifyExitCode, classifyOutcome, classifyProblem, type RunEnding } from './ends.js'
import { type RunPorts, type RunSite, waitForTurn } from './run-ports.js'
import { type EventReceiver, type RunReporter, readLastWritten } from './run-reporter.js'
import type { ConfigurationFacts, StepOutcome, WorkflowState } from './workflow-state.js'

/** The context of a step of a run. */
export interface StepContext
  extends Pick<RunPorts, 'clock' | 'random' | 'openManifest' | 'pollMs' | 'inTurn' | 'runLog'> {
  readonly order: Order
  readonly reporter: RunReporter
  /** Stops waiting. */
  readonly stop: AbortSignal
}

/**
 * Opens the site of a run with the manifest of this worker, after checking that it is the submitted one: another manifest
 * could name another address. Sends nothing.
 */
async function openRunSite(step: StepContext): Promise<Result<RunSite, RunEnding>> {
  const { order, clock } = step
  const reject = (ending: RunEnding) => ({ ok: false, error: ending }) as const
  const found = await step.openManifest(order)
  if (!found.ok) return reject(classifyExitCode(found.error.exitCode as ExitCode, found.error.message))
  const request = { ...found.value, ports: { ...found.value.ports, clock } }
  const opened = await waitForTurn(step, 'open', () => openSite(request))
  if (!opened.ok) return reject(classifyProblem(opened.error, order))
  const { value: site } = opened
  const digest = computeManifestDigest(site)
  if (digest !== order.digest)
    return reject(classifyExitCode(exitCodes.refused, describeOtherManifest(digest, order)))
  const { provideToken } = site
  const client = request.ports.client ?? siteWriter(site.url, provideToken, site.route)
  const ports = { ...request.ports, client, provideToken }
  return { ok: true, value: { site, request: { ...request, ports }, client } }
}

function describeOtherManifest(found: string, { digest, name }: Order): string {
  const short = (text: string) => text.slice(0, 'sha256:'.length + 12)
  return `the manifest of ${name}, its bases or its policies differ from the submitted ones: the worker has ${short(found)}, submitted was ${short(digest)}; give the workers the submitted version, or submit it again`
}

type Work = (planned: PlannedSite, open: RunSite) => Promise<StepOutcome>

/** Opens and plans the site for one step, and always closes it. */
async function withPlan(step: StepContext, work: Work): Promise<StepOutcome> {
  const opened = await openRunSite(step)
  if (!opened.ok) return opened.error
  const { site, request } = opened.value
  try {
    const reply = await planOpened(site, { ...request, signal: step.stop })
    return reply.ok ? await work(reply.value, opened.value) : classifyProblem(reply.error, step.order)
  } finally {
    site.close()
  }
}

const phaseAfterPlan = { create: 'configure', resume: 'wait', 'no-op': 'update' } as const

/** Observes the site and decides the first phase. Sends only GET requests. */
export function planStep({ standing }: WorkflowState, step: StepContext): Promise<StepOutcome> {
  return withPlan(step, async (planned, { site }) => {
    const [configure] = planned.plan.actions
    const phase = configure?.operation === 'configure' ? phaseAfterPlan[configure.change] : 'update'
    return continueWith(phase, await readFacts(standing, site.state, planned))
  })
}

/** Long enough for consecutive polls to agree; a longer wait goes back to the wait phase. */
const shortMs = 60_000

/**
 * Plans again and performs the plan as `landform apply` does, with the same submission intent, order of steps and receipt.
 * Configure ends when the service has the request; update verifies that the site is ready, and never waits long.
 */
export function performStep({ phase, standing }: WorkflowState, step: StepContext): Promise<StepOutcome> {
  const { order, stop, pollMs, reporter } = step
  const isConfigure = phase === 'configure'
  const options = {
    ...(isConfigure ? { detach: true, timeoutMs: 0 } : { timeoutMs: shortMs }),
    ...(pollMs !== undefined && { pollMs }),
    ...(standing.timings !== undefined && { timings: standing.timings }),
    signal: stop,
  }
  return withPlan(step, async (planned, { site }) => {
    const receiver = isConfigure ? reporter : withoutPollEvents(reporter)
    const send = () => reportStream(applySite(planned, options), receiver)
    const { outcome } = await (isConfigure ? waitForTurn(step, 'send', send) : send())
    return needsWatching(outcome)
      ? continueWith('wait', await readFacts(standing, site.state, planned))
      : classifyOutcome(outcome, order)
  })
}

const pollEvents: readonly ApplyEvent['type'][] = ['configure-begun', 'site-said', 'site-ready']

/** Omits the events of polls that verify the end of the wait, which reported them already. */
function withoutPollEvents({ report }: EventReceiver): EventReceiver {
  return {
    async report(event) {
      if (pollEvents.includes(event.type)) return
      await report(event.type === 'stages-changed' ? { ...event, changed: [] } : event)
    },
  }
}

/** Runs a stream to its end, reports each event, and returns the result of the stream. */
async function reportStream<R>(stream: AsyncGenerator<ApplyEvent, R>, receiver: EventReceiver): Promise<R> {
  try {
    for (;;) {
      const step = await stream.next()
      if (step.done === true) return step.value
      await receiver.report(step.value)
    }
  } finally {
    await stream.return(undefined as never)
  }
}

/** True if watching the site shows the outcome. */
function needsWatching(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return outcome.operation === 'configure'
  return outcome.kind === 'in-progress' && outcome.because !== 'not-allowed'
}

function continueWith(phase: Phase, standing: ConfigurationFacts): StepOutcome {
  return { kind: 'next', phase, standing }
}

/**
 * Reads the recorded submission intent, which decides about a request; an unreadable state counts as an open request. The
 * version is kept only if it looks like a version and not like text.
 */
async function readFacts(
  before: ConfigurationFacts,
  state: StateStore,
  { plan }: PlannedSite,
): Promise<ConfigurationFacts> {
  const newest = await state.read()
  const submission = newest.ok ? newest.value?.submission : undefined
  const { version, state: shown } = plan.binds.site
  const shows = shown === 'in-progress' || shown === 'ready'
  const begun = before.begun || shows || (submission !== undefined && hasBegun(submission))
  const isOpen = submission !== undefined && isPending(submission) && submission.state !== 'acknowledged'
  return {
    isOpen: !begun && (isOpen || !newest.ok),
    begun,
    ...(before.timings !== undefined && { timings: before.timings }),
    ...(version !== null && /^[\d.]{1,20}$/.test(version) && { version }),
  }
}

/** Maximum duration of a step, which can end only at a heartbeat: so none takes longer than five minutes. */
const maxStepMs = 4.5 * 60_000

/** A wait of several steps. It keeps no manifest, because a worker waits for hundreds of sites. */
interface ActiveWait {
  readonly stream: AsyncGenerator<ApplyEvent, WaitEnd>
  readonly state: StateStore
  release(): void
}

/** Watches a configuration in short steps, as one wait within this process. */
export function createSiteWatcher(step: StepContext) {
  let wait: ActiveWait | undefined
  const close = async () => {
    await wait?.stream.return(undefined as never)
    wait?.release()
    wait = undefined
  }
  return {
    close,
    /** Watches for a while, or to the end. Sends only GET requests, and writes nothing to the state except a failure. */
    async watch(current: WorkflowState): Promise<StepOutcome> {
      if (wait === undefined) {
        const opened = await openRunSite(step)
        if (!opened.ok) return opened.error
        const { site } = opened.value
        const stream = await openStream(opened.value, current, step)
        wait = { stream, state: site.state, release: () => site.close() }
      }
      const { stream, state } = wait
      const untilMs = step.clock.monotonicMs() + maxStepMs
      let facts = current.standing
      for (;;) {
        const seen = await stream.next()
        if (seen.done === true) {
          await close()
          return classifyWaitEnd(seen.value, facts, { state, step })
        }
        await step.reporter.report(seen.value)
        if (seen.value.type === 'configure-begun') facts = { ...facts, isOpen: false, begun: true }
        if (step.clock.monotonicMs() >= untilMs) return continueWith('wait', facts)
      }
    },
  }
}

async function openStream(
  { site, client }: RunSite,
  { startedAt, standing: { begun, version } }: WorkflowState,
  step: StepContext,
): Promise<ActiveWait['stream']> {
  const { order, clock, runLog, random, stop, pollMs = defaultPollMs(site.url) } = step
  const passedMs = clock.now() - (startedAt ?? clock.now())
  const { stages } = await readLastWritten(runLog)
  const submission = await readSubmission(site.state)
  const how = {
    reader: client,
    clock,
    random,
    waitOptions: { pollMs, timeoutMs: Math.max(0, order.timeoutMs - passedMs) },
    stages,
    begun,
    isAnswered: submission !== undefined && isAnswered(submission),
    marks: version === undefined ? [] : [{ version }],
  }
  return followSite(site, how, stop)
}

async function classifyWaitEnd(
  end: WaitEnd,
  facts: ConfigurationFacts,
  { state, step: { order, clock } }: { readonly state: StateStore; readonly step: StepContext },
): Promise<StepOutcome> {
  if (end.kind === 'ready') {
    const timings = selectTimings(end.timings, facts.timings)
    return continueWith('update', { ...facts, isOpen: false, begun: true, timings })
  }
  if (end.kind === 'failed') {
    const { message = '', stages } = end.observed
    await recordFailure(state, clock)
    return classifyOutcome({ kind: 'site-failed', message, stages }, order)
  }
  const request = describeRequest(await readSubmission(state))
  return classifyOutcome(toOpenOutcome(end, { accepted: !facts.isOpen, ...request }), order)
}

/** Reads the submission of a site; `undefined` where there is none, or the state cannot be read. */
async function readSubmission(state: StateStore) {
  const newest = await state.read()
  return newest.ok ? newest.value?.submission : undefined
}
