import { looksLikeManifest, looksLikeTestFile, type Source } from '../../manifest/source.js'
import { looksLikePolicy } from '../../policy/policy.js'
import { display } from '../../report/display.js'
import type { Host } from '../host.js'
import type { Candidate } from './expand-files.js'

/** The kind of a file to check. */
export type FileKind = 'manifest' | 'policy' | 'tests' | 'other'

/** Finds the kind of a file. Named files are manifests, except policies and tests, which a shell may list for a pattern. */
export function findKind({ how }: Candidate, source: Source): FileKind {
  if (looksLikePolicy(source)) return 'policy'
  if (looksLikeTestFile(source)) return 'tests'
  return how === 'named' || looksLikeManifest(source) ? 'manifest' : 'other'
}

/** Prints the names of the skipped files, one per line. */
export function printSkipped(files: readonly string[], host: Host): void {
  for (const file of files) host.stderr.print(`skipped ${display(file)}\n`)
}
