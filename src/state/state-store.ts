import type { Holder, StageTiming } from '../plan/submission.js'
import type { Series, StateBackend } from './series.js'
import {
  type Content,
  contentOf,
  digestOfText,
  type Entry,
  formatState,
  type Lock,
  parseState,
  type SiteState,
} from './site-state.js'
import type { StateFailure, StateReply } from './state-failure.js'

/** What the store needs of the world. */
export interface StatePorts {
  /** Milliseconds since 1970. */
  now(): number
  /** Text that nobody guesses. */
  nonce(): string
  /** This process, as others will know it. */
  self(): Promise<Holder>
  /** Whether a process still runs; `elsewhere` where that cannot be told from here. */
  liveness(holder: Holder): Promise<'alive' | 'dead' | 'elsewhere'>
  /** Name and version of the tool. */
  readonly tool: string
}

/** The state of one site: its journal, lock, record and receipts. */
export interface StateStore {
  readonly kind: StateBackend['kind']
  /** Where it is kept, as the user would name it. */
  readonly where: string
  /** The newest version, or `undefined` where nothing is kept yet; never that because it could not be read. */
  read(): Promise<StateReply<SiteState | undefined>>
  /** Every version, the oldest first, once the chain has been found whole. */
  history(): Promise<StateReply<readonly SiteState[]>>
  /** Takes the site for one run, if no other has it and what is kept is as expected. */
  take(purpose: string, isExpected?: (content: Content) => boolean): Promise<Taken>
  /** Removes the lock with this nonce, unless its process is known to live: that one still works on the site. */
  unlock(nonce: string): Promise<StateReply<'unlocked' | 'not-locked' | 'another' | 'alive'>>
  /** Whether a process still runs, as far as can be told from here. */
  liveness(holder: Holder): Promise<'alive' | 'dead' | 'elsewhere'>
  /** How long the stages of configurations took that are known here, of every site. */
  timings(): Promise<readonly (readonly StageTiming[])[]>
}

/** A site that this run has, or why it has not. */
export type Taken =
  | { readonly kind: 'held'; readonly held: HeldState; readonly former?: Lock }
  | { readonly kind: 'locked'; readonly lock: Lock; readonly liveness: 'alive' | 'dead' | 'elsewhere' }
  | { readonly kind: 'moved' }
  | { readonly kind: 'failed'; readonly failure: StateFailure }

/** The state of a site as long as one run has it. Each write is a version of its own. */
export interface HeldState {
  readonly content: Content
  readonly lock: Lock
  /**
   * Notes what happened. Where that cannot be written it is kept for the next write, which writes everything; but
   * `overtaken` is final: another run has the site.
   */
  write(entry: Entry, change: (content: Content) => Content): Promise<StateReply<void>>
  /** Makes a lease last longer once a third of it is over; nothing where locks last as long as their process. */
  renew(): Promise<StateReply<void>>
  /** Lets the site go, with a last word. */
  release(entry: Entry): Promise<StateReply<void>>
}

/** Clocks of two machines may be apart: a lease is over only this long after its end. */
const clockSkewMs = 2 * 60_000
/** How often a race for the next number is run before it is given up. */
const mostRaces = 5

/** Keeps the state of a site in a series of a backend. */
export function stateStore(backend: StateBackend, site: string, ports: StatePorts): StateStore {
  const series = backend.series(site)
  const { where } = series
  const expiryOf = (now: number) =>
    backend.leaseMs === undefined ? {} : { expiresAt: new Date(now + backend.leaseMs).toISOString() }

  const read = async () => {
    const newest = await series.newest()
    if (!newest.ok || newest.value === undefined) return newest as StateReply<undefined>
    const state = parseState(newest.value, { site, where })
    return state.ok ? { ok: true as const, value: { state: state.value, text: newest.value.text } } : state
  }

  /** Adds a version after another; false where another run was first. */
  const append = async (after: Last | undefined, entry: Entry, rest: Rest) => {
    const state: SiteState = {
      formatVersion: 1,
      site,
      lineage: after?.state.lineage ?? ports.nonce(),
      serial: (after?.state.serial ?? 0) + 1,
      previous: after === undefined ? null : digestOfText(after.text),
      writtenAt: new Date(ports.now()).toISOString(),
      tool: ports.tool,
      entry,
      ...rest,
    }
    const text = formatState(state)
    const added = await series.add({ serial: state.serial, text })
    if (!added.ok) return added
    return { ok: true as const, value: added.value ? { state, text } : undefined }
  }

  const take: StateStore['take'] = async (purpose, isExpected = () => true) => {
    for (let race = 0; race < mostRaces; race += 1) {
      const last = await read()
      if (!last.ok) return { kind: 'failed', failure: last.failure }
      const before = last.value?.state.lock
      if (before !== undefined) {
        const liveness = await ports.liveness(before.holder)
        if (!isOver(before, liveness, ports.now())) return { kind: 'locked', lock: before, liveness }
      }
      const content = contentOf(last.value?.state)
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
      const former = before === undefined ? {} : { former: before }
      const added = await append(last.value, { type: 'locked', ...former }, { ...content, lock })
      if (!added.ok) return { kind: 'failed', failure: added.failure }
      if (added.value !== undefined)
        return {
          kind: 'held',
          held: heldState(added.value, { lock, read, append, expiryOf, ports, where }),
          ...former,
        }
    }
    return { kind: 'failed', failure: { kind: 'overtaken', where, reason: 'other runs keep writing it' } }
  }

  return {
    kind: backend.kind,
    where,
    async read() {
      const last = await read()
      return last.ok ? { ok: true, value: last.value?.state } : last
    },
    history: () => historyOf(series, site),
    take,
    async unlock(nonce) {
      const last = await read()
      if (!last.ok) return last
      const lock = last.value?.state.lock
      if (lock === undefined) return { ok: true, value: 'not-locked' }
      if (lock.nonce !== nonce) return { ok: true, value: 'another' }
      if ((await ports.liveness(lock.holder)) === 'alive') return { ok: true, value: 'alive' }
      const content = contentOf(last.value?.state)
      const added = await append(last.value, { type: 'unlocked', lock }, content)
      if (!added.ok) return added
      return { ok: true, value: added.value === undefined ? 'another' : 'unlocked' }
    },
    liveness: holder => ports.liveness(holder),
    async timings() {
      const newest = await backend.newestOfAll()
      if (!newest.ok) return []
      return newest.value.flatMap(({ text }) => timingsIn(text))
    },
  }
}

interface Last {
  readonly state: SiteState
  readonly text: string
}

type Rest = Content & Pick<SiteState, 'lock'>

interface Holding {
  readonly lock: Lock
  readonly where: string
  readonly ports: StatePorts
  read(): Promise<StateReply<Last | undefined>>
  append(after: Last, entry: Entry, rest: Rest): Promise<StateReply<Last | undefined>>
  expiryOf(now: number): Pick<Lock, 'expiresAt'>
}

function heldState(first: Last, { lock: taken, where, ports, read, append, expiryOf }: Holding): HeldState {
  let last = first
  let content = contentOf(first.state)
  let lock = taken
  let overtaken = false
  const put = async (entry: Entry, rest: Rest): Promise<StateReply<void>> => {
    const failure: StateFailure = { kind: 'overtaken', where, reason: 'another run has taken the site over' }
    if (overtaken) return { ok: false, failure }
    let added = await append(last, entry, rest)
    if (added.ok && added.value === undefined) {
      // A write that was said to fail may stand there all the same: under our lock nobody else writes.
      const newest = await read()
      if (!newest.ok) return newest
      if (newest.value?.state.lock?.nonce === taken.nonce) added = await append(newest.value, entry, rest)
    }
    if (!added.ok) return added
    if (added.value === undefined) {
      overtaken = true
      return { ok: false, failure }
    }
    last = added.value
    return { ok: true, value: undefined }
  }
  /** Every version begins the lease anew: the one before a long request is then good for as long as that may take. */
  const hold = async (entry: Entry) => {
    const renewed = { ...lock, ...expiryOf(ports.now()) }
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
    write(entry, change) {
      content = change(content)
      return hold(entry)
    },
    async renew() {
      const now = ports.now()
      const expiry = expiryOf(now).expiresAt
      if (expiry === undefined || lock.expiresAt === undefined) return { ok: true, value: undefined }
      const whole = Date.parse(expiry) - now
      const isEarly = Date.parse(lock.expiresAt) - now > (whole * 2) / 3
      return isEarly ? { ok: true, value: undefined } : hold({ type: 'renewed' })
    },
    release: entry => put(entry, content),
  }
}

/** A living process keeps its lock whatever the time; a dead one has none; of another machine only the lease tells. */
function isOver(lock: Lock, liveness: 'alive' | 'dead' | 'elsewhere', now: number): boolean {
  if (liveness !== 'elsewhere') return liveness === 'dead'
  return lock.expiresAt !== undefined && Date.parse(lock.expiresAt) + clockSkewMs <= now
}

/** Each version must name the text before it: what was altered, taken out or put in shows. */
async function historyOf(series: Series, site: string): Promise<StateReply<readonly SiteState[]>> {
  const { where } = series
  const all = await series.all()
  if (!all.ok) return all
  const states: SiteState[] = []
  let expected: string | null = null
  for (const version of all.value) {
    const state = parseState(version, { site, where })
    if (!state.ok) return state
    if (state.value.previous !== expected) {
      const reason = `version ${version.serial} does not follow the one before it: one of them was altered`
      return { ok: false, failure: { kind: 'damaged', where, reason } }
    }
    states.push(state.value)
    expected = digestOfText(version.text)
  }
  return { ok: true, value: states }
}

/** Of another site whatever can be read: an estimate is worth no failure. */
function timingsIn(text: string): readonly (readonly StageTiming[])[] {
  try {
    const { submission } = JSON.parse(text) as Partial<SiteState>
    return submission?.timings === undefined ? [] : [submission.timings]
  } catch {
    return []
  }
}
