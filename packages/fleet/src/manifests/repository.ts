import { describeStateReason } from '../../../../src/report/wording/state-failure.js'
import type { Result } from '../../../../src/result.js'
import { gitReason } from '../../../../src/state/git-failure.js'
import { lineIn, linesOf, objectsIn, quietFetch } from '../../../../src/state/git-output.js'
import { type GitEnd, type GitOptions, gitProgram } from '../../../../src/state/git-program.js'

/** What git answered, or why it has no answer, in words. */
export type GitReply<T> = Result<T, string>

/** A file or a link in a commit. */
export interface TreeEntry {
  /** From the top of the commit, with slashes. */
  readonly path: string
  readonly kind: 'file' | 'link'
  readonly object: string
  readonly bytes: number
}

/** What is asked of a git repository. Its files are read as they were committed: no filter, no hook and no attribute counts. */
export interface Repository {
  /** The commit that a branch, a tag or a digest names. */
  commitOf(name: string): Promise<GitReply<string>>
  /** Where the folder stands below the top of its repository: empty, or with a slash at its end. */
  prefix(): Promise<GitReply<string>>
  /** True where a branch of a remote was seen to lead to a commit, so that others can get it there. */
  isPublished(commit: string): Promise<boolean>
  /** Gets a commit from a remote where it is not there yet. */
  bring(commit: string): Promise<GitReply<void>>
  /** What a commit holds, but for repositories in it. */
  entries(commit: string): Promise<GitReply<readonly TreeEntry[]>>
  /** The bytes of objects, in their order. */
  objects(names: readonly string[]): Promise<GitReply<readonly Buffer[]>>
}

/** A pattern needs a place of its own: branches of the clone stay as they are. */
const allBranches = '+refs/heads/*:refs/landform/heads/*'

/** Asks the repository around a folder. */
export function repositoryAt(options: GitOptions): Repository {
  const git = gitProgram(options)
  const unless = <T>(end: GitEnd, value: (end: GitEnd) => T): GitReply<T> =>
    end.code === 0 ? { ok: true, value: value(end) } : { ok: false, error: reasonOf(end) }
  const has = async (commit: string) => (await git(['cat-file', '-e', `${commit}^{commit}`])).code === 0
  return {
    async commitOf(name) {
      const inside = await git(['rev-parse', '--git-dir'])
      if (inside.code !== 0) return { ok: false, error: reasonOf(inside) }
      const end = await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
      return end.code === 0
        ? { ok: true, value: lineIn(end) }
        : { ok: false, error: 'it names no commit here' }
    },
    prefix: async () =>
      unless(await git(['rev-parse', '--show-prefix']), ({ stdout }) =>
        stdout.toString('utf8').replace(/\n$/, ''),
      ),
    async isPublished(commit) {
      const end = await git(['for-each-ref', '--count=1', '--contains', commit, 'refs/remotes'])
      return end.code === 0 && linesOf(end.stdout).length > 0
    },
    async bring(commit) {
      if (await has(commit)) return { ok: true, value: undefined }
      const remotes = linesOf((await git(['remote'])).stdout)
      const remote = remotes.includes('origin') ? 'origin' : remotes[0]
      if (remote === undefined)
        return { ok: false, error: 'it is not there, and there is no remote to get it from' }
      // Most servers give a commit by its name; of the others all branches are asked for.
      await git([...quietFetch, '--', remote, commit])
      const all = (await has(commit))
        ? undefined
        : await git([...quietFetch, '--prune', '--', remote, allBranches])
      if (all !== undefined && all.code !== 0) return { ok: false, error: reasonOf(all) }
      return (await has(commit))
        ? { ok: true, value: undefined }
        : { ok: false, error: `${remote} does not have it` }
    },
    entries: async commit =>
      unless(await git(['ls-tree', '-r', '-z', '-l', '--full-tree', commit]), ({ stdout }) =>
        stdout.toString('utf8').split('\0').flatMap(entryOf),
      ),
    async objects(names) {
      const end = await git(['cat-file', '--batch'], names.map(name => `${name}\n`).join(''))
      if (end.code !== 0) return { ok: false, error: reasonOf(end) }
      const objects = objectsIn(end.stdout)
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

function entryOf(line: string): readonly TreeEntry[] {
  const [, mode = '', object = '', size = '', path = ''] =
    /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line) ?? []
  const kind = kinds[mode]
  return kind === undefined ? [] : [{ path, kind, object, bytes: Number(size) }]
}

/** In the words for a repository that keeps state, but for two that would be wrong here. */
function reasonOf(end: GitEnd): string {
  if (end.code === 'not-found') return 'the program git is not there'
  return /not a git repository \(or any/.test(end.stderr)
    ? 'the folder is in no git repository'
    : describeStateReason(gitReason(end))
}
