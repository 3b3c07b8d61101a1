import { dirname } from 'node:path'
import { looksLikeManifest } from '../manifest/looks-like-manifest.js'
import { readCleanValue, readSite } from '../manifest/quick-check.js'
import type { SiteIdentity } from '../manifest/site-identity.js'
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

/** The files without findings, each with the site that it is for, or as one that is no manifest. */
export type CleanFiles = ReadonlyMap<string, SiteIdentity | 'skipped'>

/** So many files are taken at once. */
const taken = 64

/** Shares files out to the threads that check them. */
export function shareFiles(files: readonly FileToCheck[]): SharedFiles {
  return { files, next: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) }
}

/** Checks files until none is left. A file that needs a closer check, also by the rules of a team, is left out. */
export function checkShare({ files: all, next }: SharedFiles): CleanFiles {
  const clean = new Map<string, SiteIdentity | 'skipped'>()
  const policiesOf = policyFinder()
  for (let from = Atomics.add(next, 0, taken); from < all.length; from = Atomics.add(next, 0, taken))
    for (const { file, how } of all.slice(from, from + taken)) {
      const found = readClean(file, how, policiesOf)
      if (found !== undefined) clean.set(file, found)
    }
  return clean
}

function readClean(
  file: string,
  how: FileToCheck['how'],
  policiesOf: ReturnType<typeof policyFinder>,
): SiteIdentity | 'skipped' | undefined {
  const reply = readNamed(file, 'manifest')
  if (!reply.ok) return undefined
  if (how === 'found' && !looksLikeManifest(reply.value)) return 'skipped'
  if (policiesOf(dirname(file)).length > 0) return undefined
  const value = readCleanValue(reply.value)
  return value && readSite(value)
}
