/** A service version as people write it: two or three numbers with dots, e.g. `11.2` or `10.9.1`. */
export type ServiceVersion = `${number}.${number}` | `${number}.${number}.${number}`

const shape = /^(?:0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){1,2}$/

/** Reads a version; `undefined` when the text has another shape. A missing third number counts as 0. */
export function parseVersion(text: string): ServiceVersion | undefined {
  return shape.test(text) ? (text as ServiceVersion) : undefined
}

/** Negative when `a` is older than `b`, 0 when they are the same release, positive when it is newer. */
export function compareVersions(a: ServiceVersion, b: ServiceVersion): number {
  const [left, right] = [numbers(a), numbers(b)]
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}

/** True when something introduced in `since` exists in `version`. */
export function includes(version: ServiceVersion, since: ServiceVersion): boolean {
  return compareVersions(version, since) >= 0
}

/** The three numbers of a version, the third 0 where it is not written. */
export function numbers(version: ServiceVersion): [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return [major, minor, patch]
}

/** True where two texts are one version: `11.2` and `11.2.0` are. Texts that are no numbers with dots have to be the same. */
export function isSameVersion(one: string, other: string): boolean {
  return one === other || comparable(one) === comparable(other)
}

/** True where a version is the other one with numbers left out at its end, as `11.3` is `11.3.0.5814`. */
export function isRoundedFrom(rounded: string, exact: string): boolean {
  return isSameVersion(rounded, exact) || (dotted.test(rounded) && exact.startsWith(`${rounded}.`))
}

const dotted = /^\d{1,9}(?:\.\d{1,9}){0,9}$/

/** A text that is the same for the same version: without zeros before a number, or numbers of 0 at the end. */
function comparable(text: string): string {
  if (!dotted.test(text)) return text
  const parts = text.split('.').map(Number)
  return parts.slice(0, parts.findLastIndex(part => part !== 0) + 1).join('.')
}

/** What each version introduced, in the order of the version table. Service §9. */
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

/** The version that introduced an operation, a parameter or a result. Service §9. */
export function since(what: Introduced): ServiceVersion {
  const entry = introductions.find(introduction => introduction.what === what)
  if (entry === undefined) throw new Error(`not in the version table: ${what}`)
  return entry.since
}

/** A version with fields of its own, and where they are known from: the service document, or public reports. */
export interface KnownVersion {
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

/** Every version that has a manifest schema of its own; one in between has the fields of the one before it. */
export type ManifestVersion = (typeof known)[number]['version']
export const knownVersions: readonly (KnownVersion & { readonly version: ManifestVersion })[] = known
export const manifestVersions: readonly ManifestVersion[] = known.map(({ version }) => version)

/** The oldest version the service document describes: before it there is no operation. Service §9. */
export const oldestVersion: ServiceVersion = since('exportSite')

/** The newest version the service document describes. Service §9. */
export const newestVersion = '11.2' satisfies ManifestVersion

/** The oldest version that only reports have. */
export const firstReportedVersion: ManifestVersion = versionAt(manifestVersions.indexOf(newestVersion) + 1)

/** The newest version of which anything is reported. */
export const newestReportedVersion: ManifestVersion = versionAt(-1)

function versionAt(index: number): ManifestVersion {
  return manifestVersions.at(index) ?? newestVersion
}

/** True for the versions that the service document covers: they end with the newest one that it names. Service §9. */
export function isDocumented(version: ServiceVersion): boolean {
  return compareVersions(version, newestVersion) <= 0
}

/** The known version that a version is, or is a patch of; `undefined` where nobody has reported it. */
export function knownVersionOf(version: ServiceVersion): KnownVersion | undefined {
  const same = known.findLast(one => isSameVersion(one.version, version))
  if (same !== undefined || isDocumented(version)) return same
  const [major, minor] = numbers(version)
  return known.find(one => isSameVersion(one.version, `${major}.${minor}`))
}
