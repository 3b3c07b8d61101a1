import type { Clock } from '../../apply/clock.js'
import type { Transport, TransportReply, TransportRequest } from '../../client/route.js'
import {
  countContentBytes,
  type RequestEnding,
  type SentAnswer,
  sliceContent,
} from '../../emulator/faults/ending.js'
import { mergeScenarios, type Scenario } from '../../emulator/scenarios/scenarios.js'
import { createSiteInProcess, type InProcessSite } from '../../emulator/site.js'
import { openLoaded } from '../../library/open-loaded.js'
import type { Site } from '../../library/site.js'
import { listNamedParameters, type Manifest } from '../../manifest/manifest.js'
import { normalizeSiteUrl } from '../../manifest/site-url.js'
import { memoryBackend } from '../../state/memory-backend.js'

/** The emulated site of a test, which lasts for all its runs. */
export interface RehearsedSite {
  readonly clock: VirtualClock
  /** Absent until a manifest gives the address of the site. */
  emulated(): InProcessSite | undefined
  /** Opens the site of a manifest, with stand-ins for secrets. */
  siteOf(manifest: Manifest): Promise<Site>
}

/** Creates a site in this process, with its own clock and state. Does not read the environment. */
export function createRehearsedSite(
  scenarios: readonly Scenario[],
  { policies }: Pick<Site, 'policies'>,
): RehearsedSite {
  const clock = virtualClock()
  const backend = memoryBackend()
  let emulated: InProcessSite | undefined
  let standIns = 0
  const random = () => {
    standIns += 1
    return `standin${standIns}`
  }
  return {
    clock,
    emulated: () => emulated,
    async siteOf(manifest) {
      const { version } = manifest.site
      const url = normalizeSiteUrl(manifest.site.url)
      const chosen = mergeScenarios(scenarios)
      const field = { ...chosen.field, anyToken: true }
      const accept = listNamedParameters(manifest.organization)
      emulated ??= createSiteInProcess({ version, accept, ...chosen, field, url, now: clock.now })
      const loaded = { manifest, sources: [], warnings: [], policies }
      const opened = await openLoaded<never>(loaded, {
        emulator: { url, transport: transportTo(emulated, clock) },
        chooseState: async () => ({ ok: true, value: { backend, open: async () => backend } }),
        environment: {},
        clock,
        random,
      })
      if (!opened.ok) throw new Error(`a site in this process has no route: ${opened.error.kind}`)
      // In a rehearsal, `openLoaded` drops the rules about plans, but a test needs them, as on a real site.
      return { ...opened.value, policies }
    },
  }
}

/**
 * Creates a transport to a site in this process. All delays pass on the clock of the test. A request that is held for
 * longer than its deadline is still delivered at its time.
 */
export function transportTo(site: InProcessSite, clock: VirtualClock): Transport {
  return async ({ method, target, headers, bytes, ...limits }) => {
    const { deadlineMs, signal } = limits
    const arrival = await site.arrive({ method, url: target, headers, bytes })
    const { heldMs } = arrival
    if (heldMs >= deadlineMs) {
      clock.later(heldMs, () => arrival.deliver())
      return tooLate(deadlineMs)
    }
    if (heldMs > 0) await clock.sleep(heldMs, signal)
    const ending = arrival.deliver()
    const leftMs = deadlineMs - heldMs
    const neededMs = computeDeliveryMs(ending)
    if (neededMs >= leftMs) return tooLate(leftMs)
    if (neededMs > 0) await clock.sleep(neededMs, signal)
    return ending.kind === 'answer'
      ? toTransported(ending, limits)
      : toLost(ending.end === 'reset' ? 'ECONNRESET' : closed)

    async function tooLate(milliseconds: number): Promise<TransportReply> {
      await clock.sleep(milliseconds, signal)
      return toLost('TIMEOUT')
    }
  }
}

/** The code of undici for a connection that ended early. */
const closed = 'UND_ERR_SOCKET'

function toLost(reason: string): TransportReply {
  return { kind: 'none', reason }
}

function toTransported(answer: SentAnswer, { maxBytes }: Pick<TransportRequest, 'maxBytes'>): TransportReply {
  const whole = countContentBytes(answer)
  const sent = Math.min(whole, answer.cutAfterBytes ?? whole)
  const announced = answer.announcedBytes ?? whole
  if (Math.min(sent, announced) > maxBytes) return toLost('ANSWER_TOO_LARGE')
  if (sent < announced) return toLost(closed)
  const { httpStatus: status, headers } = answer
  return { kind: 'answer', status, headers, bytes: Buffer.from(sliceContent(answer, 0, announced)) }
}

function computeDeliveryMs(ending: RequestEnding): number {
  if (ending.kind === 'silence') return ending.end === 'never' ? Number.POSITIVE_INFINITY : 0
  const { waitMs = 0, interim, bytesPerSecond } = ending
  const writingMs = bytesPerSecond === undefined ? 0 : (countContentBytes(ending) / bytesPerSecond) * 1000
  return waitMs + (interim === undefined ? 0 : interim.count * interim.everyMs) + writingMs
}

/** The clock of a test: each sleep advances the time for everything, and returns at once. */
interface VirtualClock extends Clock {
  /** Calls `work` once this time has passed. */
  later(milliseconds: number, work: () => void): void
  /** Aborted after `maxSleeps` sleeps, because the test might never end. */
  readonly spent: AbortSignal
}

/** Two days of polls and heartbeats. */
export const maxSleeps = 50_000
/** The number of sleeps between turns of the event loop, which receive signals. A turn costs as much as a few polls. */
const sleepsBetween = 100

/** An arbitrary fixed date, so that tests are deterministic. */
const start = Date.UTC(2026, 0, 2, 3, 4, 5)

/** Creates a clock at its start time. */
export function virtualClock(): VirtualClock {
  const spent = new AbortController()
  let sleeps = 0
  let elapsedMs = 0
  let waiting: readonly { readonly atMs: number; readonly work: () => void }[] = []
  return {
    spent: spent.signal,
    now: () => start + elapsedMs,
    monotonicMs: () => elapsedMs,
    async sleep(milliseconds, signal) {
      if (signal.aborted) return
      sleeps += 1
      if (sleeps % sleepsBetween === 0) await new Promise(resolve => setImmediate(resolve))
      if (sleeps > maxSleeps) return spent.abort()
      const untilMs = elapsedMs + Math.ceil(Math.max(0, milliseconds))
      const due = waiting.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)
      waiting = waiting.filter(({ atMs }) => atMs > untilMs)
      for (const { atMs, work } of due) {
        elapsedMs = Math.max(elapsedMs, atMs)
        work()
      }
      elapsedMs = untilMs
    },
    later(milliseconds, work) {
      waiting = [...waiting, { atMs: elapsedMs + milliseconds, work }]
    },
  }
}
