import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { type LoadedManifest, loadManifest, rejectManifest } from '../manifest/load-manifest.js'
import type { Judge } from '../manifest/rules/rule.js'
import type { Source } from '../manifest/source.js'
import { readBases } from './read-bases.js'

export interface LoadedWithBases {
  /** The reason why a base could not be read; `undefined` where all were. */
  readonly problem: Diagnostic | undefined
  /** The manifest and its bases, nearest first; with a problem, those that could be read. */
  readonly sources: readonly [Source, ...Source[]]
  readonly loaded: LoadedManifest
}

/** Reads the bases of a manifest, and loads them together with it. */
export async function loadWithBases(
  source: Source,
  file: string,
  judge?: Judge,
  load = loadManifest,
): Promise<LoadedWithBases> {
  const { bases, problem } = await readBases(source, file)
  const loaded = problem === undefined ? load(source, bases, judge) : rejectManifest([problem])
  return { problem, sources: [source, ...bases], loaded }
}
