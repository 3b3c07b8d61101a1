import { type SettingName, settingNames } from '../../contract/readings.js'
import { isSameVersion } from '../../contract/versions.js'
import { computeDigest } from '../../manifest/digest.js'
import { digestCanonical } from '../canonical.js'
import type { Bindings } from '../generated/plan.js'
import { mapSettings, type Observation, type SiteSettings, selectRead } from '../observation.js'
import { findDifference, type MarkDifference, type SiteMark, selectMark } from '../site-mark.js'

export type { Bindings } from '../generated/plan.js'

/** Computes the digest of each setting that a site reported. */
export function computeSettingDigests(settings: SiteSettings): Bindings['site']['settings'] {
  return mapSettings<Bindings['site']['settings']>(name => {
    const value = selectRead<unknown>(settings[name])
    return value === undefined ? null : digestCanonical(value)
  })
}

/** Tests whether a file has the bytes that a plan is bound to. */
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

/** Compares two values. If one of them is absent, no change is proven. */
function compareFact(
  kind: 'state-location' | 'tool' | 'schema' | 'site-build',
  was: string | undefined,
  is: string | undefined,
): Check {
  return [was !== undefined && is !== undefined && was !== is, { kind, was: was ?? '', is: is ?? '' }]
}

function compareSites(planned: Bindings['site'], now: Bindings['site']): readonly Check[] {
  const state: Check = [
    planned.state !== now.state,
    { kind: 'site-state', was: planned.state, is: now.state },
  ]
  // Without an observation nothing else is known of the site.
  if (planned.state === 'not-observed') return [state]
  const [{ version: was }, { version: is }] = [planned, now]
  const isOther = was === null || is === null ? was !== is : !isSameVersion(was, is)
  return [
    state,
    [isOther, { kind: 'site-version', was, is }],
    compareFact('site-build', planned.build, now.build),
    ...settingNames.map(
      (setting): Check => [
        planned.settings[setting] !== now.settings[setting],
        { kind: 'site-setting', setting },
      ],
    ),
  ]
}

/** Finds the fact that shows that this is not the known site, or that it has been configured since. */
export function findMovedSite(known: SiteMark, observed: Observation): StaleFact | undefined {
  if (observed.kind !== 'not-configured')
    return { kind: 'site-state', was: 'not-configured', is: observed.kind }
  const difference = findDifference(known, observed)
  return difference && { ...difference, kind: staleKinds[difference.kind] }
}

const staleKinds = {
  'another-version': 'site-version',
  'another-build': 'site-build',
  'another-emulator': 'site-build',
} as const satisfies Record<MarkDifference['kind'], StaleFact['kind']>

type Changed<K> = K extends string ? { readonly kind: K; readonly was: string; readonly is: string } : never

/** A reason why a saved plan can no longer be applied. */
export type StaleFact =
  | { readonly kind: 'manifest' }
  /** A file that the manifest builds on or refers to; missing counts as changed. */
  | { readonly kind: 'file'; readonly file: string }
  | Changed<'address' | 'state-location' | 'tool' | 'schema' | 'site-build'>
  | {
      readonly kind: 'site-state'
      readonly was: Observation['kind'] | 'not-observed'
      readonly is: Observation['kind'] | 'not-observed'
    }
  /** Null if the site did not report its version. */
  | { readonly kind: 'site-version'; readonly was: string | null; readonly is: string | null }
  | { readonly kind: 'site-setting'; readonly setting: SettingName }
  /** Serials of the apply record. */
  | { readonly kind: 'record'; readonly was: number; readonly is: number }
  /** Another record has the same serial. */
  | { readonly kind: 'record-replaced'; readonly serial: number }
  | { readonly kind: 'created-in-future'; readonly createdAt: string }
  | { readonly kind: 'expired'; readonly expiresAt: string }
  /** Another run wrote the state after the plan was confirmed. */
  | { readonly kind: 'state-written' }
  | { readonly kind: 'used'; readonly usedAt: string }
  /** A plan made now from the same facts differs. */
  | { readonly kind: 'other-plan' }
  /** The plan was made from `manifest`, but the user named another file. */
  | { readonly kind: 'other-manifest'; readonly manifest: string; readonly named: string }
  /** The manifest is outside the folders in which a plan may name one. */
  | { readonly kind: 'manifest-elsewhere'; readonly manifest: string }

/** Selects the mark of the site that a plan was made for. */
export function selectPlannedMark({ site: { version, build } }: Pick<Bindings, 'site'>): SiteMark {
  return selectMark({ ...(version !== null && { version }), ...(build !== undefined && { build }) })
}
