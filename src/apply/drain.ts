import { isPending, type MachineTime, type Submission } from '../plan/submission.js'
import type { Clock } from './clock.js'

/**
 * The start of the time in which the request may still arrive: now; an earlier call since this machine started; the same
 * by the clock of the site, for which less time has passed; now, for an earlier call that was counted by other clocks; or
 * each call by itself, because the system has no such clock.
 */
export type DrainCount = 'begins' | 'goes-on' | 'goes-on-by-site' | 'begins-anew' | 'each-call'

/** The clocks that the time is counted by. */
export interface Moment {
  readonly machine: MachineTime | undefined
  readonly siteMs?: number | undefined
}

/** The sources of time. */
export interface Clocks {
  readonly clock: Clock
  /** The time by the clock of the site, in milliseconds since 1970 and whole seconds, where the site reports it. */
  siteDate(signal: AbortSignal): Promise<number | undefined>
}

/** A submission intent that is to be discarded: proxies and the service may hold its request for as long. */
const drainPeriodMs = 15 * 60_000
/** The date of a site has whole seconds, and the answers of two of its nodes may differ by some. */
const siteGraceMs = 5_000
/** A date of the site that is the same after this time shows a clock that does not run. */
const siteTickMs = 2_000

/** Reads the clocks. A clock of the site that is behind and stands still does not count. */
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
 * Computes for how long the request may still be under way, in milliseconds, and the start of the count; 0 for a request
 * that was answered or has had its time. The time is counted by the monotonic clock of this machine, from the first call
 * to discard the request: nobody sets that clock, and those of two machines are never compared. The clock of the site is a
 * second source, which can only make the wait longer.
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
  // A machine that was put back to an earlier moment has not waited since a later one; nor is a site's clock, set back, one.
  if (drain.since.of !== machine.of || passedMs < 0 || bySite < 0)
    return { remainingMs: wholeMs, count: 'begins-anew' }
  return {
    remainingMs: Math.max(0, wholeMs - Math.min(passedMs, bySite)),
    count: bySite < Math.min(passedMs, wholeMs) ? 'goes-on-by-site' : 'goes-on',
  }
}
