import type { Chain, Link, LinkContent } from './chain.js'
import type { HeldState } from './ports.js'
import { type Lock, type StateEntry, selectContent } from './site-state.js'
import type { StateFailure, StateReply } from './state-failure.js'

/** The same state, some of whose ways are others. */
export function overrideHeldState(
  held: HeldState,
  ways: Partial<Pick<HeldState, 'write' | 'release'>>,
): HeldState {
  return {
    get content() {
      return held.content
    },
    get lock() {
      return held.lock
    },
    lineage: held.lineage,
    write: (entry, change) => held.write(entry, change),
    confirm: () => held.confirm(),
    renew: () => held.renew(),
    release: entry => held.release(entry),
    ...ways,
  }
}

/** What was taken, and how to go on from there. */
interface HeldStateOptions {
  readonly chain: Chain
  readonly lock: Lock
  now(): number
  /** When a lease ends that begins then; nothing where locks last as long as their process. */
  expiryOf(now: number): Expiry
}

/** Goes on from the version that took the lock. */
export function createHeldState(
  first: Link,
  { chain, lock: taken, now, expiryOf }: HeldStateOptions,
): HeldState {
  let content = selectContent(first.state)
  let lock = taken
  const { put, confirm } = createWriter(first, chain, taken.nonce)
  /** Every version begins the lease anew: the one before a long request is then good for as long as that may take. */
  const hold = async (entry: StateEntry) => {
    const renewed = { ...lock, ...expiryOf(now()) }
    const written = await put(entry, { ...content, lock: renewed })
    if (written.ok) lock = renewed
    return written
  }
  return {
    get content() {
      return content
    },
    get lock() {
      return lock
    },
    lineage: first.state.lineage,
    write(entry, change) {
      content = change(content)
      return hold(entry)
    },
    confirm,
    async renew() {
      const begin = now()
      const isDue = isOverByAThird(lock, begin, expiryOf(begin))
      return isDue ? hold({ type: 'renewed' }) : { ok: true, value: undefined }
    },
    release: entry => put(entry, content),
  }
}

type Expiry = Pick<Lock, 'expiresAt'>

/** Whether a third of a lease is over; `anew` is when it would end if it began now. */
function isOverByAThird({ expiresAt }: Expiry, now: number, anew: Expiry): boolean {
  if (expiresAt === undefined || anew.expiresAt === undefined) return false
  const wholeMs = Date.parse(anew.expiresAt) - now
  return Date.parse(expiresAt) - now <= (wholeMs * 2) / 3
}

/** Writes version after version, until another run has taken the site over. */
function createWriter(first: Link, chain: Chain, nonce: string) {
  let last = first
  let isOvertaken = false
  const reason = { kind: 'taken-over' } as const
  const failure: StateFailure = { kind: 'overtaken', where: chain.where, reason }
  const overtaken = () => {
    isOvertaken = true
    return { ok: false, error: failure } as const
  }
  const put = async (entry: StateEntry, content: LinkContent): Promise<StateReply<void>> => {
    if (isOvertaken) return { ok: false, error: failure }
    let added = await chain.append(last, entry, content)
    if (added.ok && added.value === undefined) {
      // A write that was said to fail may stand there all the same: under our lock nobody else writes.
      const newest = await chain.newest()
      if (!newest.ok) return newest
      if (newest.value?.state.lock?.nonce === nonce) added = await chain.append(newest.value, entry, content)
    }
    if (!added.ok) return added
    if (added.value === undefined) return overtaken()
    last = added.value
    return { ok: true, value: undefined }
  }
  const confirm = async (): Promise<StateReply<void>> => {
    if (isOvertaken) return { ok: false, error: failure }
    const newest = await chain.newest()
    if (!newest.ok) return newest
    return newest.value?.text === last.text ? { ok: true, value: undefined } : overtaken()
  }
  return { put, confirm }
}
