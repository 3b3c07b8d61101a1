import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { computeDigest } from '../manifest/digest.js'
import {
  type GitOptions,
  gitProgram,
  parseGitFailure,
  parseObjects,
  quietFetch,
  readLine,
  redactAddress,
  splitLines,
} from './git-program.js'
import type { ProgramEnd } from './run-program.js'
import { isSiteKey, type Series, type StateBackend, siteKey } from './series.js'
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

/** The file in each commit that holds the document. */
const document = 'state.json'

/**
 * The operations on a local git repository and its remote. Of the commits that stay in the local repository only the
 * newest one that was seen has a ref, which is never pushed.
 */
export interface GitRemote {
  /** As the user would name it. */
  readonly where: string
  /** Lists the commits that refs of the remote point to. */
  tips(pattern: string): Promise<StateReply<ReadonlyMap<string, string>>>
  /** Lists the commits up to this one, the newest first; fetches its ref where they are missing locally. */
  chain(tip: Tip): Promise<StateReply<readonly string[]>>
  /** Reads the documents of commits. */
  read(commits: readonly string[]): Promise<StateReply<readonly string[]>>
  /** Creates a commit; two runs never create the same one, even with the same text. */
  commit(text: string, after: string | undefined): Promise<StateReply<string>>
  /** Names the local ref that records the commit that a ref of the remote was last seen at. */
  seenName(ref: string): string
  /** Reads the commit at which this repository last saw a ref of the remote. */
  lastSeen(ref: string): Promise<string | undefined>
  /** Notes such a commit, unless another run was first. Where the repository cannot be written to, nothing is noted. */
  noteSeen(tip: Tip, before: string | undefined): Promise<void>
  /** Points a ref to a commit if it still points to the one before; otherwise returns the reason. */
  push(tip: Tip, before: string | undefined): Promise<PushReply>
}

export interface Tip {
  readonly ref: string
  readonly commit: string
}

export type PushReply =
  | { readonly kind: 'pushed' }
  /** `isAnswer`: the remote itself rejected the push. Otherwise it may still take effect. */
  | { readonly kind: 'not-pushed'; readonly isAnswer: boolean; readonly reason: StateReason }

/**
 * Opens a remote of the repository around a folder, by its name, an address, or a path that begins with a dot or slash.
 */
export function gitRemote(remote: string, options: GitOptions): GitRemote {
  const git = gitProgram(options)
  /** Remembered, because each question starts a process. */
  let isRepository = false
  const where = `git:${redactAddress(remote)}`
  const address = /^\.{0,2}\//.test(remote) ? resolve(remote) : remote
  const name = computeDigest(Buffer.from(redactAddress(address))).slice(
    'sha256:'.length,
    'sha256:'.length + 12,
  )
  const seenName = (ref: string) => ref.replace(/^refs\/landform\//, `refs/landform-seen/${name}/`)
  const failed = (kind: StateFailure['kind'], reason: StateReason) =>
    ({ ok: false, error: { kind, where, reason } }) as const
  const unless = <T>(
    end: ProgramEnd,
    kind: StateFailure['kind'],
    value: (end: ProgramEnd) => T,
  ): StateReply<T> => (end.code === 0 ? { ok: true, value: value(end) } : failed(kind, parseGitFailure(end)))

  return {
    where,
    seenName,
    async tips(pattern) {
      // A remote with an address can be listed from any folder, but only a repository can keep the fetched objects.
      if (!isRepository) {
        const repository = await git(['rev-parse', '--git-dir'])
        if (repository.code !== 0) return failed('unreadable', parseGitFailure(repository))
        isRepository = true
      }
      const end = await git(['ls-remote', '--quiet', '--refs', '--', address, pattern])
      return unless(end, 'unreadable', ({ stdout }) => new Map(splitLines(stdout).map(parseRef)))
    },
    async chain({ ref, commit }) {
      const list = ['rev-list', '--first-parent', commit, '--']
      const known = await git(list)
      if (known.code === 0) return { ok: true, value: splitLines(known.stdout) }
      const fetched = await git([...quietFetch, '--', address, ref])
      if (fetched.code !== 0) return failed('unreadable', parseGitFailure(fetched))
      return unless(await git(list), 'unreadable', ({ stdout }) => splitLines(stdout))
    },
    async read(commits) {
      const end = await git(
        ['cat-file', '--batch'],
        commits.map(commit => `${commit}:${document}\n`).join(''),
      )
      if (end.code !== 0) return failed('unreadable', parseGitFailure(end))
      const texts = parseObjects(end.stdout).map(String)
      return texts.length === commits.length
        ? { ok: true, value: texts }
        : failed('damaged', { kind: 'no-document', document })
    },
    async commit(text, after) {
      const blob = await git(['hash-object', '-w', '--stdin'], text)
      if (blob.code !== 0) return failed('unwritable', parseGitFailure(blob))
      const tree = await git(['mktree'], `100644 blob ${readLine(blob)}\t${document}\n`)
      if (tree.code !== 0) return failed('unwritable', parseGitFailure(tree))
      // Two runs with the same text would make the same commit, and pushing an existing commit always succeeds.
      const message = `State of a site\n\nRun: ${randomBytes(12).toString('hex')}\n`
      const parents = after === undefined ? [] : ['-p', after]
      return unless(await git(['commit-tree', readLine(tree), ...parents], message), 'unwritable', readLine)
    },
    async lastSeen(ref) {
      const end = await git(['rev-parse', '--verify', '--quiet', seenName(ref)])
      return end.code === 0 ? readLine(end) : undefined
    },
    async noteSeen({ ref, commit }, before = '') {
      await git(['update-ref', seenName(ref), commit, before])
    },
    async push({ ref, commit }, before = '') {
      const lease = `--force-with-lease=${ref}:${before}`
      const end = await git([...plainPush, lease, '--', address, `${commit}:${ref}`])
      if (end.code === 0) return { kind: 'pushed' }
      const rejection = splitLines(end.stdout).find(line => line.startsWith('!'))
      const stderr = `${end.stderr}\n${rejection ?? ''}`
      return {
        kind: 'not-pushed',
        isAnswer: rejection !== undefined,
        reason: parseGitFailure({ ...end, stderr }),
      }
    },
  }
}

const plainPush = ['push', '--porcelain', '--no-verify', '--no-follow-tags', '--recurse-submodules=no']

function parseRef(line: string): readonly [string, string] {
  const [commit = '', ref = ''] = line.split('\t')
  return [ref, commit]
}
