import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { FileDefect } from '../diagnostics/reference-defect.js'
import { listExtendsPlaces } from '../manifest/effective.js'
import { readParsedBase } from '../manifest/extends.js'
import { type Layers, type LoadedManifest, loadLayers, rejectManifest } from '../manifest/load-manifest.js'
import type { Judge } from '../manifest/rules/rule.js'
import type { Source } from '../manifest/source.js'
import { type ParsedYaml, parseYaml } from '../manifest/yaml-document.js'
import { maxLayers, yamlLimits } from '../manifest/yaml-limits.js'
import { readJailed } from '../secrets/file-jail.js'
import { isBelow, manifestRoot, selectFileName } from './read-files.js'

interface LoadedWithBases {
  /** The reason why a base could not be read, if there is one. */
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

/** The bases of a manifest, nearest first; with a problem, as many as could be read. */
interface Bases {
  readonly bases: readonly ParsedYaml[]
  readonly problem?: Diagnostic
}

/** The bases that a run has read, by root, path and name. */
export type KnownBases = Map<string, Layer>

/** The number of bases that stay in memory. */
const mostKnown = 100

/**
 * Follows `extends` from file to file, within the root of the manifest. A problem is placed at the line that names the
 * file: `extends/path`, `extends/missing`, `extends/unusable`, `extends/circle` or `extends/too-deep`.
 */
export async function readBases(
  parsed: ParsedYaml,
  file: string,
  known: KnownBases = new Map(),
): Promise<Bases> {
  if (readParsedBase(parsed.document).kind === 'none') return { bases: [] }
  // A manifest from standard input may have a file name that does not exist.
  const folder = realpathSync(dirname(file))
  const path = join(folder, basename(file))
  return followBases([{ parsed, path }], manifestRoot(folder), known)
}

interface Layer {
  readonly parsed: ParsedYaml
  /** Real path, without links. */
  readonly path: string
}

async function followBases(
  layers: readonly [Layer, ...Layer[]],
  root: string,
  known: KnownBases,
): Promise<Bases> {
  const last = layers.at(-1) ?? layers[0]
  const bases = layers.slice(1).map(({ parsed }) => parsed)
  const base = readParsedBase(last.parsed.document)
  if (base.kind === 'none') return { bases }
  if (base.kind === 'problem') return { bases, problem: placeInLayers(layers, base.diagnostic) }
  const { path } = base
  const refused = (problem: Diagnostic): Bases => ({ bases, problem: placeInLayers(layers, problem) })
  const unusable = (defect: FileDefect) => refused(diagnose('extends/unusable', '/extends', { path, defect }))
  if (layers.length >= maxLayers) return refused(diagnose('extends/too-deep', '/extends', { max: maxLayers }))
  const wanted = resolve(dirname(last.path), path)
  if (!isBelow(root, wanted)) return unusable({ kind: 'outside-repository' })
  const onPaper = join(dirname(last.parsed.source.name), path)
  const key = [root, wanted, onPaper].join('\0')
  let next = known.get(key)
  if (next === undefined) {
    const reply = await readJailed(root, relative(root, wanted), yamlLimits.bytes)
    if (reply.kind === 'missing') return refused(diagnose('extends/missing', '/extends', { path }))
    if (reply.kind === 'unusable') return unusable(reply.defect)
    const real = realpathSync(wanted)
    next = { parsed: parseYaml({ name: selectFileName(onPaper, real), bytes: reply.bytes }), path: real }
    if (known.size >= mostKnown) known.clear()
    known.set(key, next)
  }
  const { path: real } = next
  if (layers.some(layer => layer.path === real))
    return refused(diagnose('extends/circle', '/extends', { path }))
  return followBases([...layers, next], root, known)
}

/** Places a diagnostic at the `extends` of the last file, with the files that lead there. */
function placeInLayers(layers: readonly Layer[], diagnostic: Diagnostic): Diagnostic {
  const documents = layers.flatMap(({ parsed }) => parsed.document ?? [])
  const last = documents.at(-1)
  const related = listExtendsPlaces(documents.slice(0, -1))
  return {
    ...diagnostic,
    ...(last !== undefined && { place: last.place('/extends', 'value') }),
    ...(related.length > 0 && { related }),
  }
}
