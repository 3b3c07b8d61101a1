import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Findings } from './findings.js'

/** What some of the versions asked for would say of a file, and the check itself does not. */
export interface VersionDifference {
  readonly file: string
  readonly versions: readonly string[]
  readonly diagnostic: Diagnostic
}

/** Each finding of another version that the report does not have already, once for all versions that share it. */
export function versionDifferences({ diagnostics, versions = [] }: Findings): readonly VersionDifference[] {
  const said = new Set(diagnostics.map(keyOf))
  const differences = new Map<string, { readonly versions: string[] } & VersionDifference>()
  for (const { file, version, diagnostics } of versions)
    for (const diagnostic of diagnostics.filter(one => !said.has(keyOf(one)))) {
      const key = JSON.stringify([file, keyOf(diagnostic)])
      const difference = differences.get(key) ?? { file, versions: [], diagnostic }
      difference.versions.push(version)
      differences.set(key, difference)
    }
  return [...differences.values()]
}

/** The findings of all versions as one list, for formats that have no place for versions. */
export function withVersions(findings: Findings): Findings {
  const others = versionDifferences(findings).map(({ versions, diagnostic }) => ({
    ...diagnostic,
    message: `with service version ${versions.join(', ')}: ${diagnostic.message}`,
  }))
  return { ...findings, diagnostics: [...findings.diagnostics, ...others] }
}

/** The words may name a version. What a shared base is told is told of each manifest that leads to it. */
function keyOf({ code, pointer, place, related }: Diagnostic): string {
  return JSON.stringify([code, pointer, place, related])
}
