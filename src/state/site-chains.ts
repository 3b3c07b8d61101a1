import type { Submission } from '../plan/submission.js'
import { type Append, type Chain, type ChainPorts, type Link, openChain } from './chain.js'
import {
  buildClaim,
  type Claim,
  compareName,
  type FormerSite,
  findFormerSite,
  openManifestChain,
  openNameChain,
  readClaim,
} from './claims.js'
import type { IntentNote } from './intent-notes.js'
import type { HeldState } from './ports.js'
import type { DeclaredSite, StateBackend } from './series.js'
import type { SiteState } from './site-state.js'
import type { MovedTo, StateFailure, StateReply } from './state-failure.js'
import { hear, selectRequest, type Testimony } from './witnesses.js'

/** The newest versions of the chains of a site. */
interface NewestLinks {
  readonly newest: Link | undefined
  /** The newest versions in the chains of its name and of its manifest. */
  readonly named: Link | undefined
  readonly declared: Link | undefined
  /** The note of this machine about an open submission intent. */
  readonly note: IntentNote | undefined
}

/** The pointer that led to a place, with the facts in its version. */
export interface Pointer extends Testimony {
  /** The place of the pointer. */
  readonly where: string
  readonly to: MovedTo
}

/**
 * This machine's note about the open submission intent of a site, in one folder for all locations: two runs with
 * different state locations would each find empty state, and send `configure`. This is a second protection, on one
 * machine only. If notes cannot be written, the event `intent-not-noted` reports it, and the state alone decides.
 */
export interface SiteNotes {
  /** The file of the note. */
  readonly file: string
  /** Reads the note. Removes the note of an emulator that no longer runs, because it is not a real site. */
  find(): Promise<IntentNote | undefined>
  /** Finds the note of another site that the same manifest declared before, if the outcome of its request is unknown. */
  findFormer(): Promise<FormerSite | undefined>
  /** Removes a note whose request is no longer open in the state of the site. */
  forget(note: IntentNote): Promise<void>
  /** Keeps the note up to date with what a run writes while it holds the site. */
  watch(held: HeldState): HeldState
}

/** Sources of facts about a site, besides its chain and its claims. */
export interface OtherWitnesses {
  readonly pointer?: Pointer | undefined
  readonly notes?: SiteNotes | undefined
}

/** The chain of a site, with the records about the site elsewhere. */
export interface SiteChains {
  readonly chain: Chain
  /** Reads the newest versions; fails if another source contradicts those of the site. */
  look(): Promise<StateReply<NewestLinks>>
  /**
   * Builds the versions that must be recorded elsewhere: the name of the site, before any run; and a request, under the
   * name and under the manifest, before it is sent.
   */
  claim(links: Pick<NewestLinks, 'named' | 'declared'>, request?: Submission): StateReply<readonly Append[]>
}

const nothing = { ok: true, value: undefined } as const

/** Opens the chain of a site at a place. Each read also reads every source that may know of a request there. */
export function openSiteChains(
  backend: StateBackend,
  site: DeclaredSite,
  { ports, pointer, notes }: { readonly ports: ChainPorts } & OtherWitnesses,
): SiteChains {
  const { url, name, manifest } = site
  const chain = failWhenMoved(openChain(backend, url, ports))
  const names = name === undefined ? undefined : openNameChain(backend, name, ports)
  const manifests = manifest === undefined ? undefined : openManifestChain(backend, manifest, ports)
  const readAll = async (): Promise<StateReply<NewestLinks>> => {
    const [newest, named, declared, note] = await Promise.all([
      chain.newest(),
      names?.newest() ?? nothing,
      manifests?.newest() ?? nothing,
      notes?.find(),
    ])
    if (!named.ok) return named
    const known = names ? compareName(names, readClaim(named.value), site) : nothing
    if (!known.ok) return known
    if (!newest.ok) return newest
    if (!declared.ok) return declared
    const links = { newest: newest.value, named: named.value, declared: declared.value, note }
    const by = readClaim(declared.value)
    const { where } = chain
    const failure =
      (names && contradictClaim(links, known.value, { where, recordedIn: names.where })) ??
      (manifests && by?.site === url
        ? contradictClaim(links, by, { where, recordedIn: manifests.where })
        : undefined)
    const error = contradictPointer(links, pointer) ?? contradictNote(links, { failure, notes }) ?? failure
    if (error !== undefined) return { ok: false, error }
    return links.newest === undefined ? rejectRenamed(links, by) : { ok: true, value: links }
  }
  const rejectRenamed = async (
    links: NewestLinks,
    by: Claim | undefined,
  ): Promise<StateReply<NewestLinks>> => {
    const claimed = await findFormerSite(by, site, { backend, ports })
    if (!claimed.ok) return claimed
    const former = claimed.value ?? (await notes?.findFormer())
    if (former === undefined) return { ok: true, value: links }
    const { site: to, where } = former
    const reason = { kind: 'renamed-site', name: former.name, site: to } as const
    return {
      ok: false,
      error: { kind: 'promised-elsewhere', where, reason, to: { site: to }, calledBy: url },
    }
  }
  return {
    chain,
    async look() {
      const links = await readAll()
      // Another run may have written several chains in between, starting with that of the site.
      return !links.ok && links.error.kind === 'damaged' ? readAll() : links
    },
    claim({ named, declared }, request) {
      const claim = { site: url, ...(request !== undefined && { request: selectRequest(request) }) }
      const known = names ? compareName(names, readClaim(named), site) : nothing
      if (!known.ok) return known
      const isNamed = names === undefined || (request === undefined && known.value !== undefined)
      const byName = isNamed ? [] : buildClaim(names, named, claim)
      if (manifests === undefined || name === undefined || request === undefined)
        return { ok: true, value: byName }
      return { ok: true, value: [...byName, ...buildClaim(manifests, declared, { ...claim, name })] }
    },
  }
}

/** Turns a pointer into a failure, because a run writes nothing after it. */
function failWhenMoved(chain: Chain): Chain {
  return {
    ...chain,
    async newest() {
      const newest = await chain.newest()
      if (!newest.ok || newest.value?.state.entry.type !== 'moved') return newest
      return { ok: false, error: describePointer(chain.where, newest.value.state) }
    },
  }
}

/** Describes a pointer version as the failure of a write after it. */
export function describePointer(where: string, { lineage, submission, entry }: SiteState): StateFailure {
  const { state, site }: MovedTo = entry.type === 'moved' ? entry : {}
  const to = { ...(state !== undefined && { state }), ...(site !== undefined && { site }) }
  const request = submission && selectRequest(submission)
  return { kind: 'moved', where, reason: { kind: 'moved', to, lineage, ...(request && { request }) }, to }
}

type Found = Pick<NewestLinks, 'newest' | 'note'>

/** Finds the contradiction to a pointer, which proves that a history exists with the facts in the pointer's version. */
function contradictPointer({ newest }: Found, pointer: Pointer | undefined): StateFailure | undefined {
  const found = pointer && hear(newest?.state, pointer)
  if (pointer === undefined || found === undefined) return undefined
  const { where, to } = pointer
  return { kind: 'unreadable', where, reason: { kind: 'not-arrived', to, found } }
}

/** Finds the contradiction to this machine's note. The state is an older copy if a claim also misses the request in it. */
function contradictNote(
  { newest, note }: Found,
  { failure, notes }: { readonly failure: StateFailure | undefined } & Pick<OtherWitnesses, 'notes'>,
): StateFailure | undefined {
  const found = note && hear(newest?.state, { lineage: note.lineage, request: note })
  if (note === undefined || notes === undefined || found === undefined) return undefined
  const isOlder =
    found === 'older-copy' ||
    (failure?.reason.kind === 'missing-request' && failure.reason.nonce === note.nonce)
  const { state, address } = note
  const kept = address === undefined ? state : `${state} (${address})`
  const reason = { kind: isOlder ? 'intent-missing' : 'intent-elsewhere', where: kept } as const
  return { kind: 'promised-elsewhere', where: notes.file, reason }
}

/**
 * Finds the contradiction to a claim: the state is still being moved here, or the versions here lack a request that was
 * sent.
 */
function contradictClaim(
  { newest }: Found,
  claim: Claim | undefined,
  { where, recordedIn }: { readonly where: string; readonly recordedIn: string },
): StateFailure | undefined {
  if (claim?.source !== undefined && newest === undefined)
    return { kind: 'moved', where, reason: { kind: 'move-unfinished', from: claim.source } }
  const { request } = claim ?? {}
  if (request === undefined || hear(newest?.state, { request }) === undefined) return undefined
  return { kind: 'damaged', where, reason: { kind: 'missing-request', nonce: request.nonce, recordedIn } }
}
