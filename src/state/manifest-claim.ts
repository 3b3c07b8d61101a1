import { areTwoEmulators } from '../manifest/site-url.js'
import { isPending } from '../plan/submission.js'
import { type Append, type Chain, type ChainPorts, type Link, openChain } from './chain.js'
import type { DeclaredSite, StateBackend } from './series.js'
import { emptyContent } from './site-state.js'
import type { StateReply } from './state-failure.js'

/** Another site that the same manifest declared before. */
interface FormerSite {
  readonly name: string
  readonly site: string
}

/** Opens the chain of the path of a manifest: each version holds the name and the address that the manifest had. */
export function openPathChain(backend: StateBackend, file: string, ports: ChainPorts): Chain {
  // No address of a site has this scheme, so no site has this key.
  return openChain(backend, `file://manifest/${encodeURIComponent(file)}`, ports)
}

/**
 * Finds the site that the same manifest declared with another name and another address, by the newest version of the chain
 * of its path, while the outcome of its request is unknown. Neither the address nor the name leads to that request, so that
 * it would be sent a second time.
 */
export async function findFormerSite(
  claimed: StateReply<Link | undefined>,
  { url, name }: DeclaredSite,
  { backend, ports }: { readonly backend: StateBackend; readonly ports: ChainPorts },
): Promise<StateReply<FormerSite | undefined>> {
  if (!claimed.ok) return claimed
  const nothing = { ok: true, value: undefined } as const
  const entry = claimed.value?.state.entry
  if (entry?.type !== 'moved' || entry.site === undefined || entry.name === undefined) return nothing
  const { site, name: former } = entry
  if (site === url || former === name || areTwoEmulators(site, url)) return nothing
  const newest = await openChain(backend, site, ports).newest()
  if (!newest.ok) return newest
  const { submission } = newest.value?.state ?? {}
  return submission !== undefined && isPending(submission)
    ? { ok: true, value: { name: former, site } }
    : nothing
}

/** Makes the failure of a site whose manifest declared another one before. */
export function rejectRenamed(where: string, { name, site }: FormerSite, url: string): StateReply<never> {
  const reason = { kind: 'renamed-site', name, site } as const
  return { ok: false, error: { kind: 'promised-elsewhere', where, reason, to: { site }, calledBy: url } }
}

/** Builds the version that records which site a manifest declares, before a request is sent; nothing where it is recorded. */
export function buildManifestClaim(
  chain: Chain,
  newest: Link | undefined,
  { url, name }: DeclaredSite,
): readonly Append[] {
  const entry = newest?.state.entry
  if (name === undefined || (entry?.type === 'moved' && entry.site === url && entry.name === name)) return []
  return [{ chain, after: newest, entry: { type: 'moved', site: url, name }, content: emptyContent }]
}
