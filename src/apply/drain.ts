import { isPending, type MachineTime, type Submission } from '../plan/submission.js'
import type { Clock } from './clock.js'

/**
 * The start of the time in which the request may still arrive:
 * - `begins`: now
 * - `goes-on`: an earlier call since this machine started
 * - `goes-on-by-site`: the same, by the clock of the site, on which less time has passed
 * - `begins-anew`: now, since an earlier call was counted by other clocks
 * - `each-call`: each call by itself, since the system has no such clock
 */
export type DrainCount = 'begins' | 'goes-on' | 'goes-on-by-site' | 'begins-anew' | 'each-call'

/** Readings of the clocks that count the time. */
export interface Moment {
  readonly machine: MachineTime | undefined
  readonly siteMs?: number | undefined
}

/** The sources of time. */
export interface Clocks {
  readonly clock: Clock
  /** Reads the clock of the site, in milliseconds since 1970 and whole seconds; `undefined` if the site does not report it. */
  siteDate(signal: AbortSignal): Promise<number | undefined>
}

/** A submission intent, before it is discarded. Proxies and the service may hold its request for as long. */
const drainPeriodMs = 15 * 60_000
/** Tolerance for the date of a site: it has whole seconds, and the site's nodes may differ. */
const siteGraceMs = 5_000
/** A date of the site that is still the same after this time means that its clock is stopped. */
const siteTickMs = 2_000

/** Reads the clocks. A clock of the site that is behind is read twice, and ignored if it is stopped. */
export async function readMoment(
  submission: Submission,
  { clock, siteDate }: Clocks,
  signal: AbortSignal,
): Promise<Moment> {
  const machine = await clock.machineTime?.()
  const now = { machine, siteMs: await siteDate(signal) }
  if (computeDrain(submission, now).count !== 'goes-on-by-site') return now
  await clock.sleep(siteTickMs, signal)
  const siteMs = await siteDate(signal)
  return siteMs === now.siteMs ? { machine } : { machine, siteMs }
}

/**
 * Computes for how long the request may still be under way, in milliseconds, and the start of the count; 0 for a request that
 * has a response or whose time is over. The monotonic clock of this machine counts the time, from the first call to discard
 * the request: that clock cannot be set, and the clocks of two machines are never compared. The clock of the site is a second
 * source, which can only make the wait longer.
 */
export function computeDrain(
  submission: Submission,
  { machine, siteMs }: Moment,
): { readonly remainingMs: number; readonly count: DrainCount } {
  if (!isPending(submission)) return { remainingMs: 0, count: 'goes-on' }
  const wholeMs = Math.max(submission.deadlineMs, drainPeriodMs)
  const { drain } = submission
  if (machine === undefined) return { remainingMs: wholeMs, count: 'each-call' }
  if (drain === undefined) return { remainingMs: wholeMs, count: 'begins' }
  const passedMs = machine.ms - drain.since.ms
  const bySite =
    siteMs === undefined || drain.siteDate === undefined
      ? Number.POSITIVE_INFINITY
      : siteMs - Date.parse(drain.siteDate) + siteGraceMs
  // A machine restored to an earlier snapshot has not waited since then; a site's clock that was set back proves nothing.
  if (drain.since.of !== machine.of || passedMs < 0 || bySite < 0)
    return { remainingMs: wholeMs, count: 'begins-anew' }
  return {
    remainingMs: Math.max(0, wholeMs - Math.min(passedMs, bySite)),
    count: bySite < Math.min(passedMs, wholeMs) ? 'goes-on-by-site' : 'goes-on',
  }
}
