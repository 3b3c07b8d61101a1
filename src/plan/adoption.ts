import { type CredentialType, credentialTypes, isCredentialType } from '../contract/cloud.js'
import { profileNames, reportedProfiles } from '../contract/profiles.js'
import { type SettingName, settingReadings } from '../contract/readings.js'
import { findIntroduction, findRelease, includes, parseVersion } from '../contract/versions.js'
import { volumeComponents } from '../contract/volumes.js'
import type { RecordedOrganization } from '../manifest/manifest.js'
import { isSecretName, mayBeSecret, placeholder } from '../manifest/may-be-secret.js'
import {
  type AnsweredName,
  formatNewManifest,
  type ManifestAnswers,
  type NewVolume,
  type NewVolumes,
  type SiteAccess,
} from '../manifest/new-manifest.js'
import type { OptionalSectionName } from '../manifest/optional-sections.js'
import { suggestVariable } from '../manifest/references.js'
import { isObject, type JsonObject } from '../schema/json-schema.js'
import { appendSegment, type JsonPointer } from '../schema/pointer.js'
import { readMember } from '../schema/select.js'
import {
  findLivePolicy,
  type Inventory,
  type Readable,
  type SiteSettings,
  selectRead,
  type Unreadable,
} from './observation.js'
import type { Situation } from './situation.js'

/** The result of reading a site. */
export interface SeenSite extends Pick<Situation, 'url' | 'observed' | 'settings'> {
  readonly inventory: Inventory
}

/** The assertions of a person: answers, such as those of a property file, and a name. */
interface Said {
  /** Keyed by the options of `init`. */
  readonly answers: Readonly<Partial<Record<AnsweredName, string>>>
  readonly volumes: NewVolumes
  readonly folders: readonly string[]
  readonly logLevel: string | undefined
  readonly hasCloudStorage: boolean
  readonly name: string
  /** The state location to write, if one was named. */
  readonly state: string | undefined
  /** The origin of the token, as it was given. */
  readonly access: SiteAccess | undefined
}

/** No assertions, except for a name. */
export const nothingSaid: Omit<Said, 'name' | 'state' | 'access'> = {
  volumes: {},
  folders: [],
  logLevel: undefined,
  hasCloudStorage: false,
  answers: {},
}

/** A manifest of the known values, and the values for the record. */
export interface ComposedAdoption {
  readonly content: string
  readonly value: RecordedOrganization
  /** The fields that the site itself reported. */
  readonly read: readonly JsonPointer[]
  /** The sections that are in neither, because neither the site nor a person gave them. */
  readonly unread: readonly UnreadSection[]
  /** System properties that are in neither, because they may be secrets. */
  readonly leftOut: readonly string[]
  /** The volumes whose labels are unknown. */
  readonly unlabelled: readonly string[]
}

/** A section of a manifest that neither the site nor a person gave, with the reason. */
interface UnreadSection {
  readonly section: OptionalSectionName
  readonly because: Unreadable
}

/** Composes the manifest of a site from the values that it reports, and otherwise from the assertions of a person. */
export function composeAdoption(seen: SeenSite, said: Said, schema?: string): ComposedAdoption {
  const { observed, settings, inventory, url } = seen
  const { answers } = said
  const version = findRelease(observed.version ?? '') ?? answers['service-version'] ?? placeholder
  const { properties, leftOut } = splitProperties(selectRead(settings.systemProperties) ?? {})
  const parsed = parseVersion(version)
  // If the version is unknown, the site may have every feature.
  const offers = (what: Parameters<typeof findIntroduction>[0]) =>
    parsed === undefined || includes(parsed, findIntroduction(what))
  const dataStores = offers('userManagedStores') ? selectFilled(inventory.dataStores) : undefined
  const policy = offers('update') ? selectPolicy(settings) : undefined
  const volumes = mergeVolumes(said.volumes, inventory.volumes)
  const providers = offers('cloudConfig') ? (selectRead(settings.cloudStorage) ?? []) : []
  const cloudStorage = selectFilled(providers.map(composeProvider))
  const lacksCloud =
    said.hasCloudStorage && offers('cloudConfig') && selectRead(settings.cloudStorage) === undefined
  const isComplete =
    !JSON.stringify(cloudStorage ?? []).includes(placeholder) &&
    providers.every(({ credential }) => isCredentialType(readMember(credential, 'type')))
  const [profile, logLevel] = [selectRead(settings.profile), selectRead(settings.logLevel)]
  const isReplaced = parsed !== undefined && includes(parsed, reportedProfiles.since) && profile === undefined
  const [availability, performance] = isReplaced
    ? [selectRead(settings.availability), selectRead(settings.performance)]
    : []
  const known = {
    profile: isReplaced ? undefined : profileNames.find(one => one === (profile ?? answers.profile)),
    logLevel: logLevel ?? said.logLevel,
  }
  const unread = listUnread(seen, { ...said, logLevel: known.logLevel }, offers)
  const value = dropUndefined({
    administrator: composeAdministrator(said),
    ...known,
    volumes: selectFilled(volumes),
    dataStores,
    folders: selectFilled(said.folders),
    systemProperties: properties,
    cloudStorage: isComplete ? cloudStorage : undefined,
    deploymentProfiles: selectFilled(
      dropUndefined({
        availability: availability && { name: availability },
        performance: performance && { name: performance },
      }),
    ),
  }) as unknown as RecordedOrganization
  const manifest: ManifestAnswers = {
    name: said.name,
    url,
    version,
    profile: known.profile ?? answers.profile ?? placeholder,
    ...(isReplaced && {
      deploymentProfiles: {
        availability: availability ?? placeholder,
        performance: performance ?? placeholder,
      },
    }),
    storageClass: placeholder,
    username: answers.username ?? placeholder,
    email: answers.email ?? placeholder,
    fullName: answers['full-name'] ?? placeholder,
    userType: answers['user-type'] ?? placeholder,
    question: answers.question ?? placeholder,
    license: answers.license ?? placeholder,
    volumes: Object.fromEntries(volumeComponents.map(one => [one, { ...unknownVolume, ...volumes[one] }])),
    folders: said.folders,
    logLevel: known.logLevel,
    state: said.state,
    access: said.access,
    sections: dropUndefined({
      dataStores,
      systemProperties: properties,
      upgrade: policy && { podPlacementPolicy: policy },
      cloudStorage: cloudStorage ?? (lacksCloud ? placeholder : undefined),
    }),
    unknown: unread.map(({ section }) => section),
  }
  const unlabelled = volumeComponents.filter(one => Object.keys(volumes[one]?.labels ?? {}).length === 0)
  const reported = Object.entries({ profile, logLevel, availability, performance, cloudStorage })
  return {
    content: leaveLabels(markUnknown(formatNewManifest(manifest, schema)), unlabelled),
    value,
    leftOut,
    unlabelled,
    unread,
    read: [
      ...reported.flatMap(([name, one]) =>
        one === undefined ? [] : [settingReadings[name as SettingName].field],
      ),
      ...Object.keys(inventory.volumes).map(name => appendSegment('/spec/volumes', name)),
      ...(dataStores === undefined ? [] : ['/spec/dataStores' as const]),
      ...Object.keys(properties ?? {}).map(name => appendSegment('/spec/systemProperties', name)),
      ...(policy === undefined ? [] : ['/spec/upgrade' as const]),
    ],
  }
}

/** Omits a list or a map without members. */
function selectFilled<T extends object>(value: T): T | undefined {
  return Object.keys(value).length > 0 ? value : undefined
}

/** Lists the sections that the version offers and that neither the site nor a person gave. */
function listUnread(
  { settings, inventory }: SeenSite,
  { folders, logLevel }: Pick<Said, 'folders' | 'logLevel'>,
  offers: (what: Parameters<typeof findIntroduction>[0]) => boolean,
): readonly UnreadSection[] {
  const reasonFor = (one: Readable<unknown>) => (one.kind === 'unreadable' ? one.because : undefined)
  const [stores] = inventory.resources
  const storesBecause = stores === undefined || stores.outcome === 'read' ? 'not-understood' : stores.outcome
  const sections: readonly (readonly [OptionalSectionName, Unreadable | undefined | false])[] = [
    ['cloudStorage', offers('cloudConfig') && reasonFor(settings.cloudStorage)],
    // No resource is known to report them.
    ['folders', folders.length === 0 && 'not-offered'],
    ['dataStores', offers('userManagedStores') && inventory.otherStores !== 0 && storesBecause],
    ['logLevel', logLevel === undefined && (reasonFor(settings.logLevel) ?? 'not-offered')],
    ['systemProperties', reasonFor(settings.systemProperties)],
    ['upgrade', offers('update') && reasonFor(settings.upgradeConfig)],
  ]
  return sections.flatMap(([section, because]) =>
    because === undefined || because === false ? [] : [{ section, because }],
  )
}

/** Composes the entry of a provider from the values that the site reports, a reference for each secret, and placeholders. */
function composeProvider(provider: JsonObject, at: number): JsonObject {
  const { credential = null, cloudServices } = provider
  const type = readMember(credential, 'type')
  const { secret, beside = [] }: Pick<CredentialType, 'secret' | 'beside'> = isCredentialType(type)
    ? credentialTypes[type]
    : { secret: [] }
  const number = at === 0 ? '' : `_${at + 1}`
  const parts = secret.map(({ name, confidential }) => [
    name,
    confidential ? { env: `${suggestVariable(`/${name}`)}${number}` } : placeholder,
  ])
  return {
    ...provider,
    credential: {
      ...(isObject(credential) && credential),
      ...Object.fromEntries(beside.map(({ name }) => [name, readMember(credential, name) ?? placeholder])),
      ...(parts.length > 0 && { secret: Object.fromEntries(parts) as JsonObject }),
    },
    cloudServices: (Array.isArray(cloudServices) ? cloudServices : []).map(service => ({
      name: readMember(service, 'name') ?? placeholder,
      connection: readMember(service, 'connection') ?? {},
    })),
  }
}

const unknownVolume: NewVolume = { size: placeholder, storageClass: placeholder }

/** Adds a comment to every line with a placeholder, since its value is unknown. */
function markUnknown(text: string): string {
  return text.replaceAll(/^(?! *#).*CHANGE-ME.*$/gm, line => `${line} # unknown`)
}

/** Adds a comment that ignores missing labels: labels added to an existing site would be an edit that cannot be applied. */
function leaveLabels(text: string, volumes: readonly string[]): string {
  const ignore = '    # landform-ignore-next-line volume/labels-missing -- unknown'
  return volumes.reduce(
    (all, name) => all.replace(new RegExp(`^ {4}${name}:`, 'm'), line => `${ignore}\n${line}`),
    text,
  )
}

/** Returns the first label of the host if it is a valid name, and otherwise `site`. */
export function chooseName(url = ''): string {
  const [first = ''] = (URL.canParse(url) ? new URL(url).hostname : '').split('.')
  return /^[a-z][a-z0-9-]{0,40}$/.test(first) ? first : 'site'
}

function composeAdministrator({ answers }: Said): RecordedOrganization['administrator'] {
  const index = /^\d{1,2}$/.test(answers.question ?? '') ? Number(answers.question) : undefined
  const { username, email, 'full-name': fullName, 'user-type': userType } = answers
  const securityQuestion = index === undefined ? undefined : { index }
  const known = dropUndefined({ username, email, fullName, userType, securityQuestion })
  return selectFilled(known) as RecordedOrganization['administrator']
}

/** Returns the policy of the site; `undefined` also for an empty one, which is equal to none. */
function selectPolicy(settings: SiteSettings): JsonObject | undefined {
  const policy = findLivePolicy(settings)
  const isEmpty = Object.values(policy ?? {}).every(half => Object.keys(half ?? {}).length === 0)
  return isEmpty ? undefined : policy
}

function mergeVolumes(said: NewVolumes, reported: Inventory['volumes']): NewVolumes {
  const pairs = volumeComponents.map(name => [name, { ...said[name], ...reported[name] }] as const)
  return Object.fromEntries(pairs.filter(([, volume]) => Object.keys(volume).length > 0))
}

/** Separates the properties whose names or values may be secrets. */
function splitProperties(all: JsonObject) {
  const isSecret = ([name, value]: readonly [string, unknown]) =>
    isSecretName(name) || mayBeSecret(['systemProperties', name], value)
  const entries = Object.entries(all).filter(([, value]) => value !== null)
  const kept = entries.filter(one => !isSecret(one))
  return {
    properties: selectFilled(Object.fromEntries(kept)),
    leftOut: entries.filter(isSecret).map(([name]) => name),
  }
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

function dropUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, one]: readonly [string, unknown]) => one !== undefined),
  ) as Defined<T>
}
