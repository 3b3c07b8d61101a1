import type { Liveness, StageTiming, Submission } from '../plan/submission.js'
import { type Chain, type Link, openChain } from './chain.js'
import { buildLock, createHeldState, overrideHeldState, withGuard } from './held-state.js'
import { claimManifest, type DeclaredSite, findFormerSite, rejectRenamed } from './manifest-claim.js'
import {
  claimName,
  holdsRequest,
  lookUpName,
  type NameReply,
  openNameChain,
  selectRequest,
} from './named-site.js'
import type { HeldState, StatePorts, StateStore, TakeResult } from './ports.js'
import type { StateBackend } from './series.js'
import { type Lock, type SiteState, type StateContent, selectContent } from './site-state.js'
import type { StateReply } from './state-failure.js'

/** The tolerance for clocks of two machines that differ: a lease is over only this long after its end. */
const clockSkewMs = 2 * 60_000
/** The most attempts to add the next number while other runs do the same. */
const maxRaces = 5

/** Keeps the state of a site in a series of a backend. */
export function stateStore(backend: StateBackend, declared: DeclaredSite, ports: StatePorts): StateStore {
  const { url: site, name } = declared
  const chain = failWhenMoved(openChain(backend.series(site), site, ports))
  const names = name === undefined ? undefined : openNameChain(backend, name, ports)
  const admit: Admit = async (newest, known) => {
    const found = requireComplete({ chain, names }, newest, known)
    if (!found.ok || found.value !== undefined) return found
    const former = await findFormerSite(backend, declared, ports)
    if (!former.ok) return former
    return former.value === undefined ? found : rejectRenamed(chain.where, former.value, site)
  }
  return {
    kind: backend.kind,
    where: chain.where,
    async read() {
      const [newest, known] = await Promise.all([chain.newest(), names && lookUpName(names, declared)])
      const found = await admit(newest, known)
      return found.ok ? { ok: true, value: found.value?.state } : found
    },
    history: () => chain.history(),
    async take(purpose, isExpected = () => true) {
      const known = names && (await claimName(names, declared))
      if (known?.ok === false) return { kind: 'failed', failure: known.error }
      const admitted = (newest: NewestLink) => admit(newest, known)
      const taken = await takeSite(chain, { backend, ports, site, purpose, isExpected, admitted })
      if (taken.kind !== 'held') return taken
      const record = async (request: Submission) => {
        const named = names && (await claimName(names, declared, selectRequest(request)))
        return named?.ok === false ? named : claimManifest(backend, declared, ports)
      }
      return { ...taken, held: withRecordedIntents(taken.held, record) }
    },
    unlock: nonce => removeLock(chain, nonce, { backend, ports, site }),
    liveness: holder => ports.liveness(holder),
    async lockOwner(newest) {
      const by = await backend.guard?.holder(site)
      if (by?.ok === true && by.value !== undefined)
        return { lock: buildLock(by.value, newest), liveness: 'alive' }
      if (newest?.lock === undefined) return undefined
      const { lock } = newest
      if (by !== undefined) return { lock, liveness: by.ok ? 'dead' : 'elsewhere' }
      return { lock, liveness: await ports.liveness(lock.holder) }
    },
    async timings() {
      const newest = await backend.newestOfSome(maxTimed)
      return newest.ok ? newest.value.flatMap(({ text }) => parseTimings(text)) : []
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

type NewestLink = StateReply<Link | undefined>

/** Returns the newest version, unless what else is kept about the site shows that it is not all there is. */
type Admit = (newest: NewestLink, known: StateReply<NameReply> | undefined) => Promise<NewestLink>

/**
 * Returns the newest version, unless the chain of the name says that the state is still being moved here, or that a request
 * was sent that the versions here do not have.
 */
function requireComplete(
  { chain: { where }, names }: { readonly chain: Chain; readonly names: Chain | undefined },
  newest: NewestLink,
  known: StateReply<NameReply> | undefined,
): NewestLink {
  if (known?.ok === false) return known
  if (!newest.ok || known === undefined) return newest
  if (known.value.kind === 'awaited' && newest.value === undefined) {
    const reason = { kind: 'move-unfinished', from: known.value.from } as const
    return { ok: false, error: { kind: 'moved', where, reason } }
  }
  const request = known.value.kind === 'same' ? known.value.request : undefined
  if (request === undefined || holdsRequest(newest.value?.state.submission, request)) return newest
  const reason = { kind: 'missing-request', nonce: request.nonce, recordedIn: names?.where ?? where } as const
  return { ok: false, error: { kind: 'damaged', where, reason } }
}

/** Wraps held state so that an intent counts as written only when it is recorded elsewhere, too. */
function withRecordedIntents(
  held: HeldState,
  record: (request: Submission) => Promise<StateReply<unknown>>,
): HeldState {
  return overrideHeldState(held, {
    async write(entry, change) {
      const written = await held.write(entry, change)
      const { submission } = held.content
      if (!written.ok || submission === undefined || entry.type !== 'submission' || entry.state !== 'intent')
        return written
      const recorded = await record(submission)
      return recorded.ok ? written : recorded
    },
  })
}

interface StorePlace {
  readonly backend: StateBackend
  readonly ports: StatePorts
  readonly site: string
}

interface TakeOptions extends StorePlace {
  readonly purpose: string
  isExpected(content: StateContent): boolean
  admitted(newest: NewestLink): Promise<NewestLink>
}

async function takeSite(chain: Chain, taking: TakeOptions): Promise<TakeResult> {
  const { backend, site, purpose } = taking
  if (backend.guard === undefined) return takeLock(chain, taking)
  const guarded = await backend.guard.take(site, purpose)
  if (!guarded.ok) return { kind: 'failed', failure: guarded.error }
  if (guarded.value.kind === 'locked') {
    const newest = await chain.newest()
    if (!newest.ok) return { kind: 'failed', failure: newest.error }
    return { kind: 'locked', lock: buildLock(guarded.value.by, newest.value?.state), liveness: 'alive' }
  }
  const { release } = guarded.value
  const found = await takeLock(chain, taking)
  if (found.kind === 'held') return { ...found, held: withGuard(found.held, release) }
  await release()
  return found
}

/** Takes the site by adding a version that holds the lock. */
async function takeLock(
  chain: Chain,
  { backend, ports, purpose, isExpected, admitted }: TakeOptions,
): Promise<TakeResult> {
  const { leaseMs } = backend
  const expiryOf = (now: number) =>
    leaseMs === undefined ? {} : { expiresAt: new Date(now + leaseMs).toISOString() }
  for (let race = 0; race < maxRaces; race += 1) {
    const last = await admitted(await chain.newest())
    if (!last.ok) return { kind: 'failed', failure: last.error }
    const before = last.value?.state.lock
    let isGone = false
    if (before !== undefined) {
      const liveness = backend.guard === undefined ? await ports.liveness(before.holder) : 'dead'
      isGone = backend.guard === undefined && liveness === 'dead'
      if (!isOver(before, liveness, ports.now())) return { kind: 'locked', lock: before, liveness }
    }
    const content = selectContent(last.value?.state)
    if (!isExpected(content)) return { kind: 'moved' }
    const now = ports.now()
    const lock: Lock = {
      nonce: ports.nonce(),
      fence: (last.value?.state.serial ?? 0) + 1,
      holder: await ports.self(),
      purpose,
      since: new Date(now).toISOString(),
      ...expiryOf(now),
    }
    const former = before === undefined ? {} : { former: before, ...(isGone && { isGone: true as const }) }
    const added = await chain.append(last.value, { type: 'locked', ...former }, { ...content, lock })
    if (!added.ok) return { kind: 'failed', failure: added.error }
    if (added.value === undefined) continue
    const held = createHeldState(added.value, { chain, lock, now: () => ports.now(), expiryOf })
    return { kind: 'held', held, ...former }
  }
  const reason = { kind: 'contended' } as const
  return { kind: 'failed', failure: { kind: 'overtaken', where: chain.where, reason } }
}

/**
 * True once a lock is over: a living process keeps its lock, a dead one loses it, and only the lease counts for a
 * process that cannot be checked.
 */
function isOver(lock: Lock, liveness: Liveness, now: number): boolean {
  if (liveness !== 'elsewhere') return liveness === 'dead'
  return lock.expiresAt !== undefined && Date.parse(lock.expiresAt) + clockSkewMs <= now
}

async function removeLock(
  chain: Chain,
  nonce: string,
  { backend, ports, site }: StorePlace,
): ReturnType<StateStore['unlock']> {
  const guarded = await backend.guard?.take(site, 'unlock')
  if (guarded?.ok === false) return guarded
  if (guarded?.value.kind === 'locked') return { ok: true, value: 'alive' }
  try {
    const last = await chain.newest()
    if (!last.ok) return last
    const lock = last.value?.state.lock
    if (lock === undefined) return { ok: true, value: 'not-locked' }
    if (lock.nonce !== nonce) return { ok: true, value: 'another' }
    if (guarded === undefined && (await ports.liveness(lock.holder)) === 'alive')
      return { ok: true, value: 'alive' }
    const added = await chain.append(last.value, { type: 'unlocked', lock }, selectContent(last.value?.state))
    if (!added.ok) return added
    return { ok: true, value: added.value === undefined ? 'another' : 'unlocked' }
  } finally {
    await guarded?.value.release()
  }
}

/** Enough for a typical time; every site of a run asks, so that reading all would cost the square of their number. */
const maxTimed = 20

/** Reads the timings in the state of any site, if it can be parsed: a missing estimate is no failure. */
function parseTimings(text: string): readonly (readonly StageTiming[])[] {
  try {
    const { submission } = JSON.parse(text) as Partial<SiteState>
    return submission?.timings === undefined ? [] : [submission.timings]
  } catch {
    return []
  }
}
