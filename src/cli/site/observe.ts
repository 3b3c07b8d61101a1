import type { ServiceFailure } from '../../client/failure.js'
import { siteReader } from '../../client/site-reader.js'
import { signInRemedy, tokenRemedy } from '../../diagnostics/token-remedy.js'
import type { Observation } from '../../plan/observation.js'
import { display } from '../../report/display.js'
import { describeProblem } from '../../report/problem-text.js'
import type { Result } from '../../result.js'
import { exitCodeOfFailure } from '../exit-code.js'
import type { Failure } from '../terminal/output.js'
import type { Session } from './session.js'

/** Looks at a site once, with a client that can only look. */
export async function observe(session: Session, signal: AbortSignal): Promise<Result<Observation, Failure>> {
  const { url, route, lendToken } = session
  const reply = await siteReader(url, lendToken, route).observe(signal)
  if (reply.ok) return { ok: true, value: reply.value }
  return { ok: false, error: await unseenFailure(session, reply.error) }
}

/** A look at a site that came to nothing, and what to do about a token. */
export async function unseenFailure(session: Session, failure: ServiceFailure): Promise<Failure> {
  const failed = lookFailed(session.url, failure)
  const wantsSignIn = failure.kind === 'unauthorized' || failure.kind === 'sign-in-page'
  return wantsSignIn ? { ...failed, next: display(await remedyOf(session)) } : failed
}

async function remedyOf({ manifest, lendToken, tokenFrom }: Session): Promise<string> {
  const { token, signIn } = manifest.site
  if (tokenFrom === 'sign-in') return signInRemedy('signs-in')
  if (token === undefined && signIn !== undefined) return signInRemedy('only-looks')
  const isAtHand = await lendToken(async lent => lent !== undefined)
  return tokenRemedy(token, isAtHand ? 'not-allowed' : 'no-token')
}

/** A look at a site that came to nothing. */
export function lookFailed(url: string, failure: ServiceFailure): Failure {
  return {
    exitCode: exitCodeOfFailure(failure),
    message: describeProblem({ kind: 'look', url, failure }),
    next: 'check the address of the site, and that it can be reached from here',
  }
}
