import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { policyFileNames } from '../policy/policy.js'
import { manifestRoot } from './manifest-root.js'

/** The policy files that count for the manifests of a folder, nearest first, without links but for a last one. */
export type PoliciesOf = (folder: string) => readonly string[]

/**
 * Finds policy files in a folder and above it, up to the root of its manifests. All of them count: one that is nearer
 * cannot switch another off. Every folder is looked at once.
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

/** True for whatever has this path, be it a link that leads nowhere: what cannot be read is reported, not left out. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}
