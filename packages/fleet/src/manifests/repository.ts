import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Result } from 'landform'
import { describeStateReason } from 'landform/report'
import {
  type GitOptions,
  gitProgram,
  type ProgramEnd,
  parseGitFailure,
  quietFetch,
  readLine,
  splitLines,
} from 'landform/state'

/** The result of git, or the reason of its failure. */
export type GitReply<T> = Result<T, string>

/** A git repository. Its files are read as committed, without filters, hooks and attributes. */
export type Repository = ReturnType<typeof openRepository>

/** The pattern has its own namespace: branches of the clone do not change. */
const allBranches = '+refs/heads/*:refs/landform/heads/*'

/** Comes before every other attribute. `-working-tree-encoding` would be an error of git. */
const noConversion = '* -text -ident -filter !working-tree-encoding\n'

const fail = (error: string) => ({ ok: false, error }) as const
const done = { ok: true, value: undefined } as const

/** Opens the repository of a folder. */
export function openRepository(options: GitOptions) {
  const git = gitProgram(options)
  const has = async (commit: string) => (await git(['cat-file', '-e', `${commit}^{commit}`])).code === 0
  /** Fetches a commit from a remote if it is missing. */
  const fetch = async (commit: string): Promise<GitReply<void>> => {
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
  }
  return {
    /** Finds the commit of a branch, a tag or a digest, and the path from its top to the folder. */
    async resolveCommit(
      name: string,
    ): Promise<GitReply<{ readonly commit: string; readonly prefix: string }>> {
      const inside = await git(['rev-parse', '--show-prefix'])
      if (inside.code !== 0) return fail(describeGitFailure(inside))
      const found = await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
      if (found.code !== 0) return fail('it names no commit of this repository')
      const prefix = inside.stdout.toString('utf8').replace(/\n$/, '')
      return { ok: true, value: { commit: readLine(found), prefix } }
    },
    /** True if a known remote branch contains a commit, so that other machines can fetch it. */
    async isPublished(commit: string): Promise<boolean> {
      const end = await git(['for-each-ref', '--count=1', '--contains', commit, 'refs/remotes'])
      return end.code === 0 && splitLines(end.stdout).length > 0
    },
    /**
     * Writes the files of a commit to an empty folder. Git rejects paths that lead out of it, and writes nothing through a
     * link. The folder is a repository meanwhile, because the attributes of this one could not be turned off.
     */
    async checkOut(commit: string, folder: string): Promise<GitReply<void>> {
      const fetched = await fetch(commit)
      if (!fetched.ok) return fetched
      const own = join(folder, '.git')
      for (const name of ['refs', 'info']) await mkdir(join(own, name), { recursive: true })
      await writeFile(join(own, 'HEAD'), 'ref: refs/heads/none\n')
      await writeFile(join(own, 'info/attributes'), noConversion)
      // The configuration says how objects are named, and where to get those that a partial clone lacks.
      for (const name of ['config', 'objects']) {
        const path = readLine(await git(['rev-parse', '--git-path', name]))
        await symlink(resolve(options.folder, path), join(own, name))
      }
      const inside = gitProgram({ ...options, folder })
      for (const command of [
        ['read-tree', commit],
        ['checkout-index', '--all'],
      ]) {
        const end = await inside(['--git-dir=.git', '--work-tree=.', ...command])
        if (end.code !== 0) return fail(describeGitFailure(end))
      }
      await rm(own, { recursive: true })
      // A manifest may refer to any file in its repository, whose top the library finds by this name.
      await writeFile(own, `Files of commit ${commit}; not a repository.\n`)
      return done
    },
  }
}

/** Describes a failure as for a repository that stores state, except for two reasons that would be wrong here. */
function describeGitFailure(end: ProgramEnd): string {
  if (end.code === 'not-found') return 'the program `git` was not found'
  return /not a git repository \(or any/.test(end.stderr)
    ? 'the folder is not in a git repository'
    : describeStateReason(parseGitFailure(end))
}
