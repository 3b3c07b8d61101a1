import type { ServiceFailure } from '../client/failure.js'
import { siteReader } from '../client/site-client.js'
import type { Observation } from '../plan/observation.js'
import { describeFailure } from '../report/failure-text.js'
import { exitCodeOfFailure } from './exit-code.js'
import type { Failure } from './output.js'

/** Looks at a site once, with a client that can only look. */
export async function observe(
  url: string,
  signal: AbortSignal,
): Promise<
  { readonly ok: true; readonly observed: Observation } | { readonly ok: false; readonly failure: Failure }
> {
  const reply = await siteReader(url).observe(signal)
  if (reply.ok) return { ok: true, observed: reply.value }
  return { ok: false, failure: lookFailed(url, reply.failure) }
}

/** A look at a site that came to nothing. */
export function lookFailed(url: string, failure: ServiceFailure): Failure {
  return {
    exitCode: exitCodeOfFailure(failure),
    message: `looking at ${url} failed: ${describeFailure(failure)}`,
    next:
      failure.kind === 'unauthorized'
        ? 'this site asks for a token even to be looked at, and Landform sends none there yet'
        : 'check the address of the site, and that it can be reached from here',
  }
}
