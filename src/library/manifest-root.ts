import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/**
 * Finds the root folder of a manifest, which holds everything that it builds on: the repository that it is in, which is
 * the nearest folder with `.git`; without one, the working folder if the manifest is below it, else the folder of the
 * manifest.
 */
export function manifestRoot(folder: string): string {
  const own = realpathSync(folder)
  const repository = nearestWithGit(own)
  if (repository !== undefined) return repository
  const working = realpathSync('.')
  return isBelow(working, own) ? working : own
}

/** True for the folder itself and for everything in it. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`))
}

function nearestWithGit(folder: string): string | undefined {
  try {
    if (existsSync(join(folder, '.git'))) return folder
  } catch {
    // Node may be denied access to a folder, and the folders above that one do not concern the manifest.
    return undefined
  }
  return dirname(folder) === folder ? undefined : nearestWithGit(dirname(folder))
}
