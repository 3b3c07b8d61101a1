import type { Chain, Link, LinkContent } from './chain.js'
import type { HeldState } from './ports.js'
import type { GuardHolder } from './series.js'
import { type Lock, type SiteState, type StateEntry, selectContent } from './site-state.js'
import type { StateFailure, StateReply } from './state-failure.js'

/** Copies held state with other functions for some operations. */
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

/** The lock that was taken, and the means to write under it. */
interface HeldStateOptions {
  readonly chain: Chain
  readonly lock: Lock
  now(): number
  /** Returns the end of a lease that begins then; nothing where locks last as long as their process. */
  expiryOf(now: number): Expiry
}

/** Creates held state, which continues from the version that took the lock. */
export function createHeldState(
  first: Link,
  { chain, lock: taken, now, expiryOf }: HeldStateOptions,
): HeldState {
  let content = selectContent(first.state)
  let lock = taken
  const { put, confirm } = createWriter(first, chain, taken.nonce)
  /** Writes a version, which restarts the lease: a long request may take as long as the version before it is valid. */
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

/** True once a third of a lease has passed; the last parameter is a lease that begins now. */
function isOverByAThird({ expiresAt }: Expiry, now: number, anew: Expiry): boolean {
  if (expiresAt === undefined || anew.expiresAt === undefined) return false
  const wholeMs = Date.parse(anew.expiresAt) - now
  return Date.parse(expiresAt) - now <= (wholeMs * 2) / 3
}

/** Creates a writer of one version after another, until another run has taken over the site. */
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
      // A write that was reported as failed may have succeeded: under this lock no other run writes.
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

/** Builds the lock of a guard holder: the lock in the newest version, if that is of the same process. */
export function buildLock(by: GuardHolder, newest: SiteState | undefined): Lock {
  const lock = newest?.lock
  const isSame = JSON.stringify(lock?.holder) === JSON.stringify(by.holder)
  return lock !== undefined && isSame ? lock : { ...by, fence: (newest?.serial ?? 0) + 1 }
}

/** Wraps held state so that its release also releases the guard, whether its last entry could be written or not. */
export function withGuard(held: HeldState, release: () => Promise<void>): HeldState {
  return overrideHeldState(held, {
    async release(entry) {
      try {
        return await held.release(entry)
      } finally {
        await release()
      }
    },
  })
}
