import { compareVersions, includes, parseVersion, type ServiceVersion, since } from '../contract/versions.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { placed } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import { youngerParts } from '../manifest/younger-parts.js'
import type { Observation } from './observation.js'

/** What is to be said when the site reports another version than the manifest declares. Service §9. */
export function versionDiagnostics(desired: Manifest, observed: Observation): readonly Diagnostic[] {
  const reported = versionIn(observed.version)
  if (reported === undefined || compareVersions(reported, desired.site.version) === 0) return []
  const spec = { ...desired.organization, ...(desired.policy !== undefined && { upgrade: {} }) }
  const facts = { declared: desired.site.version, reported }
  return [
    diagnose('site/version-differs', '/spec/site/version', facts),
    ...withoutConfigure(observed, reported),
    ...[...youngerParts({ spec })]
      .filter(({ since }) => !includes(reported, since))
      .map(({ name: field, since: needs, pointer }) =>
        diagnose('site/too-old', pointer, { field, needs, reported }),
      ),
  ].map(diagnostic => placed(desired, diagnostic))
}

/** A site that has its organization needs no `configure`, whatever version it reports. */
function withoutConfigure(observed: Observation, reported: ServiceVersion): readonly Diagnostic[] {
  const needs = since('configure')
  if (observed.kind !== 'not-configured' || includes(reported, needs)) return []
  return [diagnose('site/without-configure', '/spec/site/version', { needs, reported })]
}

/** The version in `fullVersion`, which may carry a fourth number. */
function versionIn(fullVersion: string | undefined): ServiceVersion | undefined {
  const [numbers] = /^\d+(?:\.\d+){1,2}/.exec(fullVersion ?? '') ?? []
  return numbers === undefined ? undefined : parseVersion(numbers)
}
