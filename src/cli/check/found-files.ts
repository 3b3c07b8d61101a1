import { looksLikeManifest, looksLikeTestFile, type Source } from '../../manifest/source.js'
import { looksLikePolicy } from '../../policy/policy.js'
import { display } from '../../report/display.js'
import type { Host } from '../host.js'
import type { Candidate } from './expand-files.js'

/** The kind of a file to check. */
export type FileKind = 'manifest' | 'policy' | 'tests' | 'other'

/**
 * Finds the kind of a file. A named file is a manifest, unless it is a policy or has tests, which a shell also names
 * when it expands a pattern.
 */
export function findKind({ how }: Candidate, source: Source): FileKind {
  if (looksLikePolicy(source)) return 'policy'
  if (looksLikeTestFile(source)) return 'tests'
  return how === 'named' || looksLikeManifest(source) ? 'manifest' : 'other'
}

/** Prints the names of the skipped files, one per line. */
export function printSkipped(files: readonly string[], host: Host): void {
  for (const file of files) host.stderr.print(`skipped ${display(file)}\n`)
}
