import { type Wording, wordingFor } from '../../diagnostics/wording.js'
import type { SiteSettings } from '../../plan/observation.js'
import type { StaleFact } from '../../plan/saved/stale-fact.js'
import { display } from '../display.js'

const settingNames: Readonly<Record<keyof SiteSettings, string>> = {
  upgradeConfig: 'upgrade configuration',
  profile: 'architecture profile',
  logLevel: 'log level',
  systemProperties: 'system properties',
}

/** Describes a stale saved plan by the facts that changed since it was made. */
export function describeStalePlan(moved: readonly StaleFact[]): string {
  return `saved plan is stale: ${moved.map(describeStaleFact).join('; ')}; nothing was sent`
}

/** Each text is a whole clause. */
const wording: Wording<StaleFact> = {
  manifest: () => 'the manifest changed since it was made',
  file: ({ file }) => `the file ${display(file)} changed since it was made`,
  address: facts => changed('the address of the site', facts),
  'state-location': facts => changed('the state location', facts),
  tool: facts => changed('the version of Landform', facts),
  schema: facts => changed('the version of the manifest schema', facts),
  'site-build': facts => changed('the build of the site', facts),
  'site-state': ({ was, is }) =>
    was === 'not-observed'
      ? `it was made without observing the site, which is ${is}`
      : changed('the state of the site', { was, is }),
  'site-version': ({ was, is }) =>
    changed('the version of the site', { was: was ?? 'unknown', is: is ?? 'unknown' }),
  'site-setting': ({ setting }) => `the ${settingNames[setting]} of the site changed since it was made`,
  record: ({ was, is }) => changed('the serial of the apply record', { was: String(was), is: String(is) }),
  'record-replaced': ({ serial }) => `the apply record with serial ${serial} is a different one`,
  'created-in-future': ({ createdAt }) => `it was made at ${createdAt}, which is in the future`,
  expired: ({ expiresAt }) => `it expired at ${expiresAt}`,
  'state-written': () => 'another run changed the state of the site',
  'site-not-idle': () => 'the site does not keep reporting that no configuration has begun',
  used: ({ usedAt }) => `it was already applied at ${usedAt}`,
  'other-plan': () => 'its manifest and its site lead to a different plan',
  'other-manifest': ({ manifest, named }) =>
    `it was made from ${display(manifest)}, not from ${display(named)}`,
  'manifest-elsewhere': ({ manifest }) =>
    `its manifest ${display(manifest)} is neither in this folder nor in that of the plan`,
}

function changed(what: string, { was, is }: { readonly was: string; readonly is: string }): string {
  return `${what} changed from ${display(was)} to ${display(is)}`
}

/** Describes one reason why a saved plan is stale, as a clause. */
export function describeStaleFact(fact: StaleFact): string {
  return wordingFor(wording, fact)
}
