import { areTwoEmulators } from '../manifest/site-url.js'
import { type Append, type Chain, type ChainPorts, type Link, openChain } from './chain.js'
import type { DeclaredSite, NamedSite, StateBackend } from './series.js'
import { emptyContent } from './site-state.js'
import type { MovedTo, StateReply } from './state-failure.js'
import type { SentRequest } from './witnesses.js'

/**
 * The content of a version in the chain of a name or of a manifest: the site that it belongs to, and the request that
 * the site's state must contain.
 */
export interface Claim {
  readonly site: string
  /** `metadata.name`; absent in the chain of that name. */
  readonly name?: string
  readonly request?: SentRequest
  /** The place from which the state is still being moved. */
  readonly source?: MovedTo
}

// Addresses of sites never have these schemes, so the keys differ from those of all sites.

/** Opens the chain of a name. */
export function openNameChain(backend: StateBackend, name: string, ports: ChainPorts): Chain {
  return openChain(backend, `name://${name}`, ports)
}

/** Opens the chain of a manifest. */
export function openManifestChain(backend: StateBackend, manifest: string, ports: ChainPorts): Chain {
  return openChain(backend, `file://manifest/${encodeURIComponent(manifest)}`, ports)
}

/** Reads the claim of a version. */
export function readClaim(link: Link | undefined): Claim | undefined {
  const entry = link?.state.entry
  return entry?.type === 'moved' && entry.site !== undefined ? { ...entry, site: entry.site } : undefined
}

/**
 * Compares an address with the site that its name belongs to. A site with another address, such as an alias of its
 * host, may be the same site: starting from empty state would send `configure` a second time. So another address is a
 * failure until a user moves the state. An emulator at another port is another site.
 */
export function compareName(
  { where }: Chain,
  claim: Claim | undefined,
  { url, name }: NamedSite,
): StateReply<Claim | undefined> {
  if (claim === undefined || claim.site === url) return { ok: true, value: claim }
  const { site } = claim
  if (areTwoEmulators(site, url)) return { ok: true, value: undefined }
  const reason = { kind: 'other-address', name: String(name), site, url } as const
  return { ok: false, error: { kind: 'moved', where, reason, to: { site }, calledBy: url } }
}

/** Another site that the same manifest declared before, by name and by address. */
export interface FormerSite {
  readonly name: string
  readonly site: string
  /** The chain or note that contains its request. */
  readonly where: string
}

/**
 * Finds the site that a manifest declared before, if the outcome of its request is unknown. Neither the new address nor
 * the new name leads to that request, so it could be sent a second time.
 */
export async function findFormerSite(
  claim: Claim | undefined,
  { url, name }: DeclaredSite,
  { backend, ports }: { readonly backend: StateBackend; readonly ports: ChainPorts },
): Promise<StateReply<FormerSite | undefined>> {
  const nothing = { ok: true, value: undefined } as const
  if (claim?.name === undefined || claim.name === name) return nothing
  const { site, name: former } = claim
  if (site === url || areTwoEmulators(site, url)) return nothing
  const chain = openChain(backend, site, ports)
  const newest = await chain.newest()
  if (!newest.ok) return newest
  const { state } = newest.value?.state.submission ?? {}
  const isOpen = state === 'intent' || state === 'unknown'
  return isOpen ? { ok: true, value: { name: former, site, where: chain.where } } : nothing
}

/** Builds the version that makes a claim; none if the newest version already makes it. */
export function buildClaim(chain: Chain, newest: Link | undefined, claim: Claim): readonly Append[] {
  const known = readClaim(newest)
  const isMade =
    known?.site === claim.site &&
    known.name === claim.name &&
    known.request?.nonce === claim.request?.nonce &&
    isSamePlace(known.source, claim.source)
  return isMade ? [] : [{ chain, after: newest, entry: { type: 'moved', ...claim }, content: emptyContent }]
}

/** True for the same state location and address, or if both are absent. */
export function isSamePlace(one: MovedTo | undefined, other: MovedTo | undefined): boolean {
  return (
    (one === undefined) === (other === undefined) && one?.state === other?.state && one?.site === other?.site
  )
}
