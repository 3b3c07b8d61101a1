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

/** The chain of a name: each version says to which address its state belongs. */
export function openNameChain(backend: StateBackend, name: string, ports: ChainPorts): Chain {
  // No address of a site has this scheme, so no site has this key.
  const key = `name://${name}`
  return openChain(backend.series(key), key, ports)
}

/** What the chain of a name says of an address. */
export type NameReply =
  /** Nothing was ever kept under the name, or of another emulator only. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'same' }
  /** The state is being moved to this address or place, and has not arrived unless there is state. */
  | { readonly kind: 'awaited'; readonly from: MovedTo }

/**
 * Compares the address of a named site with the one that its state belongs to. A site that is called by another address, such as
 * an alias of its host, is the same site: its state would begin anew, and `configure` be sent a second time. So another address is
 * a failure until a person moves the state.
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

/** Notes that the state of a name belongs to an address, durably, before anything is begun there. */
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

/** How often a race for the next number is run before it is given up. */
const maxRaces = 5

/** Two ports of this machine: an emulator that is started again is another site. */
function areTwoEmulators(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  return isLoopback(a.hostname) && isLoopback(b.hostname) && a.port !== b.port
}
