import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/**
 * The folder that everything a manifest builds on lies below: the repository it is in, that is the nearest folder
 * with `.git`; without one, the working folder if the manifest is below it, else the folder of the manifest.
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
    // Node may be told to read nothing out of a folder, and what stands above that is no business of the manifest.
    return undefined
  }
  return dirname(folder) === folder ? undefined : nearestWithGit(dirname(folder))
}
