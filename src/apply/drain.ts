import { isPending, type MachineTime, type Submission } from '../plan/submission.js'
import type { Clock } from './clock.js'

/**
 * Since when the time counts in which the request may still arrive: since now; since an earlier call on this run of this
 * machine; since then by the clock of the site, for which less time has passed; since now, for an earlier call counted by
 * other clocks; or in each call alone, for the system tells nothing of itself.
 */
export type DrainCount = 'begins' | 'goes-on' | 'goes-on-by-site' | 'begins-anew' | 'each-call'

/** The clocks that the time is counted by. */
export interface Moment {
  readonly machine: MachineTime | undefined
  readonly siteMs?: number | undefined
}

/** What tells the time. */
export interface Clocks {
  readonly clock: Clock
  /** When it is by the clock of the site, in milliseconds since 1970 and whole seconds, where it tells. */
  siteDate(signal: AbortSignal): Promise<number | undefined>
}

/** Proxies and service may hold a request for so long before it arrives. */
const shortestDrainMs = 15 * 60_000
/** The date of a site has whole seconds, and the answers of two of its nodes may differ by some. */
const siteGraceMs = 5_000
/** After so long another date of a site tells another time, or its clock stands still. */
const siteTickMs = 2_000

/** Reads the clocks. Where that of the site is behind, and stands still, it does not count. */
export async function momentOf(
  submission: Submission,
  { clock, siteDate }: Clocks,
  signal: AbortSignal,
): Promise<Moment> {
  const machine = await clock.machineTime?.()
  const now = { machine, siteMs: await siteDate(signal) }
  if (drainOf(submission, now).count !== 'goes-on-by-site') return now
  await clock.sleep(siteTickMs, signal)
  const siteMs = await siteDate(signal)
  return siteMs === now.siteMs ? { machine } : { machine, siteMs }
}

/**
 * Tells how long the request may still be under way, in milliseconds, and since when that is counted; 0 where it was
 * answered, or has had its time. That is counted by the clock of this machine that only grows, from the first call that wanted
 * to take the request back: nobody sets that clock, and those of two machines are never compared. What the site tells of the
 * time is one witness more: it can only make the wait longer.
 */
export function drainOf(
  submission: Submission,
  { machine, siteMs }: Moment,
): { readonly remainingMs: number; readonly count: DrainCount } {
  if (!isPending(submission)) return { remainingMs: 0, count: 'goes-on' }
  const wholeMs = Math.max(submission.deadlineMs, shortestDrainMs)
  const { drain } = submission
  if (machine === undefined) return { remainingMs: wholeMs, count: 'each-call' }
  if (drain === undefined) return { remainingMs: wholeMs, count: 'begins' }
  const passedMs = machine.ms - drain.since.ms
  const bySite =
    siteMs === undefined || drain.siteDate === undefined
      ? Number.POSITIVE_INFINITY
      : siteMs - Date.parse(drain.siteDate) + siteGraceMs
  // A machine that was put back to an earlier moment has not waited since a later one; nor is a site's clock, set back, one.
  if (drain.since.of !== machine.of || passedMs < 0 || bySite < 0)
    return { remainingMs: wholeMs, count: 'begins-anew' }
  return {
    remainingMs: Math.max(0, wholeMs - Math.min(passedMs, bySite)),
    count: bySite < Math.min(passedMs, wholeMs) ? 'goes-on-by-site' : 'goes-on',
  }
}
