import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Signed-in readers, identified by a random number. */
export interface Sessions {
  /** Checks a token; `'busy'` for a wrong one if too many are being checked. */
  knows(token: string): Promise<boolean | 'busy'>
  /** Starts a session for a reader with the token. */
  begin(): string
  isKnown(session: string): boolean
}

export interface SessionOptions {
  /** SHA-256 of the token. */
  readonly digest: Uint8Array
  now(): number
  wait(milliseconds: number): Promise<void>
}

const lastsMs = 12 * 60 * 60_000
const sessionsAtMost = 1000
const wrongMs = 1000
const wrongAtOnce = 8

/**
 * Keeps only digests, so that the memory of this process does not open the page. A wrong token is answered after a second,
 * and only few of them at once.
 */
export function sessions({ digest, now, wait }: SessionOptions): Sessions {
  const known = new Map<string, number>()
  let wrong = 0
  return {
    async knows(token) {
      // Checked before the limit: guessers lock nobody out, and the token is too long to guess.
      if (timingSafeEqual(sha256(token), digest)) return true
      if (wrong >= wrongAtOnce) return 'busy'
      wrong += 1
      await wait(wrongMs)
      wrong -= 1
      return false
    },
    begin() {
      const session = randomBytes(32).toString('base64url')
      known.set(keyOf(session), now() + lastsMs)
      const [oldest] = known.keys()
      if (known.size > sessionsAtMost && oldest !== undefined) known.delete(oldest)
      return session
    },
    isKnown: session => (known.get(keyOf(session)) ?? Number.NEGATIVE_INFINITY) > now(),
  }
}

/** Computes the stored digest of a token. */
export function sha256(text: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(text).digest()
}

function keyOf(session: string): string {
  return Buffer.from(sha256(session)).toString('base64')
}
