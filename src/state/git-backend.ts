import type { GitOptions } from './git-program.js'
import { type GitRemote, gitRemote, type Tips } from './git-remote.js'
import { type Addition, type Series, type StateBackend, siteKey, type Version } from './series.js'
import type { StateFailure, StateReason, StateReply } from './state-failure.js'

const namespace = 'refs/landform/'
/** State in git. */
const leaseMs = 15 * 60_000
/** The maximum number of attempts to push. A push that meets another one is rejected, but may succeed when repeated. */
const maxPushes = 5

/**
 * Keeps the state of sites in a remote git repository, which every machine can read. Each site has a ref below
 * `refs/landform/`, and each version is a commit on top of the previous one. A push with `--force-with-lease` is the
 * compare-and-swap. A ref in the local repository records the newest version seen, so later runs detect a reset remote.
 */
export function gitBackend(remote: string, options: GitOptions): StateBackend {
  const git = gitRemote(remote, options)
  const refs = gitRefs(git)
  const refOf = (site: string) => `${namespace}${siteKey(site)}`
  const toAddition = ({ site, version }: Addition) => ({ ...version, ref: refOf(site) })
  return {
    kind: 'git',
    where: refs.where,
    leaseMs,
    address: git.address,
    series: site => gitSeries(refs, refOf(site)),
    addTogether: additions => refs.add(additions.map(toAddition)),
  }
}

function gitSeries(refs: GitRefs, ref: string): Series {
  return {
    where: `${refs.where} ${ref}`,
    async newest() {
      const seen = await refs.look(ref)
      if (!seen.ok) return seen
      const { commits, text } = seen.value
      return { ok: true, value: commits.length === 0 ? undefined : { serial: commits.length, text } }
    },
    async add(version) {
      const added = await refs.add([{ ...version, ref }])
      return added.ok ? { ok: true, value: added.value === 1 } : added
    },
    async all(_, last) {
      const seen = await refs.look(ref)
      if (!seen.ok) return seen
      const { commits } = seen.value
      const texts = await refs.read(commits.slice(0, last).toReversed())
      if (!texts.ok) return texts
      const before = commits.length - texts.value.length
      return { ok: true, value: texts.value.map((text, at) => ({ serial: before + at + 1, text })) }
    },
  }
}

/** A ref of the remote as it was last seen. */
interface SeenRef {
  /** Its commits, the newest first. */
  readonly commits: readonly string[]
  /** The document of the newest commit. */
  readonly text: string
}

interface NewVersion extends Version {
  readonly ref: string
}

/** The refs of a remote, with their last seen commits. */
interface GitRefs extends Pick<GitRemote, 'where' | 'read'> {
  /** Polls the remote for a ref; concurrent calls share one poll. */
  look(ref: string): Promise<StateReply<SeenRef>>
  /** Adds versions, and returns how many: all or none, or one after another if the remote supports no atomic pushes. */
  add(versions: readonly NewVersion[]): Promise<StateReply<number>>
}

const none: SeenRef = { commits: [], text: '' }

function gitRefs(git: GitRemote): GitRefs {
  const seen = new Map<string, SeenRef>()
  let notes: Tips = new Map()
  let isAtomic = true
  const tipOf = (ref: string) => seen.get(ref)?.commits[0]
  const failed = (ref: string, kind: StateFailure['kind'], reason: StateReason) =>
    ({ ok: false, error: { kind, where: `${git.where} ${ref}`, reason } }) as const
  const readNotes = async (): Promise<StateReply<unknown>> => {
    const noted = await git.notes()
    if (noted.ok) notes = noted.value
    return noted
  }

  /** Reads the refs that moved since they were seen. Returns those that no longer contain the commit that was seen. */
  const follow = async (tips: ReadonlyMap<string, string | undefined>): Promise<StateReply<Set<string>>> => {
    const moved = [...tips].flatMap(([ref, tip]) =>
      tip === undefined || tip === tipOf(ref) ? [] : [{ ref, tip }],
    )
    const unknown = moved.filter(({ ref, tip }) => tip !== notes.get(ref)).map(({ ref }) => ref)
    const fetched = await git.fetch(unknown)
    const chains = await git.chains(moved.map(({ tip }) => tip))
    if (!chains.ok) return fetched.ok ? chains : fetched
    const found = new Map(moved.map(({ ref }, at) => [ref, chains.value[at] ?? []]))
    const lost = new Set<string>()
    for (const [ref, tip] of tips) {
      const commits = found.get(ref) ?? (tip === undefined ? [] : seen.get(ref)?.commits) ?? []
      const known = [tipOf(ref), notes.get(ref)]
      if (known.some(one => one !== undefined && !commits.includes(one))) lost.add(ref)
      else if (tip === undefined) seen.set(ref, none)
    }
    const kept = [...found].filter(([ref]) => !lost.has(ref))
    const texts = await git.read(kept.map(([, [tip = '']]) => tip))
    if (!texts.ok) return texts
    for (const [at, [ref, commits]] of kept.entries()) seen.set(ref, { commits, text: texts.value[at] ?? '' })
    return { ok: true, value: lost }
  }

  const poll = joinCalls(async (refs: readonly string[]): Promise<StateReply<Set<string>>> => {
    // Reads the local refs before the remote, because another run in this repository may record a later version in between.
    const noted = refs.every(ref => seen.has(ref)) ? undefined : await readNotes()
    if (noted?.ok === false) return noted
    const tips = await git.tips(refs)
    return tips.ok ? follow(new Map(refs.map(ref => [ref, tips.value.get(ref)]))) : tips
  })

  const look: GitRefs['look'] = async ref => {
    const lost = await poll(ref)
    if (!lost.ok) return lost
    return lost.value.has(ref)
      ? failed(ref, 'damaged', { kind: 'rewritten', remote: git.name, ref, seenRef: git.seenName(ref) })
      : { ok: true, value: seen.get(ref) ?? none }
  }
  const lookAtAll = async (versions: readonly NewVersion[]): Promise<StateReply<unknown>> => {
    const looks = await Promise.all(versions.map(({ ref }) => look(ref)))
    return looks.find(({ ok }) => !ok) ?? { ok: true, value: undefined }
  }

  const add: GitRefs['add'] = async versions => {
    if (!isAtomic && versions.length > 1) return addInTurn(versions)
    const [{ ref: first } = { ref: '' }] = versions
    const countOf = (ref: string) => seen.get(ref)?.commits.length
    const isNext = versions.every(({ ref, serial }) => countOf(ref) === serial - 1)
    const looked = isNext ? undefined : await lookAtAll(versions)
    if (looked?.ok === false) return looked
    for (const { ref, serial } of versions) {
      const count = countOf(ref) ?? 0
      if (count >= serial) return { ok: true, value: 0 }
      if (count < serial - 1) return failed(ref, 'damaged', { kind: 'missing-version', serial: serial - 1 })
    }
    const commits = await git.commit(versions.map(version => ({ ...version, after: tipOf(version.ref) })))
    if (!commits.ok) return commits
    const moves = versions.map((version, at) => ({
      ...version,
      commit: commits.value[at] ?? '',
      before: tipOf(version.ref),
    }))
    for (let push = 1; ; push += 1) {
      const pushed = await git.push(moves)
      if (pushed.kind === 'pushed') {
        for (const { ref, commit, text } of moves)
          seen.set(ref, { commits: [commit, ...(seen.get(ref)?.commits ?? [])], text })
        await git.note(moves)
        return { ok: true, value: moves.length }
      }
      if (pushed.kind === 'one-at-a-time') {
        isAtomic = false
        return addInTurn(versions)
      }
      // The refs of the remote decide, not its response: a response may be lost, and a rejection may be a lost race.
      const after = await lookAtAll(moves)
      if (after.ok && moves.some(({ ref, serial }) => (countOf(ref) ?? 0) >= serial)) {
        const isOurs = moves.every(({ ref, commit }) => seen.get(ref)?.commits.includes(commit))
        return { ok: true, value: isOurs ? moves.length : 0 }
      }
      if (!after.ok || !pushed.isAnswer || push === maxPushes)
        return failed(first, 'unwritable', pushed.reason)
    }
  }
  const addInTurn: GitRefs['add'] = async versions => {
    for (const [at, version] of versions.entries()) {
      const added = await add([version])
      if (!added.ok) return added
      if (added.value === 0) return { ok: true, value: at }
    }
    return { ok: true, value: versions.length }
  }

  return {
    where: git.where,
    read: commits => git.read(commits),
    look,
    add,
  }
}

/** Merges calls within one microtask into a single call. */
function joinCalls<T>(ask: (keys: readonly string[]) => Promise<T>): (key: string) => Promise<T> {
  let next: { readonly keys: Set<string>; readonly reply: Promise<T> } | undefined
  return key => {
    if (next === undefined) {
      const keys = new Set<string>()
      const begin = () => {
        next = undefined
        return ask([...keys])
      }
      next = { keys, reply: Promise.resolve().then(begin) }
    }
    next.keys.add(key)
    return next.reply
  }
}
