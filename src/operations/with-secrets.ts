import { isTokenRejection } from '../client/site-token.js'
import type { NeededSecret } from '../secrets/needed-references.js'
import { resolve, wipeAll } from '../secrets/resolve.js'
import { Secret, type Secrets } from '../secrets/secret.js'
import type { DeleteOutcome, ExportOutcome, UnsentOutcome } from './outcome.js'
import type { OneShotOptions, OneShotPorts } from './ports.js'

interface CallContext<T> {
  readonly ports: OneShotPorts
  readonly options: OneShotOptions
  /** True if nothing was done, so that a repetition with newer secrets is safe. */
  mayRepeat?(result: NoInfer<T>): boolean
}

/**
 * Runs one call with its secrets, which are wiped in any case; sends nothing if one is missing. Repeats the call once if
 * that is allowed and the secrets have changed since.
 */
export async function withSecrets<T>(
  wanted: readonly (NeededSecret | undefined)[],
  { ports, options, mayRepeat }: CallContext<T>,
  call: (secrets: Secrets) => Promise<T>,
): Promise<T | UnsentOutcome> {
  const named = wanted.filter(one => one !== undefined)
  const resolved = await resolve(named, ports.secrets)
  if (!resolved.ok) return { kind: 'references', diagnostics: resolved.error }
  // The call wipes the secrets it gets.
  const sent = mayRepeat === undefined ? new Map() : copySecrets(resolved.value.secrets)
  try {
    if (options.signal.aborted) return { kind: 'interrupted' }
    const result = await call(resolved.value.secrets)
    if (options.signal.aborted || mayRepeat?.(result) !== true) return result
    const renewed = await resolve(named, ports.secrets)
    if (!renewed.ok) return result
    try {
      return areSame(renewed.value.secrets, sent) ? result : await call(renewed.value.secrets)
    } finally {
      wipeAll(renewed.value.secrets)
    }
  } finally {
    wipeAll(resolved.value.secrets)
    wipeAll(sent)
  }
}

/** Options that nothing cancels: a request that is cut off half-way has an unknown outcome. */
export function withoutCancellation({ deadlineMs }: OneShotOptions): OneShotOptions {
  return { deadlineMs, signal: new AbortController().signal }
}

/** True if the token was rejected, so that nothing was done. */
export function isTokenRejected(outcome: ExportOutcome | DeleteOutcome): boolean {
  return outcome.kind === 'not-taken' && isTokenRejection(outcome.failure)
}

function copySecrets(secrets: Secrets): Secrets {
  return new Map([...secrets].map(([pointer, { bytes }]) => [pointer, new Secret(Buffer.from(bytes))]))
}

function areSame(some: Secrets, others: Secrets): boolean {
  return [...some].every(([pointer, { bytes }]) => others.get(pointer)?.bytes.equals(bytes) === true)
}
