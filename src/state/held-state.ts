import type { Submission } from '../plan/submission.js'
import { type Append, appendAll, type Chain, type Link, type LinkContent } from './chain.js'
import type { HeldState } from './ports.js'
import type { GuardHolder, StateBackend } from './series.js'
import { type Lock, type SiteState, type StateEntry, selectContent } from './site-state.js'
import type { StateReply } from './state-failure.js'

/** Copies held state, and replaces some of its operations. */
export function overrideHeldState(
  held: HeldState,
  ways: Partial<Pick<HeldState, 'write' | 'release' | 'unnoted'>>,
): HeldState {
  return {
    get content() {
      return held.content
    },
    get lock() {
      return held.lock
    },
    lineage: held.lineage,
    get isBehind() {
      return held.isBehind
    },
    get unnoted() {
      return ways.unnoted ?? held.unnoted
    },
    note: change => held.note(change),
    write: ways.write ?? held.write,
    confirm: () => held.confirm(),
    renew: () => held.renew(),
    release: ways.release ?? held.release,
  }
}

/** The lock that was taken, and the means to write under it. */
interface HeldStateOptions {
  readonly backend: Pick<StateBackend, 'addTogether'>
  readonly chain: Chain
  readonly lock: Lock
  now(): number
  /** Builds the versions that must be written elsewhere before a request is sent; `isAgain` if another run was first. */
  claim(request: Submission, isAgain: boolean): Promise<StateReply<readonly Append[]>>
  /** Returns the end of a lease that begins at `now`; empty if locks last as long as their process. */
  expiryOf(now: number): Expiry
}

/** Creates held state, which continues from the version that took the lock. */
export function createHeldState(first: Link, options: HeldStateOptions): HeldState {
  const { lock: taken, now, expiryOf } = options
  let content = selectContent(first.state)
  let lock = taken
  let isBehind = false
  const { put, confirm } = createWriter(first, options)
  /** Writes a version and restarts the lease, because a long request may take until the end of the current one. */
  const hold = async (entry: StateEntry) => {
    const renewed = { ...lock, ...expiryOf(now()) }
    const written = await put(entry, { ...content, lock: renewed })
    if (written.ok) lock = renewed
    isBehind = !written.ok
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
    get isBehind() {
      return isBehind
    },
    note(change) {
      content = change(content)
    },
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

/** True once a third of a lease has passed; `anew` is a lease that begins now. */
function isOverByAThird({ expiresAt }: Expiry, now: number, anew: Expiry): boolean {
  if (expiresAt === undefined || anew.expiresAt === undefined) return false
  const wholeMs = Date.parse(anew.expiresAt) - now
  return Date.parse(expiresAt) - now <= (wholeMs * 2) / 3
}

/** A write of state while other runs write the same chains. */
const maxTries = 5

/** Creates a writer that adds versions until another run has taken over the site. */
function createWriter(first: Link, { backend, chain, lock: { nonce }, claim }: HeldStateOptions) {
  let last = first
  let isOvertaken = false
  const failWith = (kind: 'taken-over' | 'contended') =>
    ({ ok: false, error: { kind: 'overtaken', where: chain.where, reason: { kind } } }) as const
  const overtaken = () => {
    isOvertaken = true
    return failWith('taken-over')
  }
  const put = async (entry: StateEntry, content: LinkContent): Promise<StateReply<void>> => {
    if (isOvertaken) return overtaken()
    const request = entry.type === 'submission' && entry.state === 'intent' ? content.submission : undefined
    let written: Link | undefined
    for (let race = 0; race < maxTries; race += 1) {
      const claims = request && (await claim(request, race > 0))
      if (claims?.ok === false) return claims
      const own = written === undefined ? [{ chain, after: last, entry, content }] : []
      const appends = [...own, ...(claims?.value ?? [])]
      const added = await appendAll(backend, appends)
      if (!added.ok) return added
      written ??= added.value[0]
      // A write that was reported as failed may have succeeded: no other run writes under this lock.
      const newest = written === undefined ? await chain.newest() : ({ ok: true, value: written } as const)
      if (!newest.ok) return newest
      if (newest.value === undefined) return overtaken()
      if (written === undefined && newest.value.state.lock?.nonce !== nonce) return overtaken()
      last = newest.value
      if (added.value.length === appends.length) return { ok: true, value: undefined }
    }
    return failWith('contended')
  }
  const confirm = async (): Promise<StateReply<void>> => {
    if (isOvertaken) return overtaken()
    const newest = await chain.newest()
    if (!newest.ok) return newest
    return newest.value?.text === last.text ? { ok: true, value: undefined } : overtaken()
  }
  return { put, confirm }
}

/** Builds the lock of a guard's holder: the lock in the newest version if it has the same process, otherwise a new one. */
export function buildLock(by: GuardHolder, newest: SiteState | undefined): Lock {
  const lock = newest?.lock
  const isSame = JSON.stringify(lock?.holder) === JSON.stringify(by.holder)
  return lock !== undefined && isSame ? lock : { ...by, fence: (newest?.serial ?? 0) + 1 }
}

/** Wraps held state so that releasing it also releases the guard, even if the last entry cannot be written. */
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
