import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Signed-in readers, identified by a random number. */
export interface PageSessions {
  /** Checks a token; `'busy'` for a wrong one if too many are being checked. */
  checkToken(token: string): Promise<boolean | 'busy'>
  /** Starts a session for a reader with the token. */
  begin(): string
  isKnown(session: string): boolean
  /** Ends a session: its cookie opens nothing any more, wherever it has been copied to. */
  end(session: string): void
}

export interface PageSessionOptions {
  /** SHA-256 of the token. */
  readonly digest: Uint8Array
  now(): number
  wait(milliseconds: number): Promise<void>
}

const sessionMs = 12 * 60 * 60_000
const maxSessions = 1000
const wrongTokenDelayMs = 1000
const maxWrongAtOnce = 8

/**
 * Keeps only digests, so that the memory of this process does not open the page. A wrong token is answered after a second,
 * and only few of them at once.
 */
export function createSessions({ digest, now, wait }: PageSessionOptions): PageSessions {
  const known = new Map<string, number>()
  let wrong = 0
  return {
    async checkToken(token) {
      // Checked before the limit: guessers cannot lock users out, and the token is too long to guess.
      if (timingSafeEqual(computeSha256(token), digest)) return true
      if (wrong >= maxWrongAtOnce) return 'busy'
      wrong += 1
      await wait(wrongTokenDelayMs)
      wrong -= 1
      return false
    },
    begin() {
      const session = randomBytes(32).toString('base64url')
      known.set(computeKey(session), now() + sessionMs)
      const [oldest] = known.keys()
      if (known.size > maxSessions && oldest !== undefined) known.delete(oldest)
      return session
    },
    isKnown: session => (known.get(computeKey(session)) ?? Number.NEGATIVE_INFINITY) > now(),
    end: session => void known.delete(computeKey(session)),
  }
}

/** Computes the stored digest of a token. */
export function computeSha256(text: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(text).digest()
}

function computeKey(session: string): string {
  return Buffer.from(computeSha256(session)).toString('base64')
}
