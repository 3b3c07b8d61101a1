import { timingsKept, unsettled } from '../../../../src/apply/configure-site.js'
import type { ApplyEvent } from '../../../../src/apply/event.js'
import { noteFailed } from '../../../../src/apply/note-failed.js'
import type { WaitEnd } from '../../../../src/apply/outcome.js'
import { followSite } from '../../../../src/library/follow-site.js'
import { defaultPollMs } from '../../../../src/library/patience.js'
import type { StateStore } from '../../../../src/state/ports.js'
import type { Course, Found, Standing } from './course.js'
import { endOfOutcome } from './ends.js'
import type { OfStep } from './of-step.js'
import { openSiteOfRun, type SiteOfRun } from './open-site-of-run.js'
import { known } from './teller.js'

/** Watches a configuration in short steps, as one wait within this process. */
export interface Follower {
  /** Watches for a while, or to the end. Sends only GET requests, and writes nothing to the state except a failure. */
  look(current: Course): Promise<Found>
  close(): Promise<void>
}

/**
 * Maximum duration of a step. A step can end only at a heartbeat, which comes every 30 seconds: so none takes longer than
 * five minutes.
 */
const longestMs = 4.5 * 60_000

/** The data of a long wait. It keeps no manifest, because a worker waits for hundreds of sites. */
interface Wait {
  readonly stream: AsyncGenerator<ApplyEvent, WaitEnd>
  readonly state: StateStore
  letGo(): void
}

export function follower(step: OfStep): Follower {
  const { order, clock, told: reporter } = step
  let wait: Wait | undefined
  const close = async () => {
    await wait?.stream.return(undefined as never)
    wait?.letGo()
    wait = undefined
  }
  return {
    close,
    async look(current) {
      if (wait === undefined) {
        const opened = await openSiteOfRun(order, step)
        if (!opened.ok) return opened.error
        const { value: open } = opened
        wait = {
          stream: await streamFrom(open, current, step),
          state: open.site.state,
          letGo: open.close,
        }
      }
      const { stream, state } = wait
      const untilMs = clock.monotonicMs() + longestMs
      let facts = current.standing
      for (;;) {
        const seen = await stream.next()
        if (seen.done === true) {
          await close()
          return ended(seen.value, { state, step, standing: facts })
        }
        await reporter.tell(seen.value)
        if (seen.value.type === 'configure-begun') facts = { ...facts, isOpen: false, begun: true }
        if (clock.monotonicMs() >= untilMs) return { kind: 'next', phase: 'wait', standing: facts }
      }
    },
  }
}

async function streamFrom(
  { site, client }: SiteOfRun,
  current: Course,
  step: OfStep,
): Promise<Wait['stream']> {
  const { order, clock, diary: runLog, stop, pollMs = defaultPollMs(site.url) } = step
  const { begun, version } = current.standing
  const passedMs = clock.now() - (current.startedAt ?? clock.now())
  const { stages } = await known(runLog)
  const how = {
    reader: client,
    clock,
    random: step.random,
    patience: { pollMs, timeoutMs: Math.max(0, order.timeoutMs - passedMs) },
    stages,
    begun,
    marks: version === undefined ? [] : [{ version }],
  }
  return followSite(site, how, stop)
}

interface Ended {
  readonly state: StateStore
  readonly step: OfStep
  readonly standing: Standing
}

async function ended(end: WaitEnd, { state, step, standing: facts }: Ended): Promise<Found> {
  const { order, clock } = step
  if (end.kind === 'ready') {
    const timings = timingsKept(end.timings, facts.timings)
    return { kind: 'next', phase: 'update', standing: { ...facts, isOpen: false, begun: true, timings } }
  }
  if (end.kind === 'failed') {
    const { message, stages } = end.observed
    await noteFailed(state, { message, clock })
    return endOfOutcome({ kind: 'site-failed', message: message ?? '', stages }, order)
  }
  const newest = await state.read()
  const nonce = newest.ok ? newest.value?.submission?.nonce : undefined
  return endOfOutcome(unsettled(end, { accepted: !facts.isOpen, nonce }), order)
}
