import { dirname } from 'node:path'
import { looksLikeManifest } from '../manifest/looks-like-manifest.js'
import { readCleanValue, readSite } from '../manifest/quick-check.js'
import type { JsonObject } from '../schema/json-schema.js'
import { policyFinder } from './policy-files.js'
import { readNamed } from './read-named.js'

/** A file, and whether a person named it; of those found in a folder, what is no manifest is skipped. */
interface FileToCheck {
  readonly file: string
  readonly how: 'named' | 'found'
}

/** Files of which every thread takes some after the other. */
export interface SharedFiles {
  readonly files: readonly FileToCheck[]
  /** In memory that the threads share: the index of the file that nobody has taken yet. */
  readonly next: Int32Array<SharedArrayBuffer>
}

/** What files without findings come to. */
export interface CleanFiles {
  readonly files: number
  readonly skipped: number
  /** What no two manifests may share: the address, and the name in a state location. */
  readonly sites: readonly string[]
}

/** So many files are taken at once. */
const taken = 64

/** Shares files out to the threads that check them. */
export function shareFiles(files: readonly FileToCheck[]): SharedFiles {
  return { files, next: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) }
}

/**
 * Checks files until none is left; `undefined` where one needs a closer check, also by the rules of a team.
 */
export function checkShare({ files: all, next }: SharedFiles): CleanFiles | undefined {
  let [files, skipped] = [0, 0]
  const sites: string[] = []
  const policiesOf = policyFinder()
  for (let from = Atomics.add(next, 0, taken); from < all.length; from = Atomics.add(next, 0, taken))
    for (const { file, how } of all.slice(from, from + taken)) {
      const found = readClean(file, how)
      const needsMore = found === undefined || (found !== 'skipped' && policiesOf(dirname(file)).length > 0)
      if (needsMore) {
        // The closer check begins anew, so what others still do is of no use.
        Atomics.store(next, 0, all.length)
        return undefined
      }
      if (found === 'skipped') skipped += 1
      else {
        files += 1
        sites.push(...listSites(found))
      }
    }
  return { files, skipped, sites }
}

/** Joins what the threads found; `undefined` where one of them, or all of them together, need a closer check. */
export function joinShares(shares: readonly (CleanFiles | undefined)[]): CleanFiles | undefined {
  const clean = shares.filter(share => share !== undefined)
  const sum = (of: 'files' | 'skipped') => clean.reduce((all, share) => all + share[of], 0)
  const sites = clean.flatMap(share => share.sites)
  const areAllClean = clean.length === shares.length && new Set(sites).size === sites.length
  return areAllClean && sum('files') > 0 ? { files: sum('files'), skipped: sum('skipped'), sites } : undefined
}

function readClean(file: string, how: FileToCheck['how']): JsonObject | 'skipped' | undefined {
  const reply = readNamed(file, 'manifest')
  if (!reply.ok) return undefined
  return how === 'found' && !looksLikeManifest(reply.value) ? 'skipped' : readCleanValue(reply.value)
}

function listSites(value: JsonObject): readonly string[] {
  const { name, url, state } = readSite(value)
  return [url, ...(state === undefined ? [] : [`${name} ${state}`])]
}
