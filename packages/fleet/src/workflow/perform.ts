import { type ApplyEvent, applySite, type Outcome, type PlannedSite, type StateStore } from 'landform'
import {
  defaultPollMs,
  describeRequest,
  followSite,
  planOpened,
  recordFailure,
  selectTimings,
  toOpenOutcome,
  type WaitEnd,
} from 'landform/sites'
import { hasBegun, isAnswered, isPending } from 'landform/state'
import type { Phase } from '../model/run.js'
import type { ConfigurationFacts, StepOutcome, WorkflowState } from './apply-run.js'
import { classifyOutcome, classifyProblem } from './ends.js'
import { openRunSite, type RunSite, type StepContext, waitForTurn, withSite } from './run-ports.js'
import { type EventReceiver, readLastWritten } from './run-reporter.js'

const phaseAfterPlan = { create: 'configure', resume: 'wait', 'no-op': 'update' } as const

/** Observes the site and decides the first phase. Sends only GET requests. */
export function planStep(current: WorkflowState, step: StepContext): Promise<StepOutcome> {
  return withSite(step, async ({ site, request }) => {
    const reply = await planOpened(site, { ...request, signal: step.stop })
    if (!reply.ok) return classifyProblem(reply.error, step.order)
    const { value: made } = reply
    const [configure] = made.plan.actions
    const phase = configure?.operation === 'configure' ? phaseAfterPlan[configure.change] : 'update'
    return continueWith(phase, await readFacts(current.standing, site.state, made))
  })
}

/** Long enough for consecutive polls to agree; a longer wait goes back to the wait phase. */
const shortMs = 60_000

/**
 * Plans again and performs the plan as `landform apply` does, with the same submission intent, order of steps and receipt.
 * Configure ends when the service has the request; update verifies that the site is ready, and never waits long.
 */
export function performStep(current: WorkflowState, step: StepContext): Promise<StepOutcome> {
  const { order, stop, pollMs, reporter } = step
  const waitOptions = current.phase === 'configure' ? { detach: true, timeoutMs: 0 } : { timeoutMs: shortMs }
  return withSite(step, async ({ site, request }) => {
    const reply = await planOpened(site, { ...request, signal: stop })
    if (!reply.ok) return classifyProblem(reply.error, order)
    const { timings } = current.standing
    const options = {
      ...waitOptions,
      ...(pollMs !== undefined && { pollMs }),
      ...(timings !== undefined && { timings }),
      signal: stop,
    }
    const receiver = current.phase === 'update' ? withoutPollEvents(reporter) : reporter
    const send = () => reportStream(applySite(reply.value, options), receiver)
    const { outcome } = await (current.phase === 'configure' ? waitForTurn(step, 'send', send) : send())
    return needsWatching(outcome)
      ? continueWith('wait', await readFacts(current.standing, site.state, reply.value))
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

/** True if watching the site shows the outcome. */
function needsWatching(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return outcome.operation === 'configure'
  return outcome.kind === 'in-progress' && outcome.because !== 'not-allowed'
}

function continueWith(phase: Phase, facts: ConfigurationFacts): StepOutcome {
  return { kind: 'next', phase, standing: facts }
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
  const { version } = plan.binds.site
  const shows = plan.binds.site.state === 'in-progress' || plan.binds.site.state === 'ready'
  const begun = before.begun || shows || (submission !== undefined && hasBegun(submission))
  const isOpen = submission !== undefined && isPending(submission) && submission.state !== 'acknowledged'
  return {
    isOpen: !begun && (isOpen || !newest.ok),
    begun,
    ...(before.timings !== undefined && { timings: before.timings }),
    ...(version !== null && /^[\d.]{1,20}$/.test(version) && { version }),
  }
}

/** Runs a stream to its end, reports each event, and returns the result of the stream. */
export async function reportStream<R>(
  stream: AsyncGenerator<ApplyEvent, R>,
  receiver: EventReceiver,
): Promise<R> {
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

/** Watches a configuration in short steps, as one wait within this process. */
export interface SiteWatcher {
  /** Watches for a while, or to the end. Sends only GET requests, and writes nothing to the state except a failure. */
  watch(current: WorkflowState): Promise<StepOutcome>
  close(): Promise<void>
}

/**
 * Maximum duration of a step. A step can end only at a heartbeat, which comes every 30 seconds: so none takes longer than
 * five minutes.
 */
const maxStepMs = 4.5 * 60_000

/** The data of a long wait. It keeps no manifest, because a worker waits for hundreds of sites. */
interface ActiveWait {
  readonly stream: AsyncGenerator<ApplyEvent, WaitEnd>
  readonly state: StateStore
  release(): void
}

export function createSiteWatcher(step: StepContext): SiteWatcher {
  const { order, clock, reporter } = step
  let wait: ActiveWait | undefined
  const close = async () => {
    await wait?.stream.return(undefined as never)
    wait?.release()
    wait = undefined
  }
  return {
    close,
    async watch(current) {
      if (wait === undefined) {
        const opened = await openRunSite(order, step)
        if (!opened.ok) return opened.error
        const { value: open } = opened
        wait = {
          stream: await openStream(open, current, step),
          state: open.site.state,
          release: open.close,
        }
      }
      const { stream, state } = wait
      const untilMs = clock.monotonicMs() + maxStepMs
      let facts = current.standing
      for (;;) {
        const seen = await stream.next()
        if (seen.done === true) {
          await close()
          return classifyWaitEnd(seen.value, { state, step, standing: facts })
        }
        await reporter.report(seen.value)
        if (seen.value.type === 'configure-begun') facts = { ...facts, isOpen: false, begun: true }
        if (clock.monotonicMs() >= untilMs) return { kind: 'next', phase: 'wait', standing: facts }
      }
    },
  }
}

async function openStream(
  { site, client }: RunSite,
  current: WorkflowState,
  step: StepContext,
): Promise<ActiveWait['stream']> {
  const { order, clock, runLog, stop, pollMs = defaultPollMs(site.url) } = step
  const { begun, version } = current.standing
  const passedMs = clock.now() - (current.startedAt ?? clock.now())
  const { stages } = await readLastWritten(runLog)
  const submission = await readSubmission(site.state)
  const how = {
    reader: client,
    clock,
    random: step.random,
    waitOptions: { pollMs, timeoutMs: Math.max(0, order.timeoutMs - passedMs) },
    stages,
    begun,
    isAnswered: submission !== undefined && isAnswered(submission),
    marks: version === undefined ? [] : [{ version }],
  }
  return followSite(site, how, stop)
}

interface EndContext {
  readonly state: StateStore
  readonly step: StepContext
  readonly standing: ConfigurationFacts
}

async function classifyWaitEnd(
  end: WaitEnd,
  { state, step, standing: facts }: EndContext,
): Promise<StepOutcome> {
  const { order, clock } = step
  if (end.kind === 'ready') {
    const timings = selectTimings(end.timings, facts.timings)
    return { kind: 'next', phase: 'update', standing: { ...facts, isOpen: false, begun: true, timings } }
  }
  if (end.kind === 'failed') {
    const { message, stages } = end.observed
    await recordFailure(state, clock)
    return classifyOutcome({ kind: 'site-failed', message: message ?? '', stages }, order)
  }
  const request = describeRequest(await readSubmission(state))
  return classifyOutcome(toOpenOutcome(end, { accepted: !facts.isOpen, ...request }), order)
}

/** Reads the submission of a site; `undefined` where there is none, or the state cannot be read. */
async function readSubmission(state: StateStore) {
  const newest = await state.read()
  return newest.ok ? newest.value?.submission : undefined
}
