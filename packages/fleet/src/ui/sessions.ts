import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Who may read: those who knew the token lately, by a number that nobody guesses. */
export interface Sessions {
  /** Whether this is the token; `'busy'` for a wrong one of too many at once. */
  knows(token: string): Promise<boolean | 'busy'>
  /** A new number for who knows the token. */
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
 * Keeps digests alone, so that nothing of this process opens the page. A wrong token is answered after a second, and few of
 * them wait for that at once.
 */
export function sessions({ digest, now, wait }: SessionOptions): Sessions {
  const known = new Map<string, number>()
  let wrong = 0
  return {
    async knows(token) {
      // Before the limit: guessers lock nobody out, and the token is too long to be guessed.
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

/** What of a token is kept. */
export function sha256(text: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(text).digest()
}

function keyOf(session: string): string {
  return Buffer.from(sha256(session)).toString('base64')
}
