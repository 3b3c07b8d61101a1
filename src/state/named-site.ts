import { areTwoEmulators } from '../manifest/site-url.js'
import type { Submission } from '../plan/submission.js'
import { type Append, type Chain, type ChainPorts, type Link, openChain } from './chain.js'
import type { NamedSite, StateBackend } from './series.js'
import { emptyContent } from './site-state.js'
import type { MovedTo, StateReply } from './state-failure.js'

/** Names a `configure` that was about to be sent. */
export type SentRequest = Pick<Submission, 'nonce' | 'generation'>

export function selectRequest({ nonce, generation }: SentRequest): SentRequest {
  return { nonce, generation }
}

/** True for a site whose newest request is this one or a later one. */
export function holdsRequest(newest: SentRequest | undefined, { nonce, generation }: SentRequest): boolean {
  return newest !== undefined && (newest.nonce === nonce || newest.generation > generation)
}

/** Opens the chain of a name: each version holds the address that the state belongs to. */
export function openNameChain(backend: StateBackend, name: string, ports: ChainPorts): Chain {
  // No address of a site has this scheme, so no site has this key.
  return openChain(backend, `name://${name}`, ports)
}

/** The relation of an address to the chain of a name. */
export type NameReply =
  /** Nothing was ever kept under the name, or only the state of another emulator. */
  | { readonly kind: 'unknown' }
  /** The state has to hold the request. */
  | { readonly kind: 'same'; readonly request?: SentRequest }
  /** The state is being moved here from `from`; it has arrived once there is a version here. */
  | { readonly kind: 'awaited'; readonly from: MovedTo }

/**
 * Compares the address of a named site with the one that its state belongs to. A site that is called by another
 * address, such as an alias of its host, is the same site: with empty state, `configure` would be sent a second time.
 * So another address is a failure until a person moves the state.
 */
export async function lookUpName(chain: Chain, site: NamedSite): Promise<StateReply<NameReply>> {
  const newest = await chain.newest()
  return newest.ok ? compareName(chain, newest.value, site) : newest
}

/** Compares an address with the newest version of the chain of its name. */
export function compareName(
  { where }: Chain,
  newest: Link | undefined,
  { url, name }: NamedSite,
): StateReply<NameReply> {
  const entry = newest?.state.entry
  if (entry?.type !== 'moved' || entry.site === undefined) return { ok: true, value: { kind: 'unknown' } }
  const { site, source, request } = entry
  if (site === url) {
    const same = { kind: 'same', ...(request !== undefined && { request }) } as const
    return { ok: true, value: source === undefined ? same : { kind: 'awaited', from: source } }
  }
  if (areTwoEmulators(site, url)) return { ok: true, value: { kind: 'unknown' } }
  const reason = { kind: 'other-address', name: String(name), site, url } as const
  return { ok: false, error: { kind: 'moved', where, reason, to: { site }, calledBy: url } }
}

/**
 * Builds the version that records that the state of a name belongs to an address, which is written before anything begins
 * there; and a request before it is sent, so that state without it is not taken for that of a new site. Nothing where that
 * is recorded.
 */
export function buildNameClaim(
  chain: Chain,
  newest: Link | undefined,
  { site, request }: { readonly site: NamedSite; readonly request?: SentRequest },
): StateReply<readonly Append[]> {
  const known = compareName(chain, newest, site)
  if (!known.ok) return known
  const { value } = known
  const isRecorded =
    request === undefined
      ? value.kind !== 'unknown'
      : value.kind === 'same' && value.request?.nonce === request.nonce
  const entry = { type: 'moved', site: site.url, ...(request !== undefined && { request }) } as const
  return { ok: true, value: isRecorded ? [] : [{ chain, after: newest, entry, content: emptyContent }] }
}
