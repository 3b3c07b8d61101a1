import {
  compareVersions,
  findIntroduction,
  includes,
  parseVersion,
  type ServiceVersion,
} from '../contract/versions.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { addPlace } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import { findNewerParts } from '../manifest/rules/fields-exist-in-the-version.js'
import { ValueIndex } from '../manifest/select.js'
import type { Observation, Readable, SiteSettings, Unreadable } from './observation.js'

/** Reports a site version that differs from the declared one, and the parts that it is too old for. Service §9. */
export function diagnoseVersion(desired: Manifest, observed: Observation): readonly Diagnostic[] {
  const reported = parseReportedVersion(observed.version)
  if (reported === undefined || compareVersions(reported, desired.site.version) === 0) return []
  const spec = { ...desired.organization, ...(desired.policy !== undefined && { upgrade: {} }) }
  const facts = { declared: desired.site.version, reported }
  return [
    diagnose('site/version-differs', '/spec/site/version', facts),
    ...diagnoseMissingConfigure(observed, reported),
    ...[...findNewerParts(new ValueIndex({ spec }))]
      .filter(({ since }) => !includes(reported, since))
      .map(({ name: field, since: needs, pointer }) =>
        diagnose('site/too-old', pointer, { field, needs, reported }),
      ),
  ].map(diagnostic => addPlace(desired, diagnostic))
}

/** Reports a version without `configure`. A site that has its organization does not need the operation. */
function diagnoseMissingConfigure(observed: Observation, reported: ServiceVersion): readonly Diagnostic[] {
  const needs = findIntroduction('configure')
  if (observed.kind !== 'not-configured' || includes(reported, needs)) return []
  return [diagnose('site/without-configure', '/spec/site/version', { needs, reported })]
}

/** Parses the version in `fullVersion`, which may have a fourth number. */
function parseReportedVersion(fullVersion: string | undefined): ServiceVersion | undefined {
  const [numbers] = /^\d+(?:\.\d+){1,2}/.exec(fullVersion ?? '') ?? []
  return numbers === undefined ? undefined : parseVersion(numbers)
}

/** Reports the reasons why settings of a site were not read: each reason once, and only those a user can fix. */
export function diagnoseSettings(desired: Manifest, settings: SiteSettings): readonly Diagnostic[] {
  const reported: readonly Readable<unknown>[] = Object.values(settings)
  const isUnread = (because: Unreadable) =>
    reported.some(setting => setting.kind === 'unreadable' && setting.because === because)
  const { token: origin } = desired.site
  const place = origin === undefined ? '/spec/site' : '/spec/site/token'
  return [
    ...(isUnread('no-token') ? [diagnose('site/token-missing', place, { origin })] : []),
    ...(isUnread('not-allowed') ? [diagnose('site/token-refused', place, { origin })] : []),
    // A running upgrade matters only to a manifest that sets a policy for upgrades.
    ...(isUnread('upgrading') && desired.policy !== undefined
      ? [diagnose('site/upgrading', '/spec/upgrade', {})]
      : []),
  ].map(diagnostic => addPlace(desired, diagnostic))
}
