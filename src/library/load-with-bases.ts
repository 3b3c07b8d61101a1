import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { type LoadedManifest, loadManifest, rejectManifest } from '../manifest/load-manifest.js'
import type { Judge } from '../manifest/rules/rule.js'
import type { Source } from '../manifest/source.js'
import { readBases } from './read-bases.js'

export interface LoadedWithBases {
  /** Why not all that it builds on could be read. */
  readonly problem: Diagnostic | undefined
  /** The manifest and what it builds on, nearest first; with a problem, as far as it could be read. */
  readonly sources: readonly [Source, ...Source[]]
  readonly loaded: LoadedManifest
}

/** Reads what a file builds on, and loads them together. */
export async function loadWithBases(source: Source, file: string, judge?: Judge): Promise<LoadedWithBases> {
  const { bases, problem } = await readBases(source, file)
  const loaded = problem === undefined ? loadManifest(source, bases, judge) : rejectManifest([problem])
  return { problem, sources: [source, ...bases], loaded }
}
