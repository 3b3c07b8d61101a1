import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Findings } from './findings.js'

/** A diagnostic of a file that only some of the requested versions have. */
export interface VersionDifference {
  readonly file: string
  readonly versions: readonly string[]
  readonly diagnostic: Diagnostic
}

/** Finds the diagnostics that only other versions have, each once for all versions that share it. */
export function findVersionDifferences({
  diagnostics,
  versions = [],
}: Findings): readonly VersionDifference[] {
  const said = new Set(diagnostics.map(buildKey))
  const differences = new Map<string, { readonly versions: string[] } & VersionDifference>()
  for (const { file, version, diagnostics } of versions)
    for (const diagnostic of diagnostics.filter(one => !said.has(buildKey(one)))) {
      const key = JSON.stringify([file, buildKey(diagnostic)])
      const difference = differences.get(key) ?? { file, versions: [], diagnostic }
      difference.versions.push(version)
      differences.set(key, difference)
    }
  return [...differences.values()]
}

/** Merges the findings of all versions into one list, for formats without a place for versions. */
export function mergeVersions(findings: Findings): Findings {
  const others = findVersionDifferences(findings).map(({ versions, diagnostic }) => ({
    ...diagnostic,
    message: `with service version ${versions.join(', ')}: ${diagnostic.message}`,
  }))
  return { ...findings, diagnostics: [...findings.diagnostics, ...others] }
}

/** Identifies a diagnostic without its message, which may name a version. A shared base is reported for each overlay. */
function buildKey({ code, pointer, place, related }: Diagnostic): string {
  return JSON.stringify([code, pointer, place, related])
}
