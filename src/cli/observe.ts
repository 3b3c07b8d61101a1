import type { ServiceFailure } from '../client/failure.js'
import { siteReader } from '../client/site-reader.js'
import { tokenRemedy } from '../diagnostics/token-remedy.js'
import type { Observation } from '../plan/observation.js'
import { display } from '../report/display.js'
import { describeFailure } from '../report/failure-text.js'
import { exitCodeOfFailure } from './exit-code.js'
import type { Failure } from './output.js'
import type { Session } from './session.js'

/** Looks at a site once, with a client that can only look. */
export async function observe(
  { url, lendToken, manifest }: Session,
  signal: AbortSignal,
): Promise<
  { readonly ok: true; readonly observed: Observation } | { readonly ok: false; readonly failure: Failure }
> {
  const reply = await siteReader(url, lendToken).observe(signal)
  if (reply.ok) return { ok: true, observed: reply.value }
  const failure = lookFailed(url, reply.failure)
  if (reply.failure.kind !== 'unauthorized') return { ok: false, failure }
  const isAtHand = await lendToken(async token => token !== undefined)
  const next = tokenRemedy(manifest.site.token, isAtHand ? 'not-allowed' : 'no-token')
  return { ok: false, failure: { ...failure, next: display(next) } }
}

/** A look at a site that came to nothing. */
export function lookFailed(url: string, failure: ServiceFailure): Failure {
  return {
    exitCode: exitCodeOfFailure(failure),
    message: `looking at ${url} failed: ${describeFailure(failure)}`,
    next: 'check the address of the site, and that it can be reached from here',
  }
}
