/** A service version: two or three numbers with dots, e.g. `11.2` or `10.9.1`. */
export type ServiceVersion = `${number}.${number}` | `${number}.${number}.${number}`

const shape = /^(?:0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){1,2}$/

/** Parses a version; `undefined` for invalid text. A missing third number counts as 0. */
export function parseVersion(text: string): ServiceVersion | undefined {
  return shape.test(text) ? (text as ServiceVersion) : undefined
}

/** Compares two versions: negative if `a` is older than `b`, 0 if they are the same release, positive if it is newer. */
export function compareVersions(a: ServiceVersion, b: ServiceVersion): number {
  const [left, right] = [splitVersion(a), splitVersion(b)]
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}

/** True when something introduced in `since` exists in `version`. */
export function includes(version: ServiceVersion, since: ServiceVersion): boolean {
  return compareVersions(version, since) >= 0
}

/** Splits a version into its three numbers; a missing third number is 0. */
export function splitVersion(version: ServiceVersion): readonly [number, number, number] {
  const before = split.get(version)
  if (before !== undefined) return before
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const numbers = [major, minor, patch] as const
  if (split.size < maxSplit) split.set(version, numbers)
  return numbers
}

/** Cached, because every manifest of thousands compares the same few versions many times. */
const split = new Map<ServiceVersion, readonly [number, number, number]>()
const maxSplit = 100

/** True if two texts are the same version, such as `11.2` and `11.2.0`. Other texts must be equal. */
export function isSameVersion(one: string, other: string): boolean {
  return one === other || normalizeVersion(one) === normalizeVersion(other)
}

/** True if a version is the other one without its last numbers, as `11.3` is of `11.3.0.5814`. */
export function isRoundedFrom(rounded: string, exact: string): boolean {
  return isSameVersion(rounded, exact) || (dotted.test(rounded) && exact.startsWith(`${rounded}.`))
}

const dotted = /^\d{1,9}(?:\.\d{1,9}){0,9}$/

/** Normalizes a version: without leading zeros, or numbers of 0 at the end. */
function normalizeVersion(text: string): string {
  if (!dotted.test(text)) return text
  const parts = text.split('.').map(Number)
  return parts.slice(0, parts.findLastIndex(part => part !== 0) + 1).join('.')
}

/** The introductions of each version, in the order of the version table. Service §9. */
export const introductions = [
  { what: 'exportSite', since: '10.4' },
  { what: 'exportSite validate', since: '11.1' },
  { what: 'exportSite success with warning', since: '10.8' },
  { what: 'configure', since: '10.9' },
  { what: 'userManagedStores', since: '10.9.1' },
  { what: 'cloudConfig', since: '11.2' },
  { what: 'deleteAll', since: '11.1' },
  { what: 'update', since: '11.2' },
] as const satisfies readonly { what: string; since: ServiceVersion }[]

type Introduced = (typeof introductions)[number]['what']

/** Finds the version that introduced an operation, a parameter or a result. Service §9. */
export function findIntroduction(what: Introduced): ServiceVersion {
  const entry = introductions.find(introduction => introduction.what === what)
  if (entry === undefined) throw new Error(`not in the version table: ${what}`)
  return entry.since
}

/** A version with its own fields, and their source: the service document, or public reports. */
interface KnownVersion {
  readonly version: ServiceVersion
  /** The public sources of a version that the document does not have. */
  readonly reportedBy?: string
}

/** The versions from the first with `configure` on, oldest first. Service §9; field notes §1.6, §1.7, §3. */
const known = [
  { version: '10.9' },
  { version: '10.9.1' },
  { version: '11.1' },
  { version: '11.2' },
  { version: '11.3', reportedBy: 'Helm charts 11.3' },
  { version: '11.4', reportedBy: 'deployment guides 11.4, Terraform modules' },
  { version: '11.5', reportedBy: 'Terraform modules' },
  { version: '12.0', reportedBy: 'administrator API reference 12.0, Terraform modules' },
  { version: '12.1', reportedBy: 'deployment guides 12.1' },
] as const satisfies readonly KnownVersion[]

/** Every version with its own manifest schema; a version in between has the fields of the one before it. */
export type ManifestVersion = (typeof known)[number]['version']
export const knownVersions: readonly (KnownVersion & { readonly version: ManifestVersion })[] = known
export const manifestVersions: readonly ManifestVersion[] = known.map(({ version }) => version)

/** The oldest version the service document describes: before it there is no operation. Service §9. */
export const oldestVersion: ServiceVersion = findIntroduction('exportSite')

/** The newest version the service document describes. Service §9. */
export const newestVersion = '11.2' satisfies ManifestVersion

/** The oldest version known only from reports. */
export const firstReportedVersion: ManifestVersion = selectVersion(
  manifestVersions.indexOf(newestVersion) + 1,
)

/** The newest reported version. */
export const newestReportedVersion: ManifestVersion = selectVersion(-1)

function selectVersion(index: number): ManifestVersion {
  return manifestVersions.at(index) ?? newestVersion
}

/**
 * Finds the version in the text of a site, or in the tag of an image, in the form of manifests: `11.2` for `11.2.0.5500`,
 * without the number of a build, or of a patch that has no fields of its own. `undefined` for other text.
 */
export function findRelease(text: string): ServiceVersion | undefined {
  const version = parseVersion(/^\d+\.\d+(?:\.[1-9]\d*)?\b/.exec(text)?.[0] ?? '')
  return version && (findKnownVersion(version)?.version ?? version)
}

/** True for a version that the service document covers, up to the newest one that it names. Service §9. */
export function isDocumented(version: ServiceVersion): boolean {
  return compareVersions(version, newestVersion) <= 0
}

/** Finds the known version that equals a version, or of which that is a patch; `undefined` for an unreported one. */
export function findKnownVersion(version: ServiceVersion): KnownVersion | undefined {
  const same = known.findLast(one => isSameVersion(one.version, version))
  if (same !== undefined || isDocumented(version)) return same
  const [major, minor] = splitVersion(version)
  return known.find(one => isSameVersion(one.version, `${major}.${minor}`))
}

/** Finds the version whose schema applies to `version`; `undefined` if no manifest can exist for it. */
export function findSchemaVersion(version: ServiceVersion): ManifestVersion | undefined {
  return manifestVersions.findLast(candidate => compareVersions(candidate, version) <= 0)
}
