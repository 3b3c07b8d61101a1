import { looksLikeManifest, looksLikeTestFile, type Source } from '../../manifest/source.js'
import { looksLikePolicy } from '../../policy/policy.js'
import { display } from '../../report/display.js'
import type { Host } from '../host.js'
import type { Candidate } from './expand-files.js'

/** The kind of a file that the command line names or a folder has. */
export type FileKind = 'manifest' | 'policy' | 'tests' | 'other'

/** Finds the kind of a file. What is named is a manifest, but for tests: a shell that expands a pattern names them, too. */
export function findKind({ how }: Candidate, source: Source): FileKind {
  if (looksLikePolicy(source)) return 'policy'
  if (looksLikeTestFile(source)) return 'tests'
  return how === 'named' || looksLikeManifest(source) ? 'manifest' : 'other'
}

/** Prints the names of the skipped files, one a line. */
export function printSkipped(files: readonly string[], host: Host): void {
  for (const file of files) host.stderr.print(`skipped ${display(file)}\n`)
}
