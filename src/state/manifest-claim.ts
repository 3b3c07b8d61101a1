import { isPending } from '../plan/submission.js'
import { type ChainPorts, openChain } from './chain.js'
import { areTwoEmulators, type NamedSite } from './named-site.js'
import type { StateBackend } from './series.js'
import { emptyContent } from './site-state.js'
import type { StateReply } from './state-failure.js'

/** The path of the manifest that a site is declared in, by which other runs know it. */
export interface DeclaredSite extends NamedSite {
  /** Absent for a manifest without a path, such as standard input. */
  readonly file?: string | undefined
}

/** Another site that the same manifest declared before. */
interface FormerSite {
  readonly name: string
  readonly site: string
}

/** Opens the chain of a path: each version holds the name and the address that the manifest had. */
function openPathChain(backend: StateBackend, file: string, ports: ChainPorts) {
  // No address of a site has this scheme, so no site has this key.
  const key = `file://manifest/${encodeURIComponent(file)}`
  return openChain(backend.series(key), key, ports)
}

/**
 * Finds the site that the same manifest declared with another name and another address, while the outcome of its request is
 * unknown. Neither the address nor the name leads to that request, so that it would be sent a second time.
 */
export async function findFormerSite(
  backend: StateBackend,
  { file, url, name }: DeclaredSite,
  ports: ChainPorts,
): Promise<StateReply<FormerSite | undefined>> {
  const nothing = { ok: true, value: undefined } as const
  if (file === undefined) return nothing
  const claimed = await openPathChain(backend, file, ports).newest()
  if (!claimed.ok) return claimed
  const entry = claimed.value?.state.entry
  if (entry?.type !== 'moved' || entry.site === undefined || entry.name === undefined) return nothing
  const { site, name: former } = entry
  if (site === url || former === name || areTwoEmulators(site, url)) return nothing
  const newest = await openChain(backend.series(site), site, ports).newest()
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

/** Records which site a manifest declares, before a request is sent; another run that was first has recorded the same. */
export async function claimManifest(
  backend: StateBackend,
  { file, url, name }: DeclaredSite,
  ports: ChainPorts,
): Promise<StateReply<unknown>> {
  if (file === undefined || name === undefined) return { ok: true, value: undefined }
  const chain = openPathChain(backend, file, ports)
  const newest = await chain.newest()
  if (!newest.ok) return newest
  const entry = newest.value?.state.entry
  if (entry?.type === 'moved' && entry.site === url && entry.name === name) return newest
  return chain.append(newest.value, { type: 'moved', site: url, name }, emptyContent)
}
