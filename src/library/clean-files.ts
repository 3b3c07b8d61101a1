import { realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { looksLikeManifest } from '../manifest/looks-like-manifest.js'
import { readCleanValue, readSite } from '../manifest/quick-check.js'
import type { SiteIdentity } from '../manifest/site-identity.js'
import { type KnownBases, rememberBases } from './known-bases.js'
import { type PoliciesOf, policyFinder } from './policy-files.js'
import { readForNow } from './read-named.js'

/** A file, and whether a person named it; of those found in a folder, what is no manifest is skipped. */
interface FileToCheck {
  readonly file: string
  readonly how: 'named' | 'found'
}

/** The files without findings, each with the site that it is for, or as one that is no site of its own. */
export type CleanFiles = ReadonlyMap<string, SiteIdentity | 'skipped'>

/** Checks files on the fast path. A file that needs a closer check, also by the rules of a team, is left out. */
export function findCleanFiles(files: readonly FileToCheck[]): CleanFiles {
  const clean = new Map<string, SiteIdentity | 'skipped'>()
  const policiesOf = policyFinder()
  const bases = rememberBases()
  for (const { file, how } of files) {
    const found = readClean(file, how, { policiesOf, bases })
    if (found !== undefined) clean.set(file, found)
  }
  for (const file of findBases(files, bases.used)) clean.set(file, 'skipped')
  return clean
}

interface Around {
  readonly policiesOf: PoliciesOf
  readonly bases: KnownBases
}

function readClean(
  file: string,
  how: FileToCheck['how'],
  { policiesOf, bases }: Around,
): SiteIdentity | 'skipped' | undefined {
  const source = readForNow(file)
  if (source === undefined) return undefined
  if (how === 'found' && !looksLikeManifest(source)) return 'skipped'
  if (policiesOf(dirname(file)).length > 0) return undefined
  const value = readCleanValue(source, path => bases.find(file, path))
  return value && readSite(value)
}

/** Finds what others build on among the files that nobody named: it is checked through those. */
export function findBases(files: readonly FileToCheck[], used: ReadonlySet<string>): readonly string[] {
  const names = new Set([...used].map(path => basename(path)))
  const mayBeOne = ({ file, how }: FileToCheck) => how === 'found' && names.has(basename(file))
  return files.flatMap(one => (mayBeOne(one) && used.has(realpathSync(one.file)) ? [one.file] : []))
}
