/** What a process knows of how long it was silent, by its own clock. */
export interface Freshness {
  /** Asks the others to hear of the process; answers whether they did. */
  heard(ask: () => Promise<boolean>): Promise<boolean>
  /** Called several times a lease: a process that stood still finds the time that is missing. */
  look(): void
  /**
   * Whether nobody can have taken its sites. Without a connection the server may be away, so that nobody takes any; but a
   * process that stood still may have lost it because it was found dead, and is not fresh until it was heard of again.
   */
  isFresh(isConnected: boolean): boolean
}

interface Lease {
  readonly leaseMs: number
  now(): number
  /** Just before it was heard of first. */
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
      // What others go by is later than the time before it was asked for.
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
