import { computeRecordDigest } from '../plan/situation.js'
import { append, appendAll, type Chain, openChain } from './chain.js'
import { buildClaim, type Claim, isSamePlace, openNameChain } from './claims.js'
import type { StatePorts, StateStore } from './ports.js'
import type { StateBackend } from './series.js'
import { describePointer, type Pointer } from './site-chains.js'
import {
  formatState,
  type Lock,
  type SiteState,
  type StateContent,
  type StateEntry,
  selectContent,
} from './site-state.js'
import type { MovedTo, StateFailure, StateReply } from './state-failure.js'
import { stateStore } from './state-store.js'
import { hear, selectRequest } from './witnesses.js'

/** One end of a move: its backend, the address of the site there, and the place that the other end records for it. */
export interface MoveEnd {
  readonly backend: StateBackend
  readonly url: string
  /** The value of a pointer to this end, and of an entry that state was received from it. */
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
  /** The other end has another history, or one that continued independently since it was copied. */
  | { readonly kind: 'occupied' }
  | { readonly kind: 'locked'; readonly lock: Lock }
  | { readonly kind: 'failed'; readonly failure: StateFailure }

/**
 * Moves the state of a site to another place or address, and leaves a pointer. At no moment does an end without state
 * look like a new site. First the chain of the name at the target records that the state is about to arrive; then the
 * source gets the pointer as its last version; then the target receives the state. After a crash, the same command
 * completes the move.
 */
export async function moveState({ name, from, to }: Move, ports: StatePorts): Promise<MoveResult> {
  const failed = (failure: StateFailure) => ({ kind: 'failed', failure }) as const
  const source = openChain(from.backend, from.url, ports)
  const before = await source.newest()
  if (!before.ok) return failed(before.error)
  if (before.value === undefined) return { kind: 'nothing' }
  const { state: last } = before.value
  const target = openChain(to.backend, to.url, { ...ports, nonce: () => last.lineage })
  const there = await target.newest()
  if (!there.ok) return failed(there.error)
  const after = there.value?.state
  const keeper = after === undefined ? reply('source') : await findKeeper(source, target, { from, to })
  if (!keeper.ok) return failed(keeper.error)
  if (keeper.value === 'done' || keeper.value === 'occupied') return { kind: keeper.value }
  // The run with the lock of a copy may still write.
  if (after?.lock !== undefined) return { kind: 'locked', lock: after.lock }
  const names = openNameChain(to.backend, name, ports)
  if (after === undefined) {
    const awaited = await pointName(names, { site: to.url, source: from.place })
    if (!awaited.ok) return failed(awaited.error)
  }
  const left = await leave(source, { last, from, to }, ports)
  if (left.kind !== 'left') return left
  const content = selectContent(keeper.value === 'target' ? after : last)
  const entry = { type: 'received', source: { ...from.place, serial: left.serial } } as const
  const added = await append({ chain: target, after: there.value, entry, content })
  if (!added.ok) return failed(added.error)
  const request = content.submission && selectRequest(content.submission)
  const named = await pointName(names, { site: to.url, ...(request && { request }) })
  return named.ok ? { kind: 'moved', versions: left.serial } : failed(named.error)
}

const reply = <T>(value: T) => ({ ok: true, value }) as const

type Ends = Pick<Move, 'from' | 'to'>

/** The end whose content the target gets; `done` if nothing needs to move, `occupied` if nothing may. */
type Keeper = 'source' | 'target' | 'done' | 'occupied'

/** Compares two ends that both have versions. A target whose newest version is a pointer has not received the state yet. */
async function findKeeper(source: Chain, target: Chain, { from, to }: Ends): Promise<StateReply<Keeper>> {
  const [here, there] = [await source.history(), await target.history()]
  if (!here.ok) return here
  if (!there.ok) return there
  const [last, newest] = [here.value.at(-1), there.value.at(-1)]
  if (last === undefined || newest === undefined || last.lineage !== newest.lineage) return reply('occupied')
  const hasLeft = isPointerTo(last, to)
  const hasArrived = hasReceived(there.value, last, from)
  if (newest.entry.type !== 'moved')
    return reply(hasLeft && hasArrived ? 'done' : findNewer(here.value, there.value, { from, to }))
  if (isPointerTo(newest, from))
    return reply(hasReceived(here.value, newest, to) || (hasLeft && !hasArrived) ? 'source' : 'target')
  const isSetBack = there.value.some(
    ({ entry }) => isReceivedFrom(entry, from) && here.value[entry.source.serial - 1]?.entry.type !== 'moved',
  )
  const request = newest.submission && selectRequest(newest.submission)
  const isSuccessor = hasLeft ? !hasArrived : !isSetBack && hear(last, { request }) === undefined
  return isSuccessor ? reply('source') : { ok: false, error: describePointer(target.where, newest) }
}

type Received = Extract<StateEntry, { readonly type: 'received' }>

function isReceivedFrom(entry: StateEntry, { place }: MoveEnd): entry is Received {
  return entry.type === 'received' && isSamePlace(entry.source, place)
}

/** True if a history received the state from an end at exactly this version. */
function hasReceived(states: readonly SiteState[], { serial }: SiteState, end: MoveEnd): boolean {
  return states.some(({ entry }) => isReceivedFrom(entry, end) && entry.source.serial === serial)
}

function isPointerTo({ entry }: SiteState, { place }: MoveEnd): boolean {
  return entry.type === 'moved' && isSamePlace(entry, place)
}

/** Finds the end that continued after both had the same content, by a copy or by a move. */
function findNewer(
  source: readonly SiteState[],
  target: readonly SiteState[],
  { from, to }: Ends,
): Exclude<Keeper, 'done'> {
  const texts = target.map(formatState)
  const differing = source.findIndex((state, index) => formatState(state) !== texts[index])
  const copied = differing < 0 ? source.length : differing
  let [at, there] = [copied, copied]
  for (const [index, state] of target.entries())
    if (isReceivedFrom(state.entry, from)) [at, there] = [countMoved(source, state, state.entry), index + 1]
  for (const [index, state] of source.entries())
    if (isReceivedFrom(state.entry, to) && index >= at)
      [at, there] = [index + 1, countMoved(target, state, state.entry)]
  const [hasSourceNews, hasTargetNews] = [hasNews(source, at), hasNews(target, there)]
  if (hasSourceNews && hasTargetNews) return 'occupied'
  return hasTargetNews ? 'target' : 'source'
}

/**
 * Counts the versions of a place whose state the other place received. If its pointer is gone, the place was set back and
 * may have continued: then its later versions have the same serials as the lost ones, and only the content can tell.
 */
function countMoved(
  states: readonly SiteState[],
  received: SiteState,
  { source: { serial } }: Received,
): number {
  if (states[serial - 1]?.entry.type === 'moved') return serial
  const content = computeRecordDigest(selectContent(received))
  return states.slice(0, serial).findLastIndex(state => computeRecordDigest(state) === content) + 1
}

/** True if a version after the first `known` ones has other content than the last of these. */
function hasNews(states: readonly SiteState[], known: number): boolean {
  const content = computeRecordDigest(selectContent(states[known - 1]))
  return states.slice(known).some(state => computeRecordDigest(state) !== content)
}

type LeaveResult =
  | { readonly kind: 'left'; readonly serial: number }
  | Extract<MoveResult, { readonly kind: 'locked' | 'failed' }>

/** Writes the pointer as the last version, under the lock of the site, unless it is already there. */
async function leave(
  source: Chain,
  { last, from, to }: Ends & { readonly last: SiteState },
  ports: StatePorts,
): Promise<LeaveResult> {
  const failed = (failure: StateFailure) => ({ kind: 'failed', failure }) as const
  const isUnchanged = (content: StateContent) => computeRecordDigest(content) === computeRecordDigest(last)
  const taken = await stateStore(from.backend, { url: from.url }, ports).take('state move', isUnchanged)
  if (taken.kind === 'locked') return { kind: 'locked', lock: taken.lock }
  if (taken.kind === 'moved')
    return failed({ kind: 'overtaken', where: source.where, reason: { kind: 'contended' } })
  if (taken.kind === 'failed')
    return isPointerTo(last, to) ? { kind: 'left', serial: last.serial } : failed(taken.failure)
  const written = await taken.held.release({ type: 'moved', ...to.place })
  if (!written.ok) return failed(written.error)
  const newest = await source.newest()
  if (!newest.ok) return failed(newest.error)
  return { kind: 'left', serial: newest.value?.state.serial ?? last.serial }
}

/**
 * Records in the chain of a name the address of its state, and the place from which it is still being moved or the
 * request that it must contain.
 */
async function pointName(names: Chain, claim: Claim): Promise<StateReply<unknown>> {
  const newest = await names.newest()
  return newest.ok ? appendAll({}, buildClaim(names, newest.value, claim)) : newest
}

/** The maximum number of pointers in a row; more of them form a circle. */
const maxPointers = 5

/** Opens the place that a pointer names. */
type OpenPlace = (location: string, pointer: Pointer) => Promise<StateReply<StateStore>>

/** Opens the state of a site wherever it was moved: the place that a pointer names replaces the place with the pointer. */
export function followPointers(first: StateStore, open: OpenPlace): StateStore {
  let current = first
  const follow = async (failure: StateFailure, hop: number): Promise<StateFailure | undefined> => {
    const { where, reason } = failure
    const location = failure.to?.state
    if (reason.kind !== 'moved' || location === undefined || hop === maxPointers) return failure
    const opened = await open(location, { where, ...reason })
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
    async history(select, last) {
      // A read finds the last place.
      const read = await atEnd(store => store.read())
      return read.ok ? current.history(select, last) : read
    },
    async whenFree() {
      await atEnd(store => store.read())
      await current.whenFree()
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
