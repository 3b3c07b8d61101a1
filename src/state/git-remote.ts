import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { computeDigest } from '../manifest/digest.js'
import { parseGitFailure, redactAddress } from './git-failure.js'
import { parseObjects, quietFetch, readLine, splitLines } from './git-output.js'
import { type GitEnd, type GitOptions, gitProgram } from './git-program.js'
import type { StateFailure, StateReason, StateReply } from './state-failure.js'

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
  const unless = <T>(end: GitEnd, kind: StateFailure['kind'], value: (end: GitEnd) => T): StateReply<T> =>
    end.code === 0 ? { ok: true, value: value(end) } : failed(kind, parseGitFailure(end))

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
