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
  const { failure } = reply
  return {
    ok: false,
    failure: {
      exitCode: exitCodeOfFailure(failure),
      message: `looking at ${url} failed: ${describeFailure(failure)}`,
      next: 'check the address of the site, and that it can be reached from here',
    },
  }
}
