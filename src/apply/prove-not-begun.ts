import type { ServiceFailure } from '../client/failure.js'
import type { SiteReader } from '../client/site-client.js'
import { isSilent, type Observation } from '../plan/observation.js'
import type { Clock } from './clock.js'

/** A single response may come from a node that lags behind, and a new configuration shows late. */
const requiredAnswers = 4
/** A site, to prove that no configuration has begun. This takes several responses, because a configuration may show late. */
const pollMs = 20_000
/** Polls for the same proof without a response, or without a state in it. They prove nothing. */
const maxLostPolls = 12
/** The duration of all polls, if every one succeeds. */
export const notBegunMs = (requiredAnswers - 1) * pollMs

/** The result of the polls. */
type IdleProof =
  | { readonly kind: 'not-begun' }
  /** The site shows another state than that before a configuration. */
  | { readonly kind: 'shows'; readonly observed: Observation }
  /** Too many polls had no response, or one without a state; `failure` is that of the last poll, if it had no response. */
  | { readonly kind: 'lost'; readonly looks: number; readonly failure?: ServiceFailure }
  | { readonly kind: 'interrupted' }

interface ProofOptions {
  readonly signal: AbortSignal
  /** The required number of responses; by default, as many as take a minute. */
  readonly answers?: number
}

/**
 * Polls the site for a minute, to verify that it keeps reporting that no configuration has begun. This alone is no proof: a
 * request that is still under way does not show.
 */
export async function proveNotBegun(
  { client, clock }: { readonly client: Pick<SiteReader, 'observe'>; readonly clock: Clock },
  { signal, answers = requiredAnswers }: ProofOptions,
): Promise<IdleProof> {
  let answered = 0
  let lost = 0
  for (;;) {
    const seen = await client.observe(signal)
    if (signal.aborted) return { kind: 'interrupted' }
    if (seen.ok && seen.value.kind !== 'not-configured') return { kind: 'shows', observed: seen.value }
    if (seen.ok && !isSilent(seen.value)) answered += 1
    else lost += 1
    if (answered === answers) return { kind: 'not-begun' }
    if (lost > maxLostPolls || (!seen.ok && seen.error.kind === 'unauthorized'))
      return { kind: 'lost', looks: lost, ...(!seen.ok && { failure: seen.error }) }
    await clock.sleep(pollMs, signal)
    if (signal.aborted) return { kind: 'interrupted' }
  }
}
