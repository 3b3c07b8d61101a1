import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { addPlace } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import type { Readable, SiteSettings, Unreadable } from './observation.js'

/** What is to be said when a site could tell more of its settings: each thing once, and only what can be mended. */
export function diagnoseSettings(desired: Manifest, settings: SiteSettings): readonly Diagnostic[] {
  const told: readonly Readable<unknown>[] = Object.values(settings)
  const isUnread = (because: Unreadable) =>
    told.some(setting => setting.kind === 'unreadable' && setting.because === because)
  const { token: origin } = desired.site
  const place = origin === undefined ? '/spec/site' : '/spec/site/token'
  return [
    ...(isUnread('no-token') ? [diagnose('site/token-missing', place, { origin })] : []),
    ...(isUnread('not-allowed') ? [diagnose('site/token-refused', place, { origin })] : []),
    // Of upgrades it matters only to who sets something for them.
    ...(isUnread('upgrading') && desired.policy !== undefined
      ? [diagnose('site/upgrading', '/spec/upgrade', {})]
      : []),
  ].map(diagnostic => addPlace(desired, diagnostic))
}
