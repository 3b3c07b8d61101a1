import { isSameVersion } from '../../contract/versions.js'
import { computeDigest } from '../../manifest/digest.js'
import { digestCanonical } from '../canonical.js'
import type { Bindings } from '../generated/plan.js'
import type { Readable, SiteSettings } from '../observation.js'
import type { StaleFact } from './stale-fact.js'

export type { Bindings } from '../generated/plan.js'

/** Computes the digest of each setting that a site reported. */
export function computeSettingDigests(settings: SiteSettings): Bindings['site']['settings'] {
  const reported = (setting: Readable<unknown>) =>
    setting.kind === 'read' ? digestCanonical(setting.value) : null
  return {
    upgradeConfig: reported(settings.upgradeConfig),
    profile: reported(settings.profile),
    logLevel: reported(settings.logLevel),
    systemProperties: reported(settings.systemProperties),
  }
}

/** True for a file with the bytes that a plan is bound to. */
export function isAsBound(bound: string | undefined, bytes: Uint8Array): boolean {
  return bound === computeDigest(bytes)
}

/** Finds the facts that changed since a plan was made. */
export function findChangedFacts(planned: Bindings, now: Bindings): readonly StaleFact[] {
  const files = [...new Set([...Object.keys(planned.files), ...Object.keys(now.files)])]
  const facts: readonly Check[] = [
    [planned.manifest !== now.manifest, { kind: 'manifest' }],
    ...files.map((file): Check => [planned.files[file] !== now.files[file], { kind: 'file', file }]),
    ...compareSites(planned.site, now.site),
    compareFact('state-location', planned.state, now.state),
    [planned.record !== now.record, { kind: 'record', was: planned.record, is: now.record }],
    [
      planned.record === now.record && planned.recorded !== now.recorded,
      { kind: 'record-replaced', serial: now.record },
    ],
    compareFact('tool', planned.tool, now.tool),
    compareFact('schema', planned.schema, now.schema),
  ]
  return facts.filter(([isStale]) => isStale).map(([, fact]) => fact)
}

type Check = readonly [isStale: boolean, fact: StaleFact]

/** Compares two values; one that is absent on either side proves no change. */
function compareFact(
  kind: 'state-location' | 'tool' | 'schema' | 'site-build',
  was: string | undefined,
  is: string | undefined,
): Check {
  return [was !== undefined && is !== undefined && was !== is, { kind, was: was ?? '', is: is ?? '' }]
}

const settingNames: Readonly<Record<keyof SiteSettings, true>> = {
  upgradeConfig: true,
  profile: true,
  logLevel: true,
  systemProperties: true,
}

function isOtherVersion({ version: was }: Bindings['site'], { version: is }: Bindings['site']): boolean {
  return was === null || is === null ? was !== is : !isSameVersion(was, is)
}

function compareSites(planned: Bindings['site'], now: Bindings['site']): readonly Check[] {
  const state: Check = [
    planned.state !== now.state,
    { kind: 'site-state', was: planned.state, is: now.state },
  ]
  // Without an observation nothing else is known of the site.
  if (planned.state === 'not-observed') return [state]
  return [
    state,
    [isOtherVersion(planned, now), { kind: 'site-version', was: planned.version, is: now.version }],
    compareFact('site-build', planned.build, now.build),
    ...Object.keys(settingNames).map((name): Check => {
      const setting = name as keyof SiteSettings
      return [planned.settings[setting] !== now.settings[setting], { kind: 'site-setting', setting }]
    }),
  ]
}
