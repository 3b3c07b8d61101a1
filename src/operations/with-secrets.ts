import { resolve, type Secrets, wipeAll } from '../secrets/resolve.js'
import type { WantedSecret } from '../secrets/wanted.js'
import type { Unsent } from './outcome.js'
import type { OneShotOptions, OneShotPorts } from './ports.js'

/** Runs one call with its secrets, which are wiped whatever becomes of it; nothing is sent where one is missing. */
export async function withSecrets<T>(
  wanted: readonly (WantedSecret | undefined)[],
  { ports, options }: { readonly ports: OneShotPorts; readonly options: OneShotOptions },
  call: (secrets: Secrets) => Promise<T>,
): Promise<T | Unsent> {
  const resolved = await resolve(
    wanted.filter(one => one !== undefined),
    ports.secrets,
  )
  if (!resolved.ok) return { kind: 'references', diagnostics: resolved.diagnostics }
  try {
    if (options.signal.aborted) return { kind: 'interrupted' }
    return await call(resolved.secrets)
  } finally {
    wipeAll(resolved.secrets)
  }
}

/** Once a request is under way nothing stops it: one that is cut off half-way has an unknown outcome. */
export function unstoppable({ deadlineMs }: OneShotOptions): OneShotOptions {
  return { deadlineMs, signal: new AbortController().signal }
}
