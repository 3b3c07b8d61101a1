import { fileFailure, loadFailure, shownLines } from '../../../../src/cli/check/read-source.js'
import type { OpenedSite } from '../../../../src/cli/fleet/open-fleet.js'
import type { Opened } from '../../../../src/cli/site/session.js'
import type { Diagnostic } from '../../../../src/diagnostics/diagnostic.js'
import type { Place } from '../../../../src/diagnostics/place.js'
import { loadSite } from '../../../../src/library/load-site.js'
import { readNamed } from '../../../../src/library/read-named.js'
import { normalizedSiteUrl } from '../../../../src/manifest/site-url.js'
import type { LinesOf } from '../../../../src/report/findings/diagnostics-text.js'
import { manifestDigest } from '../model/manifest-digest.js'
import type { ManifestOrigin } from './manifest-origin.js'

/** A site ready for submission: its manifest passed every check, and nothing else was read. */
export interface OrderedSite extends OpenedSite {
  /** The path by which workers find the manifest. */
  readonly ordered: string
  readonly digest: string
  readonly warnings: readonly Diagnostic[]
  readonly linesOf: LinesOf
}

interface Reading {
  readonly origin: ManifestOrigin
  /** Paths of policies for every manifest. */
  readonly policies: readonly string[]
}

/** Checks a manifest with its bases and policies. Uses no network, no secret and no site. */
export async function openOrdered(file: string, { origin, policies }: Reading): Promise<Opened<OrderedSite>> {
  const named = readNamed(file, 'manifest')
  const read = named.ok ? await loadSite(named.value, { file, policies }) : named
  if (!read.ok) {
    const { error: problem } = read
    if (problem.kind === 'file')
      return {
        ok: false,
        error: {
          failure: fileFailure({ ...problem, file: origin.shown(problem.file) }),
          linesOf: () => undefined,
        },
      }
    const refused = loadFailure({
      ...problem,
      file: origin.shown(problem.file),
      diagnostics: problem.diagnostics.map(one => shownAs(one, origin)),
      sources: problem.sources.map(one => ({ ...one, name: origin.shown(one.name) })),
    })
    return { ok: false, error: { ...refused, inputs: problem.sources.map(({ name }) => name) } }
  }
  const { manifest, sources, policies: kept, warnings } = read.value
  return {
    ok: true,
    value: {
      manifest,
      url: normalizedSiteUrl(manifest.site.url),
      inputs: [...sources.map(({ name }) => name), ...kept.map(policy => policy.file)],
      ordered: origin.orderedAs(file),
      digest: manifestDigest(read.value),
      warnings: warnings.map(one => shownAs(one, origin)),
      linesOf: shownLines(sources.map(one => ({ ...one, name: origin.shown(one.name) }))),
      close: async () => undefined,
    },
  }
}

function shownAs(diagnostic: Diagnostic, { shown: toDisplayName }: ManifestOrigin): Diagnostic {
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
