import type { Submission } from '../plan/submission.js'
import { type Append, type Chain, type Link, openChain } from './chain.js'
import { buildManifestClaim, findFormerSite, openPathChain, rejectRenamed } from './manifest-claim.js'
import {
  buildNameClaim,
  compareName,
  holdsRequest,
  type NameReply,
  openNameChain,
  selectRequest,
} from './named-site.js'
import type { StatePorts } from './ports.js'
import type { DeclaredSite, StateBackend } from './series.js'
import type { StateReply } from './state-failure.js'

type NewestLink = StateReply<Link | undefined>

/** The newest versions of the chains of the name of a site and of its manifest. */
interface Claims {
  readonly named: Link | undefined
  readonly declaredIn: NewestLink
}

/** The chain of a site, with what is kept about the site elsewhere: under its name, and under the path of its manifest. */
export interface SiteChains {
  readonly chain: Chain
  /** Reads the newest versions, unless they show that those of the site are not all there is. */
  look(): Promise<StateReply<Claims & { readonly newest: Link | undefined }>>
  /**
   * Builds the versions that record elsewhere what is not recorded yet: the name of the site, before anything begins there;
   * with a request, that request and the manifest, before it is sent.
   */
  claim(claims: Claims, request?: Submission): StateReply<readonly Append[]>
}

const nothing = { ok: true, value: undefined } as const

export function openSiteChains(backend: StateBackend, declared: DeclaredSite, ports: StatePorts): SiteChains {
  const { url, name, file } = declared
  const chain = failWhenMoved(openChain(backend, url, ports))
  const names = name === undefined ? undefined : openNameChain(backend, name, ports)
  const paths = file === undefined ? undefined : openPathChain(backend, file, ports)
  const look = async (isAgain: boolean): ReturnType<SiteChains['look']> => {
    const [read, named, declaredIn] = await Promise.all([
      chain.newest(),
      names?.newest() ?? nothing,
      paths?.newest() ?? nothing,
    ])
    if (!named.ok) return named
    const known = names && compareName(names, named.value, declared)
    const newest = names && known ? requireComplete({ chain, names }, read, known) : read
    // Another run may have written both in between, that of the site first.
    if (!newest.ok && newest.error.kind === 'damaged' && !isAgain) return look(true)
    if (!newest.ok) return newest
    const former =
      newest.value === undefined ? await findFormerSite(declaredIn, declared, { backend, ports }) : nothing
    if (!former.ok) return former
    return former.value === undefined
      ? { ok: true, value: { newest: newest.value, named: named.value, declaredIn } }
      : rejectRenamed(chain.where, former.value, url)
  }
  return {
    chain,
    look: () => look(false),
    claim({ named, declaredIn }, request) {
      const said = { site: declared, ...(request !== undefined && { request: selectRequest(request) }) }
      const claimed: StateReply<readonly Append[]> =
        names === undefined ? { ok: true, value: [] } : buildNameClaim(names, named, said)
      if (!claimed.ok || paths === undefined || request === undefined) return claimed
      return declaredIn.ok
        ? { ok: true, value: [...claimed.value, ...buildManifestClaim(paths, declaredIn.value, declared)] }
        : declaredIn
    },
  }
}

/** Turns a pointer to elsewhere into a failure: nothing is written after it. */
function failWhenMoved(chain: Chain): Chain {
  return {
    ...chain,
    async newest() {
      const newest = await chain.newest()
      if (!newest.ok || newest.value?.state.entry.type !== 'moved') return newest
      const { state, site } = newest.value.state.entry
      const to = { ...(state !== undefined && { state }), ...(site !== undefined && { site }) }
      return {
        ok: false,
        error: {
          kind: 'moved',
          where: chain.where,
          reason: { kind: 'moved', to },
          to,
        },
      }
    },
  }
}

/**
 * Returns the newest version, unless the chain of the name says that the state is still being moved here, or that a request
 * was sent that the versions here do not have.
 */
function requireComplete(
  { chain: { where }, names }: { readonly chain: Chain; readonly names: Chain },
  newest: NewestLink,
  known: StateReply<NameReply>,
): NewestLink {
  if (!known.ok) return known
  if (!newest.ok) return newest
  if (known.value.kind === 'awaited' && newest.value === undefined) {
    const reason = { kind: 'move-unfinished', from: known.value.from } as const
    return { ok: false, error: { kind: 'moved', where, reason } }
  }
  const request = known.value.kind === 'same' ? known.value.request : undefined
  if (request === undefined || holdsRequest(newest.value?.state.submission, request)) return newest
  const reason = { kind: 'missing-request', nonce: request.nonce, recordedIn: names.where } as const
  return { ok: false, error: { kind: 'damaged', where, reason } }
}
