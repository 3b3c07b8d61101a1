import type { Result } from 'landform'
import { describeStateReason } from 'landform/report'
import {
  type GitOptions,
  gitProgram,
  type ProgramEnd,
  parseGitFailure,
  parseObjects,
  quietFetch,
  readLine,
  splitLines,
} from 'landform/state'

/** The result of git, or the reason of its failure. */
export type GitReply<T> = Result<T, string>

/** A file or a link in a commit. */
export interface TreeEntry {
  /** Path from the top of the commit, with slashes. */
  readonly path: string
  readonly kind: 'file' | 'link'
  readonly object: string
  readonly bytes: number
}

/** A git repository. Its files are read as committed, without filters, hooks and attributes. */
export interface Repository {
  /** Returns the commit of a branch, a tag or a digest. */
  resolveCommit(name: string): Promise<GitReply<string>>
  /** Returns the path of the folder in its repository: empty, or with a slash at its end. */
  prefix(): Promise<GitReply<string>>
  /** True if a known remote branch contains a commit, so that other machines can fetch it. */
  isPublished(commit: string): Promise<boolean>
  /** Fetches a commit from a remote if it is missing. */
  fetch(commit: string): Promise<GitReply<void>>
  /** Lists the files and links of a commit, without submodules. */
  entries(commit: string): Promise<GitReply<readonly TreeEntry[]>>
  /** Reads objects, in the given order. */
  objects(names: readonly string[]): Promise<GitReply<readonly Buffer[]>>
}

/** The pattern has its own namespace: branches of the clone do not change. */
const allBranches = '+refs/heads/*:refs/landform/heads/*'

/** Opens the repository of a folder. */
export function openRepository(options: GitOptions): Repository {
  const git = gitProgram(options)
  const unless = <T>(end: ProgramEnd, value: (end: ProgramEnd) => T): GitReply<T> =>
    end.code === 0 ? { ok: true, value: value(end) } : { ok: false, error: describeGitFailure(end) }
  const has = async (commit: string) => (await git(['cat-file', '-e', `${commit}^{commit}`])).code === 0
  return {
    async resolveCommit(name) {
      const inside = await git(['rev-parse', '--git-dir'])
      if (inside.code !== 0) return { ok: false, error: describeGitFailure(inside) }
      const end = await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
      return end.code === 0
        ? { ok: true, value: readLine(end) }
        : { ok: false, error: 'it names no commit of this repository' }
    },
    prefix: async () =>
      unless(await git(['rev-parse', '--show-prefix']), ({ stdout }) =>
        stdout.toString('utf8').replace(/\n$/, ''),
      ),
    async isPublished(commit) {
      const end = await git(['for-each-ref', '--count=1', '--contains', commit, 'refs/remotes'])
      return end.code === 0 && splitLines(end.stdout).length > 0
    },
    async fetch(commit) {
      if (await has(commit)) return { ok: true, value: undefined }
      const remotes = splitLines((await git(['remote'])).stdout)
      const remote = remotes.includes('origin') ? 'origin' : remotes[0]
      if (remote === undefined) return { ok: false, error: 'it is missing, and the repository has no remote' }
      // Most servers send a commit by its id; from the others all branches are fetched.
      await git([...quietFetch, '--', remote, commit])
      const all = (await has(commit))
        ? undefined
        : await git([...quietFetch, '--prune', '--', remote, allBranches])
      if (all !== undefined && all.code !== 0) return { ok: false, error: describeGitFailure(all) }
      return (await has(commit))
        ? { ok: true, value: undefined }
        : { ok: false, error: `${remote} does not have it` }
    },
    entries: async commit =>
      unless(await git(['ls-tree', '-r', '-z', '-l', '--full-tree', commit]), ({ stdout }) =>
        stdout.toString('utf8').split('\0').flatMap(parseEntry),
      ),
    async objects(names) {
      const end = await git(['cat-file', '--batch'], names.map(name => `${name}\n`).join(''))
      if (end.code !== 0) return { ok: false, error: describeGitFailure(end) }
      const objects = parseObjects(end.stdout)
      return objects.length === names.length
        ? { ok: true, value: objects }
        : { ok: false, error: 'the repository lacks a file of the commit' }
    },
  }
}

const kinds: Readonly<Record<string, TreeEntry['kind']>> = {
  '100644': 'file',
  '100755': 'file',
  '120000': 'link',
}

function parseEntry(line: string): readonly TreeEntry[] {
  const [, mode = '', object = '', size = '', path = ''] =
    /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line) ?? []
  const kind = kinds[mode]
  return kind === undefined ? [] : [{ path, kind, object, bytes: Number(size) }]
}

/** Describes a failure as for a repository that stores state, except for two reasons that would be wrong here. */
function describeGitFailure(end: ProgramEnd): string {
  if (end.code === 'not-found') return 'the program `git` was not found'
  return /not a git repository \(or any/.test(end.stderr)
    ? 'the folder is not in a git repository'
    : describeStateReason(parseGitFailure(end))
}
