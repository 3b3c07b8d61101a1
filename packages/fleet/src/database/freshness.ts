/** Tracks for how long a process was silent, by its own clock. */
export interface Freshness {
  /** Sends a heartbeat and returns whether it was accepted. */
  heard(ask: () => Promise<boolean>): Promise<boolean>
  /** Detects suspension: called several times per lease, it notices missing time. */
  look(): void
  /**
   * True if no other process can have taken the sites of this one. Without a connection the server may be unreachable, so
   * that no process takes any; but a process that was suspended may have lost the connection because it was declared dead,
   * and is not fresh until its next accepted heartbeat.
   */
  isFresh(isConnected: boolean): boolean
}

interface Lease {
  readonly leaseMs: number
  now(): number
  /** Time just before its first heartbeat. */
  readonly beatMs: number
}

export function freshness({ leaseMs, now, beatMs }: Lease): Freshness {
  let heardMs = beatMs
  let lookedMs = beatMs
  let stoodStill = false
  const look = () => {
    const time = now()
    stoodStill ||= time - lookedMs >= leaseMs
    lookedMs = time
  }
  return {
    look,
    async heard(ask) {
      // Other processes count from a later time than this one.
      const before = now()
      const isHeard = await ask()
      if (isHeard) {
        heardMs = before
        lookedMs = before
        stoodStill = false
      }
      return isHeard
    },
    isFresh(isConnected) {
      look()
      return !stoodStill && (!isConnected || now() - heardMs < leaseMs)
    },
  }
}
