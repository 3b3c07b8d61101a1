import { mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Result } from 'landform'
import { describeStateReason } from 'landform/report'
import {
  findCloneTop,
  type GitOptions,
  gitProgram,
  type ProgramEnd,
  parseGitFailure,
  quietFetch,
  readLine,
  splitLines,
} from 'landform/state'

interface RepositoryHost extends Pick<GitOptions, 'environment'> {
  readonly clock: { now(): number }
}

type GitReply<T> = Result<T, string>

/** Fetches into a namespace of its own, so the branches of the clone do not change. */
const allBranches = '+refs/heads/*:refs/landform/heads/*'

/** Attributes that override all others. Git rejects `-working-tree-encoding`. */
const noConversion = '* -text -ident -filter !working-tree-encoding\n'

/** A git command for manifests. It may fetch a large commit from a slow remote, after a sign-in. */
const deadlineMs = 120_000
/** Files of a commit, after their last use. A run that opens a manifest may wait for its site for hours. */
const keptMs = 24 * 3_600_000
const folderPrefix = 'landform-commit-'

const fail = (error: string) => ({ ok: false, error }) as const
const done = { ok: true, value: undefined } as const
const remove = (folder: string) => rm(folder, { recursive: true, force: true })

/**
 * Opens the git repository of a folder. Its commits are read without filters, hooks and attributes, each into a new folder
 * in `below` that only this user can read.
 */
export function openRepository(folder: string, { environment, clock }: RepositoryHost, below = tmpdir()) {
  const options = { folder, environment, deadlineMs }
  const git = gitProgram(options)
  const now = () => clock.now()
  const kept = new Map<string, { readonly folder: Promise<GitReply<string>>; readonly usedAt: number }>()
  const create = async (commit: string): Promise<GitReply<string>> => {
    const fetched = await fetchCommit(git, commit)
    if (!fetched.ok) return fetched
    // Resolves links, because paths are compared as text.
    const parent = await realpath(below)
    await removeUnused(parent, now() - keptMs)
    const folder = await mkdtemp(join(parent, folderPrefix))
    const made = await checkOut(commit, folder, options)
    if (made.ok) return { ok: true, value: folder }
    await remove(folder)
    return made
  }
  const open = async (commit: string): Promise<GitReply<string>> => {
    const known = kept.get(commit)
    const isKept = known !== undefined && now() - known.usedAt < keptMs
    const folder = isKept ? known.folder : create(commit)
    kept.set(commit, { folder, usedAt: now() })
    const made = await folder
    // Any process removes a folder that has not been used for a day.
    if (made.ok) await utimes(made.value, now() / 1000, now() / 1000)
    return made
  }
  return {
    /** Finds the commit of a branch, a tag or a commit id, and the path from the top of the repository to the folder. */
    async resolveCommit(
      name: string,
    ): Promise<GitReply<{ readonly commit: string; readonly prefix: string }>> {
      const inside = await git(['rev-parse'])
      if (inside.code !== 0) return fail(describeGitFailure(inside))
      const found = await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
      if (found.code !== 0) return fail('it names no commit of this repository')
      const prefix = relative(findCloneTop(folder) ?? folder, folder)
      return { ok: true, value: { commit: readLine(found), prefix } }
    },
    /** True if a known remote branch contains a commit, so that other machines can fetch it. */
    async isPublished(commit: string): Promise<boolean> {
      const end = await git(['for-each-ref', '--count=1', '--contains', commit, 'refs/remotes'])
      return end.code === 0 && splitLines(end.stdout).length > 0
    },
    /** Lists the files that differ between two commits; `undefined` if the first one is missing in this clone. */
    async listChanges(from: string, to: string): Promise<ReadonlySet<string> | undefined> {
      const end = await git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to, '--'])
      return end.code === 0 ? new Set(end.stdout.toString('utf8').split('\0')) : undefined
    },
    /** Returns a folder with all files of a commit, which lasts at least a day from now. */
    async openFolder(commit: string): Promise<GitReply<string>> {
      const made = await open(commit).catch(({ code, name }: NodeJS.ErrnoException) =>
        fail(`its files cannot be written below ${below} (${code ?? name})`),
      )
      // A failure may be temporary; the next attempt uses a new folder.
      if (!made.ok) kept.delete(commit)
      return made
    },
    async close(): Promise<void> {
      for (const { folder } of kept.values()) {
        const made = await folder
        if (made.ok) await remove(made.value)
      }
    },
  }
}

/** Fetches a commit from a remote if it is missing. */
async function fetchCommit(git: ReturnType<typeof gitProgram>, commit: string): Promise<GitReply<void>> {
  const isHere = async () => (await git(['cat-file', '-e', `${commit}^{commit}`])).code === 0
  if (await isHere()) return done
  const remotes = splitLines((await git(['remote'])).stdout)
  const remote = remotes.includes('origin') ? 'origin' : remotes[0]
  if (remote === undefined) return fail('it is missing, and the repository has no remote')
  // Most servers send a commit by its id; for the others, this fetches all branches.
  await git([...quietFetch, '--', remote, commit])
  if (await isHere()) return done
  const all = await git([...quietFetch, '--prune', '--', remote, allBranches])
  if (all.code !== 0) return fail(describeGitFailure(all))
  return (await isHere()) ? done : fail(`${remote} does not have it`)
}

/**
 * Writes the files of a commit to an empty folder. Git rejects paths that lead out of it, and writes nothing through a
 * link. Meanwhile the folder is a repository, because the attributes of the clone cannot be turned off.
 */
async function checkOut(commit: string, folder: string, options: GitOptions): Promise<GitReply<void>> {
  const own = join(folder, '.git')
  for (const name of ['refs', 'info']) await mkdir(join(own, name), { recursive: true })
  await writeFile(join(own, 'HEAD'), 'ref: refs/heads/none\n')
  await writeFile(join(own, 'info/attributes'), noConversion)
  // The configuration has the format of object names, and the remote for objects that a partial clone lacks.
  for (const name of ['config', 'objects']) {
    const path = readLine(await gitProgram(options)(['rev-parse', '--git-path', name]))
    await symlink(path, join(own, name))
  }
  for (const command of [
    ['read-tree', commit],
    ['checkout-index', '--all'],
  ]) {
    const end = await gitProgram({ ...options, folder })(command)
    if (end.code !== 0) return fail(describeGitFailure(end))
  }
  const common = readLine(await gitProgram(options)(['rev-parse', '--git-common-dir']))
  await remove(own)
  // A manifest may refer to any file in its repository; the library finds its top and its remote through this file.
  await writeFile(own, `gitdir: ${common}\n`)
  return done
}

/** Removes folders that were last used before a time, including those of processes that were killed. */
async function removeUnused(parent: string, before: number): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(folderPrefix)) continue
    const usedAt = (await stat(join(parent, name)).catch(() => undefined))?.mtimeMs ?? before
    // A folder of another user cannot be removed.
    if (usedAt < before) await remove(join(parent, name)).catch(() => undefined)
  }
}

/** Describes a failure like one of state in git, except for two reasons that would be wrong here. */
function describeGitFailure(end: ProgramEnd): string {
  if (end.code === 'not-found') return 'git is not installed'
  return /not a git repository/.test(end.stderr)
    ? 'the folder is not in a git repository'
    : describeStateReason(parseGitFailure(end))
}
