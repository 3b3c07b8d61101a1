import { isPending, type Liveness } from '../plan/submission.js'
import { append, appendAll, type Chain } from './chain.js'
import { buildLock, createHeldState, withGuard } from './held-state.js'
import type { LockOwner, StatePorts, StateStore, TakeResult } from './ports.js'
import type { DeclaredSite, StateBackend } from './series.js'
import { type OtherWitnesses, openSiteChains, type SiteChains } from './site-chains.js'
import { type Lock, type StateContent, selectContent } from './site-state.js'

/** The tolerance for different clocks on two machines: a lease ends only this long after its expiry. */
const clockSkewMs = 2 * 60_000
/** The maximum number of attempts to add the next version while other runs do the same. */
const maxRaces = 5

/** Keeps the state of a site in a series of a backend. */
export function stateStore(
  backend: StateBackend,
  declared: DeclaredSite,
  ports: StatePorts & OtherWitnesses,
): StateStore {
  const { url: site } = declared
  const { pointer, notes } = ports
  const chains = openSiteChains(backend, declared, { ports, pointer, notes })
  const { chain } = chains
  const findOwner: StateStore['lockOwner'] = async newest => {
    const by = await backend.guard?.holder(site)
    if (by?.ok === true && by.value !== undefined)
      return { lock: buildLock(by.value, newest), liveness: 'alive' }
    if (newest?.lock === undefined) return undefined
    const { lock } = newest
    if (by !== undefined) return { lock, liveness: by.ok ? 'dead' : 'elsewhere' }
    return { lock, liveness: await ports.liveness(lock.holder) }
  }
  return {
    kind: backend.kind,
    where: chain.where,
    async read() {
      const seen = await chains.look()
      return seen.ok ? { ok: true, value: seen.value.newest?.state } : seen
    },
    history: (select, last) => chain.history(select, last),
    async whenFree() {
      for (let owner: LockOwner | undefined; ; ) {
        const seen = await chains.look()
        // A read that fails later only prolongs the wait.
        if (seen.ok) owner = await findOwner(seen.value.newest?.state)
        if (owner === undefined || isOver(owner.lock, owner.liveness, ports.now())) return
        if (!(await ports.awaitLock?.(owner))) return
      }
    },
    async take(purpose, isExpected = () => true) {
      for (;;) {
        const taken = await takeSite(chains, { backend, ports, site, purpose, isExpected, notes })
        if (taken.kind !== 'locked' || !(await ports.awaitLock?.(taken))) return taken
      }
    },
    unlock: nonce => removeLock(chain, nonce, { backend, ports, site }),
    liveness: holder => ports.liveness(holder),
    lockOwner: findOwner,
  }
}

interface StorePlace {
  readonly backend: StateBackend
  readonly ports: StatePorts
  readonly site: string
}

interface TakeOptions extends StorePlace, Pick<OtherWitnesses, 'notes'> {
  readonly purpose: string
  isExpected(content: StateContent): boolean
}

async function takeSite(chains: SiteChains, taking: TakeOptions): Promise<TakeResult> {
  const { chain } = chains
  const { backend, site, purpose } = taking
  if (backend.guard === undefined) return takeLock(chains, taking)
  const guarded = await backend.guard.take(site, purpose)
  if (!guarded.ok) return { kind: 'failed', failure: guarded.error }
  if (guarded.value.kind === 'locked') {
    const newest = await chain.newest()
    if (!newest.ok) return { kind: 'failed', failure: newest.error }
    return { kind: 'locked', lock: buildLock(guarded.value.by, newest.value?.state), liveness: 'alive' }
  }
  const { release } = guarded.value
  const found = await takeLock(chains, taking)
  if (found.kind === 'held') return { ...found, held: withGuard(found.held, release) }
  await release()
  return found
}

/** Takes the site by adding a version with the lock, together with the record of the site's name. */
async function takeLock(
  chains: SiteChains,
  { backend, ports, purpose, isExpected, notes }: TakeOptions,
): Promise<TakeResult> {
  const { chain } = chains
  const { leaseMs } = backend
  const expiryOf = (now: number) =>
    leaseMs === undefined ? {} : { expiresAt: new Date(now + leaseMs).toISOString() }
  for (let race = 0; race < maxRaces; race += 1) {
    const seen = await chains.look()
    if (!seen.ok) return { kind: 'failed', failure: seen.error }
    const { newest: last } = seen.value
    const before = last?.state.lock
    let isGone = false
    if (before !== undefined) {
      const liveness = backend.guard === undefined ? await ports.liveness(before.holder) : 'dead'
      isGone = backend.guard === undefined && liveness === 'dead'
      if (!isOver(before, liveness, ports.now())) return { kind: 'locked', lock: before, liveness }
    }
    const content = selectContent(last?.state)
    if (!isExpected(content)) return { kind: 'moved' }
    const now = ports.now()
    const lock: Lock = {
      nonce: ports.nonce(),
      fence: (last?.state.serial ?? 0) + 1,
      holder: await ports.self(),
      purpose,
      since: new Date(now).toISOString(),
      ...expiryOf(now),
    }
    const former = before === undefined ? {} : { former: before, ...(isGone && { isGone: true as const }) }
    const named = chains.claim(seen.value)
    if (!named.ok) return { kind: 'failed', failure: named.error }
    const entry = { type: 'locked', ...former } as const
    const added = await appendAll(backend, [
      ...named.value,
      { chain, after: last, entry, content: { ...content, lock } },
    ])
    if (!added.ok) return { kind: 'failed', failure: added.error }
    const first = added.value[named.value.length]
    if (first === undefined) continue
    const claims = named.value.length === 0 ? seen.value : { ...seen.value, named: added.value[0] }
    const held = createHeldState(first, {
      backend,
      chain,
      lock,
      now: () => ports.now(),
      expiryOf,
      async claim(request, isAgain) {
        const known = isAgain ? await chains.look() : ({ ok: true, value: claims } as const)
        return known.ok ? chains.claim(known.value, request) : known
      },
    })
    const { note } = seen.value
    const isOpen =
      content.submission?.nonce === note?.nonce && content.submission && isPending(content.submission)
    if (note !== undefined && !isOpen) await notes?.forget(note)
    return { kind: 'held', held: notes?.watch(held) ?? held, ...former }
  }
  const reason = { kind: 'contended' } as const
  return { kind: 'failed', failure: { kind: 'overtaken', where: chain.where, reason } }
}

/**
 * True once a lock is over. A living process keeps its lock and a dead one loses it; if the process cannot be checked,
 * the lease decides.
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
    const { value: after } = last
    if (after?.state.lock === undefined) return { ok: true, value: 'not-locked' }
    const { lock } = after.state
    if (lock.nonce !== nonce) return { ok: true, value: 'another' }
    if (guarded === undefined && (await ports.liveness(lock.holder)) === 'alive')
      return { ok: true, value: 'alive' }
    const entry = { type: 'unlocked', lock } as const
    const added = await append({ chain, after, entry, content: selectContent(after.state) })
    if (!added.ok) return added
    return { ok: true, value: added.value === undefined ? 'another' : 'unlocked' }
  } finally {
    await guarded?.value.release()
  }
}
