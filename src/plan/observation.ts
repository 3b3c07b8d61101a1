import type { VolumeComponent } from '../contract/volumes.js'
import { isObject, type JsonObject } from '../schema/json-schema.js'
import type { StageRecord } from './generated/stage.js'

export type { StageRecord }

/** The facts of a root resource, except its state. */
export interface SiteFacts {
  /** `fullVersion`, as the site spells it. */
  readonly version?: string
  readonly message?: string
  readonly warnings: readonly string[]
  readonly stages: readonly StageRecord[]
  /** True if the version comes from `currentVersion`, which omits numbers. */
  readonly isRounded?: true
  /** `info.build`. */
  readonly build?: string
  /** The instance ID that an emulator sends in a header; real sites have none. */
  readonly emulator?: string
  /** Paths of documented members with another type than the service document shows; they count as absent. */
  readonly malformed?: readonly string[]
  /** True if the site was not read, and its state is only assumed. */
  readonly assumed?: true
}

/**
 * The state of a site, as its root resource reports it. `unrecognized` covers every state that is in neither the
 * service document nor the field notes: it is never treated as another state. Service §2.3, §3.
 */
export type Observation =
  /** `implied` if the response had no `status`: while a configuration is awaited, that proves nothing. */
  | ({ readonly kind: 'not-configured'; readonly implied?: true } & SiteFacts)
  | ({ readonly kind: 'in-progress' } & SiteFacts)
  | ({ readonly kind: 'ready' } & SiteFacts)
  | ({ readonly kind: 'failed' } & SiteFacts)
  | ({
      readonly kind: 'unrecognized'
      readonly state: string
      /** The sign that contradicts the state, if the state is known but not trusted. */
      readonly contradiction?: Contradiction
    } & SiteFacts)

/** Tests for a response without a state: it proves neither that a configuration has begun nor that none has. */
export function isSilent(observed: Observation): boolean {
  return observed.kind === 'not-configured' && observed.implied === true
}

/** A sign of a configuration on a site that reports none. */
export type Contradiction =
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'stage'; readonly name: string; readonly state: string }

/** A value that the site reported, or the reason why it did not. */
export type Readable<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'unreadable'; readonly because: Unreadable }

/**
 * A reason why a site does not report a setting. The service document shows no way to read settings, so a site that
 * offers none is normal.
 */
export type Unreadable =
  /** Not requested: the site is not ready, or the command reads no settings. */
  | 'not-asked'
  /** The site has no such resource. */
  | 'not-offered'
  /** The site requires a token, and none is available. */
  | 'no-token'
  /** The token is not accepted, or its role is not sufficient. */
  | 'not-allowed'
  /** An upgrade is under way; until it ends the upgrade resources are not available. */
  | 'upgrading'
  /** The response has none of the known shapes. */
  | 'not-understood'
  /** The response was incomplete or missing, or the site is failing. */
  | 'no-answer'

/** The value of each setting. */
export interface SettingValues {
  /** The upgrade configuration of the site, including keys that Landform does not know. */
  readonly upgradeConfig: JsonObject
  /** Name of the architecture profile. From 12.1 on, the next two replace it. */
  readonly profile: string
  readonly availability: string
  readonly performance: string
  readonly logLevel: string
  readonly systemProperties: JsonObject
  /** The providers in the structure of a manifest, without secrets; members that the site does not report are absent. */
  readonly cloudStorage: readonly JsonObject[]
}

/** Settings that some sites report in other resources: found at run time, and never required. */
export type SiteSettings = { readonly [S in SettingName]: Readable<SettingValues[S]> }

type SettingName = keyof SettingValues

const names: Readonly<Record<SettingName, true>> = {
  upgradeConfig: true,
  profile: true,
  availability: true,
  performance: true,
  logLevel: true,
  systemProperties: true,
  cloudStorage: true,
}

/** Builds the settings of a site that reports none of them, for one reason. */
export function noSettings(because: Unreadable): SiteSettings {
  return mapSettings(() => ({ kind: 'unreadable', because }))
}

/** Returns the value that the site reported, if any. */
export function selectRead<T>(setting: Readable<T>): T | undefined {
  return setting.kind === 'read' ? setting.value : undefined
}

/** True if a setting was not read for this reason. */
export function isUnreadFor(because: Unreadable, settings: SiteSettings): boolean {
  const all: readonly Readable<unknown>[] = Object.values(settings)
  return all.some(one => one.kind === 'unreadable' && one.because === because)
}

/** Builds a value for each setting. */
export function mapSettings<T extends Readonly<Record<SettingName, unknown>>>(
  build: (name: SettingName) => T[SettingName],
): T {
  return Object.fromEntries(
    Object.keys(names).map(name => [name, build(name as SettingName)]),
  ) as unknown as T
}

/** A volume as a site reports it, in the structure of Service §2.4. */
interface ReportedVolume {
  readonly size?: string
  readonly storageClass?: string
}

/** Resources that a site reports in addition to its settings, found at run time. */
export interface Inventory {
  readonly volumes: Readonly<Partial<Record<VolumeComponent, ReportedVolume>>>
  /** Data stores in the structure of Service §2.6. */
  readonly dataStores: readonly JsonObject[]
  /** The number of user-managed stores in another structure; `undefined` if the site does not report its stores. */
  readonly otherStores: number | undefined
  /** Each requested resource, with the result of reading it. */
  readonly resources: readonly ExploredResource[]
}

export interface ExploredResource {
  readonly path: string
  readonly outcome: 'read' | Unreadable
}

/** The message of a service that rejects a request. Untrusted. Service §2.2. */
export interface ServiceMessage {
  readonly message: string
  /** `error.details`, with one text per entry; absent if there are none. */
  readonly details?: readonly string[]
}

/** Joins the message and its details without repetition, such as `no license: it expired; ask for one`; empty for no text. */
export function joinMessages({
  message = '',
  details = [],
}: Partial<ServiceMessage> & { readonly kind: string }): string {
  const said = message.trim()
  const more = joinTexts(details.filter(text => text.trim() !== said))
  if (said === '' || more === '') return said + more
  return `${said}${/[.!?:;]$/.test(said) ? '' : ':'} ${more}`
}

/** Joins texts of a service without repetition, so that each stays distinguishable, such as `a: x; b`. */
export function joinTexts(texts: readonly string[]): string {
  return texts
    .map(text => text.trim())
    .filter((text, at, all) => text !== '' && all.indexOf(text) === at)
    .reduce(
      (before, text) => (before === '' ? text : `${before}${/[.!?;]$/.test(before) ? '' : ';'} ${text}`),
      '',
    )
}

const policyKey = 'podPlacementPolicy'
const managedKeys: readonly string[] = ['nodeAffinity', 'tolerations']

/** Finds the placement policy that a site reports, reduced to the fields of a manifest; `undefined` if it reports none. */
export function findLivePolicy({ upgradeConfig }: SiteSettings): JsonObject | undefined {
  if (upgradeConfig.kind !== 'read') return undefined
  const { nodeAffinity, tolerations } = selectPolicy(upgradeConfig.value)
  return { nodeAffinity: nodeAffinity ?? {}, tolerations: tolerations ?? [] }
}

/** Selects the part of a reported upgrade configuration that has no field in a manifest. */
export function selectOtherSettings({ upgradeConfig }: SiteSettings): JsonObject {
  return upgradeConfig.kind === 'read' ? omitPolicy(upgradeConfig.value) : {}
}

/** Omits the policy of a manifest from an upgrade configuration. */
function omitPolicy(config: JsonObject): JsonObject {
  const others = Object.entries(selectPolicy(config)).filter(([key]) => !managedKeys.includes(key))
  return Object.fromEntries([
    ...Object.entries(config).filter(([key]) => key !== policyKey),
    ...(others.length > 0 ? [[policyKey, Object.fromEntries(others)] as const] : []),
  ])
}

/** Merges a policy into the other settings of a site, so that none of them is lost: the body of `update`. */
export function mergeUpgradeConfig(policy: JsonObject, others: JsonObject): JsonObject {
  return { ...others, [policyKey]: { ...selectPolicy(others), ...policy } }
}

/** Lists the paths of the other settings of a site. */
export function listOtherPaths(others: JsonObject): readonly string[] {
  return [
    ...Object.keys(others).filter(key => key !== policyKey),
    ...Object.keys(selectPolicy(others)).map(key => `${policyKey}.${key}`),
  ]
}

function selectPolicy(config: JsonObject): JsonObject {
  const policy = config[policyKey]
  return isObject(policy) ? policy : {}
}
