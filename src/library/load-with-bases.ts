import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { type Layers, type LoadedManifest, loadLayers, rejectManifest } from '../manifest/load-manifest.js'
import type { Judge } from '../manifest/rules/rule.js'
import type { Source } from '../manifest/source.js'
import { parseYaml } from '../manifest/yaml-document.js'
import { type KnownBases, readBases } from './read-bases.js'

export interface LoadedWithBases {
  /** The reason why a base could not be read; `undefined` where all were. */
  readonly problem: Diagnostic | undefined
  /** The manifest and its bases, nearest first; with a problem, those that could be read. */
  readonly layers: Layers
  /** The files of the layers. */
  readonly sources: readonly [Source, ...Source[]]
  readonly loaded: LoadedManifest
}

/** Reads the bases of a manifest, and loads them together with it. */
export async function loadWithBases(
  source: Source,
  file: string,
  judge?: Judge,
  known?: KnownBases,
): Promise<LoadedWithBases> {
  const parsed = parseYaml(source)
  const { bases, problem } = await readBases(parsed, file, known)
  const layers: Layers = [parsed, ...bases]
  const loaded = problem === undefined ? loadLayers(layers, judge) : rejectManifest([problem])
  return { problem, layers, sources: [source, ...bases.map(base => base.source)], loaded }
}
