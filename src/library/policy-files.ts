import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { policyFileNames } from '../policy/policy.js'
import { manifestRoot } from './manifest-root.js'

/**
 * Lists the policy files that apply to the manifests of a folder, nearest first; only the file itself may be a link.
 */
export type PoliciesOf = (folder: string) => readonly string[]

/**
 * Finds policy files in a folder and above it, up to the root of its manifests. All of them apply: a nearer one cannot
 * disable another. Each folder is read once.
 */
export function policyFinder(): PoliciesOf {
  const known = new Map<string, readonly string[]>()
  const below = (folder: string, root: string): readonly string[] => {
    const found = known.get(folder)
    if (found !== undefined) return found
    const own = policyFileNames.map(name => join(folder, name)).filter(isThere)
    const all = folder === root ? own : [...own, ...below(dirname(folder), root)]
    known.set(folder, all)
    return all
  }
  const named = new Map<string, readonly string[]>()
  return folder => {
    const found = named.get(folder)
    if (found !== undefined) return found
    const own = realpathSync(folder)
    const all = below(own, manifestRoot(own))
    named.set(folder, all)
    return all
  }
}

/** True for everything with this path, even a dangling link: a file that cannot be read is reported, not skipped. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}
