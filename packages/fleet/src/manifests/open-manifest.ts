import { join, resolve } from 'node:path'
import { type ExitCode, exitCodes } from '../../../../src/cli/exit-code.js'
import { isBelow } from '../../../../src/library/manifest-root.js'
import type { SiteRequest } from '../../../../src/library/site-request.js'
import type { Result } from '../../../../src/result.js'
import type { Order } from '../model/run.js'
import type { CommitFolders } from './commit-folders.js'

/** Where a worker finds the manifest of an order, or why it does not. */
export type ManifestReply = Result<Pick<SiteRequest, 'file' | 'elsewhere'>, NoManifest>

export interface NoManifest {
  readonly message: string
  readonly exitCode: ExitCode
}

/** Finds the manifest of an order; asked before each step, for what was found may be gone an hour later. */
export type FindManifest = (order: Pick<Order, 'manifest' | 'commit'>) => Promise<ManifestReply>

/**
 * Finds manifests in the folder of a worker or, where an order names a commit, in that; then files that the commit does
 * not hold are taken from the folder, for nobody commits a secret.
 */
export function manifestFinder(folder: string, commits: CommitFolders): FindManifest {
  return async ({ manifest, commit }) => {
    if (commit === undefined) return fileIn(folder, manifest)
    const made = await commits.folderOf(commit)
    if (!made.ok)
      return {
        ok: false,
        error: { message: `the commit ${commit} cannot be read: ${made.error}`, exitCode: exitCodes.trouble },
      }
    const found = fileIn(made.value, manifest)
    const elsewhere = { root: made.value, instead: resolve(folder) }
    return found.ok ? { ok: true, value: { ...found.value, elsewhere } } : found
  }
}

function fileIn(folder: string, manifest: string): ManifestReply {
  const file = join(folder, manifest)
  if (isBelow(resolve(folder), resolve(file))) return { ok: true, value: { file } }
  return {
    ok: false,
    error: { message: 'the manifest lies outside of the folder', exitCode: exitCodes.invalid },
  }
}
