import { mkdtemp, readdir, realpath, rm, stat, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Result, SiteRequest } from 'landform'
import { type ExitCode, exitCodes } from 'landform/cli'
import { isBelow } from 'landform/sites'
import type { Order } from '../model/run.js'
import type { GitReply, Repository } from './repository.js'

/** Folders with the files of commits; each is created once, on first use. */
export interface CommitFolders {
  /** Returns the folder with all files of a commit. It lasts at least an hour from now. */
  openFolder(commit: string): Promise<GitReply<string>>
  close(): Promise<void>
}

export interface CommitFolderOptions {
  /** The parent of the folders, each of which only this user can read. */
  readonly below: string
  /** Milliseconds since 1970. */
  now(): number
}

const hour = 3_600_000
const folderPrefix = 'landform-commit-'

/** Creates the folders, whose modification time is that of their last use: by it, processes remove each other's. */
export function createCommitFolders(
  repository: Repository,
  { below, now }: CommitFolderOptions,
): CommitFolders {
  const kept = new Map<string, { readonly folder: Promise<GitReply<string>>; readonly usedAt: number }>()
  const create = async (commit: string): Promise<GitReply<string>> => {
    // Resolves links, because paths are compared as text.
    const parent = await realpath(below)
    await removeUnused(parent, now() - hour)
    const folder = await mkdtemp(join(parent, folderPrefix))
    const made = await repository.checkOut(commit, folder)
    if (made.ok) return { ok: true, value: folder }
    await remove(folder)
    return made
  }
  const open = async (commit: string): Promise<GitReply<string>> => {
    const known = kept.get(commit)
    const isKept = known !== undefined && now() - known.usedAt < hour
    const folder = isKept ? known.folder : create(commit)
    kept.set(commit, { folder, usedAt: now() })
    const made = await folder
    if (made.ok) await utimes(made.value, now() / 1000, now() / 1000)
    return made
  }
  return {
    async openFolder(commit) {
      const made = await open(commit).catch((error: NodeJS.ErrnoException) => ({
        ok: false as const,
        error: `its files cannot be written below ${below} (${error.code ?? error.name})`,
      }))
      // A failure may be temporary; the next attempt uses a new folder.
      if (!made.ok) kept.delete(commit)
      return made
    },
    async close() {
      for (const { folder } of kept.values()) {
        const made = await folder
        if (made.ok) await remove(made.value)
      }
    },
  }
}

/** Removes folders that were last used before a time, by this process or by others, which may have been killed. */
async function removeUnused(parent: string, before: number): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(folderPrefix)) continue
    const usedAt = (await stat(join(parent, name)).catch(() => undefined))?.mtimeMs ?? before
    // A folder of another user cannot be removed.
    if (usedAt < before) await remove(join(parent, name)).catch(() => undefined)
  }
}

const remove = (folder: string) => rm(folder, { recursive: true, force: true })

/** The manifest file of an order, or the reason that it cannot be opened. */
export type ManifestReply = Result<
  Pick<SiteRequest, 'file' | 'elsewhere'>,
  { readonly message: string; readonly exitCode: ExitCode }
>

/**
 * Finds manifests in the folder of a worker or, if an order names a commit, in that. Files that the commit does not
 * contain, such as secrets, are read from the folder. Called before each step, because an earlier result may be gone an
 * hour later.
 */
export function createManifestFinder(folder: string, commits: CommitFolders) {
  const fail = (message: string, exitCode: ExitCode) => ({ ok: false, error: { message, exitCode } }) as const
  return async ({ manifest, commit }: Pick<Order, 'manifest' | 'commit'>): Promise<ManifestReply> => {
    const made = commit === undefined ? undefined : await commits.openFolder(commit)
    if (made?.ok === false)
      return fail(`the commit ${commit} cannot be read: ${made.error}`, exitCodes.trouble)
    const root = made?.value ?? folder
    const file = join(root, manifest)
    if (!isBelow(resolve(root), resolve(file)))
      return fail('the manifest is outside the folder of the worker', exitCodes.invalid)
    return { ok: true, value: { file, ...(made && { elsewhere: { root, instead: resolve(folder) } }) } }
  }
}
