import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { addPlace } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import type { Readable, SiteSettings, Unreadable } from './observation.js'

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
