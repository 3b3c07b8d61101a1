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

/** The files without findings, each with the site that it is for, or as one that is no manifest. */
export type CleanFiles = ReadonlyMap<string, SiteIdentity | 'skipped'>

/** Checks files on the fast path. A file that needs a closer check, also by the rules of a team, is left out. */
export function findCleanFiles(files: readonly FileToCheck[]): CleanFiles {
  const clean = new Map<string, SiteIdentity | 'skipped'>()
  const policiesOf = policyFinder()
  for (const { file, how } of files) {
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
