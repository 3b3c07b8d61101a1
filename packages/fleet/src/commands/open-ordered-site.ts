import { dirname } from 'node:path'
import type { Diagnostic, Place } from 'landform'
import { fileFailure, loadFailure, type OpenedSite, type OpenResult, redactLines } from 'landform/cli'
import type { ReadLines } from 'landform/report'
import { listFilePaths, loadSite, normalizeSiteUrl, readNamed } from 'landform/sites'
import { computeManifestDigest } from '../model/manifest-digest.js'
import type { ManifestOrigin } from './manifest-origin.js'

/** A site ready for submission: its manifest passed every check, and nothing else was read. */
export interface OrderedSite extends OpenedSite {
  /** The path of the manifest for workers. */
  readonly ordered: string
  readonly digest: string
  readonly warnings: readonly Diagnostic[]
  readonly readLines: ReadLines
}

interface OrderContext {
  readonly origin: ManifestOrigin
  /** Paths of policies for every manifest. */
  readonly policies: readonly string[]
}

/** Checks a manifest with its bases and policies. Uses no network, no secret and no site. */
export async function openOrderedSite(
  file: string,
  { origin, policies }: OrderContext,
): Promise<OpenResult<OrderedSite>> {
  const named = readNamed(file, 'manifest')
  const read = named.ok ? await loadSite(named.value, { file, policies }) : named
  if (!read.ok) {
    const { error: problem } = read
    if (problem.kind === 'file')
      return {
        ok: false,
        error: {
          failure: fileFailure({ ...problem, file: origin.toDisplayName(problem.file) }),
          readLines: () => undefined,
        },
      }
    const refused = loadFailure({
      ...problem,
      file: origin.toDisplayName(problem.file),
      diagnostics: problem.diagnostics.map(one => withDisplayNames(one, origin)),
      sources: problem.sources.map(one => ({ ...one, name: origin.toDisplayName(one.name) })),
    })
    return { ok: false, error: { ...refused, inputs: problem.sources.map(({ name }) => name) } }
  }
  const { manifest, sources, policies: kept, warnings } = read.value
  return {
    ok: true,
    value: {
      manifest,
      url: normalizeSiteUrl(manifest.site.url),
      inputs: [
        ...sources.map(({ name }) => name),
        ...kept.map(policy => policy.file),
        ...listFilePaths(manifest, dirname(file)),
      ],
      ordered: origin.toOrderPath(file),
      digest: computeManifestDigest(read.value),
      warnings: warnings.map(one => withDisplayNames(one, origin)),
      readLines: redactLines(sources.map(one => ({ ...one, name: origin.toDisplayName(one.name) }))),
      close: async () => undefined,
    },
  }
}

function withDisplayNames(diagnostic: Diagnostic, { toDisplayName }: ManifestOrigin): Diagnostic {
  const renamePlace = (place: Place) => ({ ...place, file: toDisplayName(place.file) })
  const { place, related } = diagnostic
  return {
    ...diagnostic,
    ...(place !== undefined && { place: renamePlace(place) }),
    ...(related !== undefined && {
      related: related.map(one => ({ ...one, place: renamePlace(one.place) })),
    }),
  }
}
