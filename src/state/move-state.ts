import { append, type Chain, openChain } from './chain.js'
import {
  holdsRequest,
  lookUpName,
  type NameReply,
  openNameChain,
  type SentRequest,
  selectRequest,
} from './named-site.js'
import type { StatePorts, StateStore } from './ports.js'
import type { NamedSite, StateBackend } from './series.js'
import { emptyContent, type Lock, type SiteState, type StateContent, selectContent } from './site-state.js'
import type { MovedTo, StateFailure, StateReply } from './state-failure.js'
import { stateStore } from './state-store.js'

/** One end of a move: a place, an address in it, and the name that the other end uses for it. */
export interface MoveEnd {
  readonly backend: StateBackend
  readonly url: string
  /** The value of a pointer to this end, or of a note that state came from it. */
  readonly place: MovedTo
}

export interface Move {
  /** `metadata.name` of the site. */
  readonly name: string
  readonly from: MoveEnd
  readonly to: MoveEnd
}

export type MoveResult =
  | { readonly kind: 'moved'; readonly versions: number }
  /** The state is already there. */
  | { readonly kind: 'done' }
  | { readonly kind: 'nothing' }
  /** The other end already has a history. */
  | { readonly kind: 'occupied' }
  | { readonly kind: 'locked'; readonly lock: Lock }
  | { readonly kind: 'failed'; readonly failure: StateFailure }

/**
 * Moves the state of a site to another place or address, and leaves a pointer. At no moment does an end without state
 * look like a new site: first the name of the site records at the target that state is to come, then the pointer is
 * written as the last version of the source, then the state begins at the target. After a crash the same command
 * completes the move.
 */
export async function moveState({ name, from, to }: Move, ports: StatePorts): Promise<MoveResult> {
  const source = openChain(from.backend, from.url, ports)
  const before = await source.newest()
  if (!before.ok) return { kind: 'failed', failure: before.error }
  if (before.value === undefined) return { kind: 'nothing' }
  const { lineage } = before.value.state
  const target = openChain(to.backend, to.url, { ...ports, nonce: () => lineage })
  const there = await target.newest()
  if (!there.ok) return { kind: 'failed', failure: there.error }
  if (there.value !== undefined && there.value.state.lineage !== lineage) return { kind: 'occupied' }
  const names = openNameChain(to.backend, name, ports)
  if (there.value === undefined) {
    const awaited = await pointName(names, { url: to.url, name }, { source: from.place })
    if (!awaited.ok) return { kind: 'failed', failure: awaited.error }
  }
  const left = await leave(source, { name, from, to }, ports)
  if (left.kind !== 'left') return left
  if (there.value === undefined) {
    const entry = { type: 'received', source: { ...from.place, serial: left.last.serial } } as const
    const added = await append({ chain: target, after: undefined, entry, content: left.content })
    if (!added.ok) return { kind: 'failed', failure: added.error }
  }
  const { submission } = left.content
  const named = await pointName(
    names,
    { url: to.url, name },
    submission === undefined ? {} : { request: selectRequest(submission) },
  )
  if (!named.ok) return { kind: 'failed', failure: named.error }
  return there.value === undefined ? { kind: 'moved', versions: left.last.serial } : { kind: 'done' }
}

type LeaveResult =
  | { readonly kind: 'left'; readonly last: SiteState; readonly content: StateContent }
  | Extract<MoveResult, { readonly kind: 'locked' | 'failed' | 'occupied' }>

/** Writes the pointer as the last version, under the lock of the site, unless it is already there. */
async function leave(source: Chain, { from, to }: Move, ports: StatePorts): Promise<LeaveResult> {
  const store = stateStore(from.backend, { url: from.url }, ports)
  const taken = await store.take('state move')
  if (taken.kind === 'locked') return { kind: 'locked', lock: taken.lock }
  if (taken.kind === 'held') {
    const written = await taken.held.release({ type: 'moved', ...to.place })
    if (!written.ok) return { kind: 'failed', failure: written.error }
  } else if (taken.kind === 'failed' && !isSamePlace(taken.failure.to, to.place))
    return { kind: 'failed', failure: taken.failure }
  const newest = await source.newest()
  if (!newest.ok) return { kind: 'failed', failure: newest.error }
  const last = newest.value?.state
  return last === undefined ? { kind: 'occupied' } : { kind: 'left', last, content: selectContent(last) }
}

function isSamePlace(one: MovedTo | undefined, other: MovedTo): boolean {
  return one !== undefined && one.state === other.state && one.site === other.site
}

/**
 * Records in the chain of a name the address that its state belongs to, and the place that it still has to come from, or the
 * request that it has to hold.
 */
async function pointName(
  names: Chain,
  site: NamedSite,
  { source, request }: { readonly source?: MovedTo; readonly request?: SentRequest },
): Promise<StateReply<unknown>> {
  const known = await lookUpName(names, site)
  const wanted = source === undefined ? 'same' : 'awaited'
  const isSaid =
    known.ok && known.value.kind === wanted && (request === undefined || holds(known.value, request))
  // An address that differs is no failure here: it is what changes now.
  if (isSaid || (!known.ok && known.error.kind !== 'moved')) return known
  const newest = await names.newest()
  if (!newest.ok) return newest
  const more = { ...(source !== undefined && { source }), ...(request !== undefined && { request }) }
  const entry = { type: 'moved', site: site.url, ...more } as const
  return append({ chain: names, after: newest.value, entry, content: emptyContent })
}

function holds(known: NameReply, request: SentRequest): boolean {
  return known.kind === 'same' && holdsRequest(known.request, request)
}

/** The most pointers that are followed one after another: more of them form a circle. */
const maxPointers = 5

/** Opens the place that a pointer names. */
export type OpenPlace = (location: string) => Promise<StateReply<StateStore>>

/**
 * Opens the state of a site wherever it was moved: the place that a pointer names replaces the place of the pointer.
 */
export function followPointers(first: StateStore, open: OpenPlace): StateStore {
  let current = first
  const follow = async (failure: StateFailure, hop: number): Promise<StateFailure | undefined> => {
    const location = failure.to?.state
    if (failure.kind !== 'moved' || location === undefined || hop === maxPointers) return failure
    const opened = await open(location)
    if (!opened.ok) return opened.error
    current = opened.value
    return undefined
  }
  const atEnd = async <T>(ask: (store: StateStore) => Promise<StateReply<T>>): Promise<StateReply<T>> => {
    for (let hop = 0; ; hop += 1) {
      const reply = await ask(current)
      const failure = reply.ok ? undefined : await follow(reply.error, hop)
      if (reply.ok) return reply
      if (failure !== undefined) return { ok: false, error: failure }
    }
  }
  return {
    get kind() {
      return current.kind
    },
    get where() {
      return current.where
    },
    read: () => atEnd(store => store.read()),
    async history(select) {
      // The last place is known only after a read.
      const read = await atEnd(store => store.read())
      return read.ok ? current.history(select) : read
    },
    async take(purpose, isExpected) {
      for (let hop = 0; ; hop += 1) {
        const taken = await current.take(purpose, isExpected)
        if (taken.kind !== 'failed') return taken
        const failure = await follow(taken.failure, hop)
        if (failure !== undefined) return { kind: 'failed', failure }
      }
    },
    unlock: nonce => atEnd(store => store.unlock(nonce)),
    liveness: holder => current.liveness(holder),
    lockOwner: newest => current.lockOwner(newest),
  }
}
