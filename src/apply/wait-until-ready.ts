import type { ServiceFailure } from '../client/failure.js'
import type { SiteReader } from '../client/site-reader.js'
import { knownStage } from '../contract/stages.js'
import type { Observation, StageRecord } from '../plan/observation.js'
import type { ApplyEvent } from './event.js'
import type { Clock, Patience } from './ports.js'

/** How a wait ended. */
export type WaitEnd =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly observed: Observation & { readonly kind: 'failed' } }
  /** The site keeps saying that nothing was begun. */
  | { readonly kind: 'not-begun' }
  /** The time is up. `last` is the last that was seen of the site, if anything was. */
  | { readonly kind: 'timeout'; readonly last: Observation | undefined }
  | { readonly kind: 'interrupted' }

export interface Waiting {
  readonly reader: Pick<SiteReader, 'observe'>
  readonly clock: Clock
  readonly patience: Patience
  random(): number
  /** What is known of the stages before the first look. */
  readonly stages: readonly StageRecord[]
}

const heartbeatMs = 30_000
/** One answer may come from a node that is behind: a final word is believed when it is said twice. */
const believedAfter = 2
/** How long a submitted configuration may stay invisible before that is a finding. */
const invisibleMs = 60_000

/** Looks at the site until it is ready or something else is certain; only ever reads. Service §2.3, §3. */
export async function* waitUntilReady(
  waiting: Waiting,
  signal: AbortSignal,
): AsyncGenerator<ApplyEvent, WaitEnd> {
  const { reader, clock, patience } = waiting
  const startedMs = clock.monotonicMs()
  const elapsed = () => clock.monotonicMs() - startedMs
  let stages = waiting.stages
  let newsMs = 0
  let last: Observation | undefined
  let complaint: ServiceFailure | undefined
  let repeated = 0
  let notBegunSinceMs: number | undefined
  while (!signal.aborted) {
    const reply = await reader.observe(signal)
    if (signal.aborted) break
    if (!reply.ok) {
      if (JSON.stringify(reply.failure) !== JSON.stringify(complaint)) {
        yield failedLook(reply.failure, elapsed())
        newsMs = elapsed()
      }
      complaint = reply.failure
      repeated = 0
    } else {
      const observed = reply.value
      complaint = undefined
      repeated = last?.kind === observed.kind ? repeated + 1 : 1
      last = observed
      const changed = changesBetween(stages, observed.stages)
      if (changed.length > 0) {
        stages = observed.stages
        newsMs = elapsed()
        yield { type: 'stages-changed', changed, stages, elapsedMs: newsMs }
      }
      if (observed.kind === 'ready' && repeated >= believedAfter) {
        yield { type: 'site-ready', elapsedMs: elapsed(), warnings: observed.warnings }
        return { kind: 'ready' }
      }
      if (observed.kind === 'failed' && repeated >= believedAfter) return { kind: 'failed', observed }
      notBegunSinceMs = observed.kind === 'not-configured' ? (notBegunSinceMs ?? elapsed()) : undefined
      if (notBegunSinceMs !== undefined && elapsed() - notBegunSinceMs >= invisibleMs)
        return { kind: 'not-begun' }
    }
    if (elapsed() >= patience.timeoutMs) return { kind: 'timeout', last }
    if (elapsed() - newsMs >= heartbeatMs) {
      newsMs = elapsed()
      yield { type: 'heartbeat', stages, elapsedMs: newsMs, ...(complaint && { failure: complaint }) }
    }
    const spread = 0.9 + waiting.random() * 0.2
    await clock.sleep(Math.min(patience.pollMs * spread, patience.timeoutMs - elapsed()), signal)
  }
  return { kind: 'interrupted' }
}

function failedLook(failure: ServiceFailure, elapsedMs: number): ApplyEvent {
  return { type: 'observation-failed', failure, elapsedMs }
}

/** The stages that are in another state than before, by whichever spelling the service uses this time. */
function changesBetween(before: readonly StageRecord[], after: readonly StageRecord[]) {
  const known = new Map(before.map(({ name, state }) => [knownStage(name) ?? name, state]))
  const former = ({ name }: StageRecord) => known.get(knownStage(name) ?? name) ?? null
  return after
    .filter(stage => former(stage) !== stage.state)
    .map(stage => ({ ...stage, from: former(stage) }))
}
