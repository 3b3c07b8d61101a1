import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ServiceVersion } from '../contract/version.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { checkForVersion } from '../manifest/load-manifest.js'
import { looksLikeManifest } from '../manifest/looks-like-manifest.js'
import { isClean } from '../manifest/quick-check.js'
import type { Source } from '../manifest/source.js'
import { checkReferences } from './check-references.js'
import { exitCodes } from './exit-code.js'
import type { Candidate } from './expand-files.js'
import type { Host } from './host.js'
import { loadWithBases } from './load-with-bases.js'
import type { Failure } from './output.js'
import { readSource } from './read-source.js'

/** What was found in one file. */
export interface CheckedFile {
  readonly file: string
  /** The file and what it builds on; none where there is nothing to say, so that not all files are kept. */
  readonly sources: readonly Source[]
  readonly diagnostics: readonly Diagnostic[]
  /** The same for other service versions, in the order they were asked for. */
  readonly versions: readonly {
    readonly version: ServiceVersion
    readonly diagnostics: readonly Diagnostic[]
  }[]
}

export interface CheckOptions {
  readonly versions: readonly ServiceVersion[]
  readonly checkSecrets: boolean
  /** What messages call standard input, whose folder is where it begins to look for what it builds on. */
  readonly stdinName: string | undefined
}

export type CheckedFiles =
  | { readonly ok: true; readonly files: readonly CheckedFile[]; readonly skipped: number }
  | { readonly ok: false; readonly failure: Failure }

/**
 * Checks files one by one. Of those found in a folder, what is no manifest is skipped, and what others build on is
 * checked through them.
 */
export async function checkFiles(
  candidates: readonly Candidate[],
  host: Host,
  options: CheckOptions,
): Promise<CheckedFiles> {
  const checked: (CheckedFile & { readonly how: Candidate['how'] })[] = []
  const extended = new Set<string>()
  let skipped = 0
  for (const { file, how } of candidates) {
    const reply = await readSource(host, file, { stdinName: options.stdinName })
    if (!reply.ok) return reply
    if (how === 'found' && !looksLikeManifest(reply.source)) {
      skipped += 1
      continue
    }
    const one = await checkFile(reply.source, file, host, options)
    for (const { name } of one.sources.slice(1)) extended.add(realpathSync(name))
    checked.push({ ...one, how })
  }
  const isBase = ({ file, how }: (typeof checked)[number]) =>
    how === 'found' && extended.has(realpathSync(file))
  const files = checked.filter(one => !isBase(one))
  if (files.length === 0)
    return { ok: false, failure: { exitCode: exitCodes.missing, message: noManifest(skipped) } }
  return { ok: true, files, skipped: skipped + checked.length - files.length }
}

/** A check of nothing is no success: mostly the folder is the wrong one. */
function noManifest(skipped: number): string {
  return `there is no manifest here: ${skipped} ${skipped === 1 ? 'YAML file is' : 'YAML files are'} something else`
}

async function checkFile(
  source: Source,
  file: string,
  host: Host,
  { versions, checkSecrets }: CheckOptions,
): Promise<CheckedFile> {
  const clean = { file: source.name, sources: [], diagnostics: [], versions: [] }
  if (!checkSecrets && versions.length === 0 && isClean(source)) return clean
  const at = file === '-' ? source.name : file
  const { problem, sources, loaded } = await loadWithBases(source, at)
  const references =
    checkSecrets && loaded.ok ? await checkReferences(loaded.value, host.environment, dirname(at)) : []
  return {
    file: source.name,
    sources,
    diagnostics: [...loaded.diagnostics, ...references],
    versions: versions.map(version => ({
      version,
      diagnostics: problem === undefined ? checkForVersion(sources, version) : [problem],
    })),
  }
}
