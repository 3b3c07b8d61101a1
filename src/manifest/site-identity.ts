import { normalizeSiteUrl } from './site-url.js'

/** What no two manifests may share: the address, and the name in a state location. */
export interface SiteIdentity {
  readonly name: string
  readonly url: string
  /** The declared state location, as written; without one no other site shares the name. */
  readonly state: string | undefined
}

/** The first manifests, by their indexes, that have the address of a later one, or its name. */
export interface Namesakes {
  readonly byUrl: number | undefined
  readonly byName: number | undefined
}

/**
 * Finds the manifests that have an address or, where both declare their state, a name in common with one before them. Whether a name
 * is in the same place depends on files that this does not read.
 */
export function findNamesakes(
  identities: readonly (SiteIdentity | undefined)[],
): ReadonlyMap<number, Namesakes> {
  const first = { url: new Map<string, number>(), name: new Map<string, number>() }
  const found = new Map<number, Namesakes>()
  for (const [at, identity] of identities.entries()) {
    if (identity === undefined) continue
    const byUrl = keepFirst(first.url, normalizeSiteUrl(identity.url), at)
    const byName = identity.state === undefined ? undefined : keepFirst(first.name, identity.name, at)
    if (byUrl !== undefined || byName !== undefined) found.set(at, { byUrl, byName })
  }
  return found
}

function keepFirst(first: Map<string, number>, key: string, at: number): number | undefined {
  const before = first.get(key)
  if (before === undefined) first.set(key, at)
  return before
}
