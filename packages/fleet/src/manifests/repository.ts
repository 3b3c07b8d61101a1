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
export type Repository = ReturnType<typeof openRepository>

/** The pattern has its own namespace: branches of the clone do not change. */
const allBranches = '+refs/heads/*:refs/landform/heads/*'

const fail = (error: string) => ({ ok: false, error }) as const
const done = { ok: true, value: undefined } as const

/** Opens the repository of a folder. */
export function openRepository(options: GitOptions) {
  const git = gitProgram(options)
  const has = async (commit: string) => (await git(['cat-file', '-e', `${commit}^{commit}`])).code === 0
  return {
    /** Returns the commit of a branch, a tag or a digest. */
    async resolveCommit(name: string): Promise<GitReply<string>> {
      const inside = await git(['rev-parse', '--git-dir'])
      if (inside.code !== 0) return fail(describeGitFailure(inside))
      const end = await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
      if (end.code !== 0) return fail('it names no commit of this repository')
      return { ok: true, value: readLine(end) }
    },
    /** Returns the path of the folder in its repository: empty, or with a slash at its end. */
    async prefix(): Promise<GitReply<string>> {
      const end = await git(['rev-parse', '--show-prefix'])
      if (end.code !== 0) return fail(describeGitFailure(end))
      return { ok: true, value: end.stdout.toString('utf8').replace(/\n$/, '') }
    },
    /** True if a known remote branch contains a commit, so that other machines can fetch it. */
    async isPublished(commit: string): Promise<boolean> {
      const end = await git(['for-each-ref', '--count=1', '--contains', commit, 'refs/remotes'])
      return end.code === 0 && splitLines(end.stdout).length > 0
    },
    /** Fetches a commit from a remote if it is missing. */
    async fetch(commit: string): Promise<GitReply<void>> {
      if (await has(commit)) return done
      const remotes = splitLines((await git(['remote'])).stdout)
      const remote = remotes.includes('origin') ? 'origin' : remotes[0]
      if (remote === undefined) return fail('it is missing, and the repository has no remote')
      // Most servers send a commit by its id; from the others all branches are fetched.
      await git([...quietFetch, '--', remote, commit])
      if (await has(commit)) return done
      const all = await git([...quietFetch, '--prune', '--', remote, allBranches])
      if (all.code !== 0) return fail(describeGitFailure(all))
      return (await has(commit)) ? done : fail(`${remote} does not have it`)
    },
    /** Lists the files and links of a commit, without submodules. */
    async entries(commit: string): Promise<GitReply<readonly TreeEntry[]>> {
      const end = await git(['ls-tree', '-r', '-z', '-l', '--full-tree', commit])
      if (end.code !== 0) return fail(describeGitFailure(end))
      return { ok: true, value: end.stdout.toString('utf8').split('\0').flatMap(parseEntry) }
    },
    /** Reads objects, in the given order. */
    async objects(names: readonly string[]): Promise<GitReply<readonly Buffer[]>> {
      const end = await git(['cat-file', '--batch'], names.map(name => `${name}\n`).join(''))
      if (end.code !== 0) return fail(describeGitFailure(end))
      const value = parseObjects(end.stdout)
      return value.length === names.length
        ? { ok: true, value }
        : fail('the repository lacks a file of the commit')
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
