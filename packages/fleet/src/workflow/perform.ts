import { type ApplyEvent, applySite, type Outcome, type PlannedSite, type StateStore } from 'landform'
import { planOpened } from 'landform/sites'
import { hasBegun, isPending } from 'landform/state'
import type { Phase } from '../model/run.js'
import { classifyOutcome, classifyProblem } from './ends.js'
import { reportStream } from './report-stream.js'
import { waitForTurn } from './run-ports.js'
import type { EventReceiver } from './run-reporter.js'
import { type StepContext, withSite } from './step-context.js'
import type { ConfigurationFacts, StepOutcome, WorkflowState } from './workflow-state.js'

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
