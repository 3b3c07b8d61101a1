import { newLine } from '../client/line.js'
import type { Line, SiteReader } from '../client/site-client.js'
import type { StageRecord } from '../plan/observation.js'
import type { StageTiming } from '../plan/submission.js'
import type { Clock, WaitOptions } from './clock.js'
import type { ApplyEvent } from './event.js'
import type { Unfinished, WaitEnd } from './outcome.js'
import { pauseMs } from './wait/pace.js'
import type { SiteMark } from './wait/site-mark.js'
import { timingsOf } from './wait/timings.js'
import { verdictOn } from './wait/verdict.js'
import { wakingTime } from './wait/waking-time.js'
import { leftMs, newWatch, type Watch, watchAfter } from './wait/watch.js'

export interface Waiting {
  readonly reader: Pick<SiteReader, 'observe'>
  readonly clock: Clock
  readonly patience: WaitOptions
  random(): number
  /** The stages as they were before the first poll. */
  readonly stages: readonly StageRecord[]
  /** True where the configuration is known to have begun, so that a site that shows none has lost it. */
  readonly begun?: boolean
  /** By what the site was known before, in order: two that agree are its own. */
  readonly marks?: readonly SiteMark[]
  /** The stages of an earlier configuration, to estimate the time that is left. */
  readonly estimate?: readonly StageTiming[]
}

const heartbeatMs = 30_000
const stallMs = 15 * 60_000

/**
 * Polls the site until it is ready, has failed, or another end is certain; only reads. Time in which this process was
 * suspended is not counted. Service §2.3, §3.
 */
export async function* waitUntilReady(
  waiting: Waiting,
  signal: AbortSignal,
): AsyncGenerator<ApplyEvent, WaitEnd> {
  const line = newLine()
  try {
    return yield* waitOver(line, waiting, signal)
  } finally {
    line.close()
  }
}

async function* waitOver(
  line: Line,
  waiting: Waiting,
  signal: AbortSignal,
): AsyncGenerator<ApplyEvent, WaitEnd> {
  const { patience, begun = false, marks = [], estimate = [] } = waiting
  const known = { stages: waiting.stages, begun, marks, estimate, stallMs }
  const time = wakingTime(waiting.clock)
  let watch = newWatch(known)
  let newsMs = 0
  while (!signal.aborted) {
    const reply = await waiting.reader.observe(signal, line)
    if (signal.aborted) break
    const lookedMs = time.elapsedMs()
    const step = watchAfter(watch, reply, { elapsedMs: lookedMs, known })
    watch = step.watch
    if (!isPlainProgress(watch)) line.close()
    if (step.events.length > 0) newsMs = lookedMs
    yield* step.events
    const end = endOf(watch, lookedMs)
    if (end?.kind === 'ready')
      yield { type: 'site-ready', elapsedMs: lookedMs, warnings: warningsOf(watch), timings: end.timings }
    if (end !== undefined) return end
    if (lookedMs >= patience.timeoutMs)
      return { kind: 'timeout', last: watch.seen.last, ...unfinished(watch) }
    const untilMs = Math.min(lookedMs + pauseAfter(watch, waiting), patience.timeoutMs)
    for (;;) {
      const elapsedMs = time.elapsedMs()
      if (elapsedMs - newsMs >= heartbeatMs) {
        newsMs = elapsedMs
        yield heartbeat(watch, elapsedMs, leftMs(watch, known, elapsedMs))
      }
      if (signal.aborted || elapsedMs >= untilMs) break
      const lostMs = await time.sleep(Math.min(untilMs, newsMs + heartbeatMs) - elapsedMs, signal)
      if (lostMs > 0)
        yield { type: 'oddity', oddity: { kind: 'stood-still', ms: lostMs }, elapsedMs: time.elapsedMs() }
    }
  }
  return { kind: 'interrupted', ...unfinished(watch) }
}

/**
 * True if all polls so far show progress and nothing else. Otherwise the next poll uses another connection, because an end
 * is believed when two answers agree, and one connection may lead to one node that is behind.
 */
function isPlainProgress({ seen, failing }: Watch): boolean {
  return failing === undefined && seen.other === undefined && seen.said?.value === 'going-on'
}

function unfinished({ seen, failing }: Watch): Unfinished {
  return {
    begun: seen.begun,
    ...(failing && { failure: failing.failure }),
    ...(seen.wasSilent && { wasSilent: true }),
  }
}

function endOf({ seen, spans }: Watch, elapsedMs: number): WaitEnd | undefined {
  const verdict = verdictOn(seen, elapsedMs)
  if (verdict?.kind === 'ready') return { ...verdict, timings: timingsOf(spans) }
  return verdict?.kind === 'not-allowed' ? { ...verdict, begun: seen.begun } : verdict
}

function pauseAfter({ failing }: Watch, { patience, random }: Waiting): number {
  const { looks: failures = 0, failure } = failing ?? {}
  return pauseMs({ pollMs: patience.pollMs, failures, failure, random: random() })
}

function heartbeat(
  { stages, failing }: Watch,
  elapsedMs: number,
  left: { readonly leftMs?: number },
): ApplyEvent {
  return { type: 'heartbeat', stages, elapsedMs, ...left, ...(failing && { failure: failing.failure }) }
}

function warningsOf({ seen }: Watch): readonly string[] {
  return seen.last?.warnings ?? []
}
