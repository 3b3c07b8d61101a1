import type { GitOptions } from './git-program.js'
import { type GitRemote, gitRemote } from './git-remote.js'
import type { Series, StateBackend } from './series.js'
import { isSiteKey, siteKey } from './site-key.js'
import type { StateFailure, StateReason, StateReply } from './state-failure.js'

const namespace = 'refs/landform/'
const leaseMs = 15 * 60_000
/**
 * The most attempts of a push: one that meets another push at the remote is rejected, and may succeed when repeated.
 */
const maxPushes = 5

/**
 * Keeps the state of sites in a remote git repository, which every machine can read: each site has a ref below
 * `refs/landform/`, and each version is a commit on the one before. A push that names the commit it replaces is the
 * compare-and-swap. A ref in the local repository names the newest version seen, so later runs detect a reset remote.
 */
export function gitBackend(remote: string, options: GitOptions): StateBackend {
  const git = gitRemote(remote, options)
  return {
    kind: 'git',
    where: git.where,
    leaseMs,
    series: site => gitSeries(git, `${namespace}${siteKey(site)}`),
    async newestOfSome(max) {
      const tips = await git.tips(`${namespace}*`)
      if (!tips.ok) return tips
      const found = []
      const sites = [...tips.value].filter(([ref]) => isSiteKey(ref.slice(namespace.length)))
      for (const [ref, commit] of sites.slice(0, max)) {
        const chain = await git.chain({ ref, commit })
        if (!chain.ok) return chain
        const texts = await git.read([commit])
        if (!texts.ok) return texts
        found.push({ serial: chain.value.length, text: texts.value[0] ?? '' })
      }
      return { ok: true, value: found }
    },
  }
}

function gitSeries(git: GitRemote, ref: string): Series {
  const where = `${git.where} ${ref}`
  /** The commits of the series as last seen, the newest first; `undefined` before the first read. */
  let seen: readonly string[] | undefined
  const failed = (kind: StateFailure['kind'], reason: StateReason) =>
    ({ ok: false, error: { kind, where, reason } }) as const

  const poll = async (): Promise<StateReply<readonly string[]>> => {
    // This is read before the remote: another run in this repository may note a later version right after.
    const noted = await git.lastSeen(ref)
    const tips = await git.tips(ref)
    if (!tips.ok) return tips
    const commit = tips.value.get(ref)
    if (seen !== undefined && commit === seen[0] && commit === noted) return { ok: true, value: seen }
    const chain = commit === undefined ? { ok: true as const, value: [] } : await git.chain({ ref, commit })
    if (!chain.ok) return chain
    if ([seen?.[0], noted].some(one => one !== undefined && !chain.value.includes(one)))
      return failed('damaged', { kind: 'rewritten', seenRef: git.seenName(ref) })
    seen = chain.value
    if (commit !== undefined) await git.noteSeen({ ref, commit }, noted)
    return chain
  }

  return {
    where,
    async newest() {
      const chain = await poll()
      if (!chain.ok) return chain
      const [commit] = chain.value
      if (commit === undefined) return { ok: true, value: undefined }
      const texts = await git.read([commit])
      return texts.ok
        ? { ok: true, value: { serial: chain.value.length, text: texts.value[0] ?? '' } }
        : texts
    },
    async add({ serial, text }) {
      const chain: StateReply<readonly string[]> =
        seen?.length === serial - 1 ? { ok: true, value: seen } : await poll()
      if (!chain.ok) return chain
      const before = chain.value
      if (before.length >= serial) return { ok: true, value: false }
      if (before.length < serial - 1)
        return failed('damaged', { kind: 'missing-version', serial: serial - 1 })
      const commit = await git.commit(text, before[0])
      if (!commit.ok) return commit
      for (let push = 1; ; push += 1) {
        const pushed = await git.push({ ref, commit: commit.value }, before[0])
        if (pushed.kind === 'pushed') {
          seen = [commit.value, ...before]
          await git.noteSeen({ ref, commit: commit.value }, before[0])
          return { ok: true, value: true }
        }
        // The ref of the remote decides, not its answer: an answer may be lost, and a rejection may be a lost race.
        const after = await poll()
        if (after.ok && after.value.length >= serial)
          return { ok: true, value: after.value.includes(commit.value) }
        if (!after.ok || !pushed.isAnswer || push === maxPushes) return failed('unwritable', pushed.reason)
      }
    },
    async all() {
      const chain = await poll()
      if (!chain.ok) return chain
      const commits = chain.value.toReversed()
      const texts = await git.read(commits)
      if (!texts.ok) return texts
      return { ok: true, value: texts.value.map((text, at) => ({ serial: at + 1, text })) }
    },
  }
}
