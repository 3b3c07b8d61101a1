import { join, resolve } from 'node:path'
import type { Result, SiteRequest } from 'landform'
import { type ExitCode, exitCodes } from 'landform/cli'
import { isBelow } from 'landform/sites'
import type { Order } from '../model/run.js'
import type { CommitFolders } from './commit-folders.js'

/** The manifest file of an order, or the reason that it cannot be opened. */
export type ManifestReply = Result<Pick<SiteRequest, 'file' | 'elsewhere'>, ManifestFailure>

export interface ManifestFailure {
  readonly message: string
  readonly exitCode: ExitCode
}

/** Finds the manifest of an order; called before each step, because an earlier result may be gone an hour later. */
export type FindManifest = (order: Pick<Order, 'manifest' | 'commit'>) => Promise<ManifestReply>

/**
 * Finds manifests in the folder of a worker or, if an order names a commit, in that. Files that the commit does not
 * contain, such as secrets, are read from the folder.
 */
export function createManifestFinder(folder: string, commits: CommitFolders): FindManifest {
  return async ({ manifest, commit }) => {
    if (commit === undefined) return resolveFile(folder, manifest)
    const made = await commits.openFolder(commit)
    if (!made.ok)
      return {
        ok: false,
        error: { message: `the commit ${commit} cannot be read: ${made.error}`, exitCode: exitCodes.trouble },
      }
    const found = resolveFile(made.value, manifest)
    const elsewhere = { root: made.value, instead: resolve(folder) }
    return found.ok ? { ok: true, value: { ...found.value, elsewhere } } : found
  }
}

function resolveFile(folder: string, manifest: string): ManifestReply {
  const file = join(folder, manifest)
  if (isBelow(resolve(folder), resolve(file))) return { ok: true, value: { file } }
  return {
    ok: false,
    error: { message: 'the manifest is outside the folder of the worker', exitCode: exitCodes.invalid },
  }
}
