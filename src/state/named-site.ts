import { isLoopback } from '../manifest/site-url.js'
import type { Submission } from '../plan/submission.js'
import { type Chain, type ChainPorts, type Link, openChain } from './chain.js'
import type { StateBackend } from './series.js'
import { emptyContent } from './site-state.js'
import type { MovedTo, StateReply } from './state-failure.js'

/** A site as its manifest declares it. */
export interface NamedSite {
  /** Base URL. */
  readonly url: string
  /** `metadata.name`; absent where the address alone is known. */
  readonly name?: string | undefined
}

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
  const key = `name://${name}`
  return openChain(backend.series(key), key, ports)
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

function compareName(
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
 * Records durably that the state of a name belongs to an address, before anything begins there; and a request before it is
 * sent, so that state without it is not taken for that of a new site.
 */
export async function claimName(
  chain: Chain,
  site: NamedSite,
  request?: SentRequest,
): Promise<StateReply<NameReply>> {
  for (let race = 0; race < maxRaces; race += 1) {
    const newest = await chain.newest()
    if (!newest.ok) return newest
    const known = compareName(chain, newest.value, site)
    if (!known.ok || (request === undefined && known.value.kind !== 'unknown')) return known
    const entry = { type: 'moved', site: site.url, ...(request !== undefined && { request }) } as const
    const added = await chain.append(newest.value, entry, emptyContent)
    if (!added.ok) return added
    if (added.value !== undefined) return { ok: true, value: { kind: 'same' } }
  }
  const reason = { kind: 'contended' } as const
  return { ok: false, error: { kind: 'overtaken', where: chain.where, reason } }
}

/** The most attempts to add the next number while other runs do the same. */
const maxRaces = 5

/** True for two ports of this machine: an emulator that is started again is another site. */
export function areTwoEmulators(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  return isLoopback(a.hostname) && isLoopback(b.hostname) && a.port !== b.port
}
