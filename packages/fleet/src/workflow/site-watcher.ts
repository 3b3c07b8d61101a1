import type { ApplyEvent, StateStore } from 'landform'
import {
  defaultPollMs,
  describeRequest,
  followSite,
  recordFailure,
  selectTimings,
  toOpenOutcome,
  type WaitEnd,
} from 'landform/sites'
import { isAnswered } from 'landform/state'
import { classifyOutcome } from './ends.js'
import { openRunSite, type RunSite } from './open-run-site.js'
import { readLastWritten } from './run-reporter.js'
import type { StepContext } from './step-context.js'
import type { ConfigurationFacts, StepOutcome, WorkflowState } from './workflow-state.js'

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
