/** Tracks for how long a process was silent, by its own clock. */
export interface Freshness {
  /** Sends a heartbeat and returns whether it was accepted. */
  heartbeat(send: () => Promise<boolean>): Promise<boolean>
  /** Detects suspension: called several times per lease, it notices missing time. */
  checkClock(): void
  /**
   * True if no other process can have taken the sites of this one. Without a connection the server may be unreachable, so
   * that no process takes any; but a process that was suspended may have lost the connection because it was declared dead,
   * and is not fresh until its next accepted heartbeat.
   */
  isFresh(isConnected: boolean): boolean
}

interface LeaseClock {
  readonly leaseMs: number
  now(): number
  /** Time just before its first heartbeat. */
  readonly startedMs: number
}

export function trackFreshness({ leaseMs, now, startedMs }: LeaseClock): Freshness {
  let heartbeatMs = startedMs
  let checkedMs = startedMs
  let wasSuspended = false
  const checkClock = () => {
    const time = now()
    wasSuspended ||= time - checkedMs >= leaseMs
    checkedMs = time
  }
  return {
    checkClock,
    async heartbeat(send) {
      // Other processes count from a later time than this one.
      const before = now()
      const isAccepted = await send()
      if (isAccepted) {
        heartbeatMs = before
        checkedMs = before
        wasSuspended = false
      }
      return isAccepted
    },
    isFresh(isConnected) {
      checkClock()
      return !wasSuspended && (!isConnected || now() - heartbeatMs < leaseMs)
    },
  }
}
