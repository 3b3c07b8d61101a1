import { isLoopback } from '../manifest/site-url.js'
import { type Chain, type ChainPorts, openChain } from './chain.js'
import type { StateBackend } from './series.js'
import { emptyContent } from './site-state.js'
import type { MovedTo, StateFailure, StateReply } from './state-failure.js'

/** A site as its manifest declares it. */
export interface NamedSite {
  /** Base URL. */
  readonly url: string
  /** `metadata.name`; absent where the address alone is known. */
  readonly name?: string | undefined
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
  | { readonly kind: 'same' }
  /** The state is being moved here from `from`; it has arrived once there is a version here. */
  | { readonly kind: 'awaited'; readonly from: MovedTo }

/**
 * Compares the address of a named site with the one that its state belongs to. A site that is called by another
 * address, such as an alias of its host, is the same site: with empty state, `configure` would be sent a second time.
 * So another address is a failure until a person moves the state.
 */
export async function lookUpName(chain: Chain, { url, name }: NamedSite): Promise<StateReply<NameReply>> {
  const newest = await chain.newest()
  if (!newest.ok) return newest
  const entry = newest.value?.state.entry
  if (entry?.type !== 'moved' || entry.site === undefined) return { ok: true, value: { kind: 'unknown' } }
  if (entry.site === url)
    return {
      ok: true,
      value: entry.source === undefined ? { kind: 'same' } : { kind: 'awaited', from: entry.source },
    }
  if (areTwoEmulators(entry.site, url)) return { ok: true, value: { kind: 'unknown' } }
  const reason = { kind: 'other-address', name: String(name), site: entry.site, url } as const
  return {
    ok: false,
    error: { kind: 'moved', where: chain.where, reason, to: { site: entry.site }, calledBy: url },
  }
}

/** Records durably that the state of a name belongs to an address, before anything begins there. */
export async function claimName(chain: Chain, site: NamedSite): Promise<StateReply<NameReply>> {
  for (let race = 0; race < maxRaces; race += 1) {
    const known = await lookUpName(chain, site)
    if (!known.ok || known.value.kind !== 'unknown') return known
    const newest = await chain.newest()
    if (!newest.ok) return newest
    const added = await chain.append(newest.value, { type: 'moved', site: site.url }, emptyContent)
    if (!added.ok) return added
    if (added.value !== undefined) return { ok: true, value: { kind: 'same' } }
  }
  const failure: StateFailure = {
    kind: 'overtaken',
    where: chain.where,
    reason: { kind: 'contended' },
  }
  return { ok: false, error: failure }
}

/** The most attempts to add the next number while other runs do the same. */
const maxRaces = 5

/** True for two ports of this machine: an emulator that is started again is another site. */
function areTwoEmulators(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  return isLoopback(a.hostname) && isLoopback(b.hostname) && a.port !== b.port
}
