import type { ServiceVersion } from './version.js'

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

/**
 * The documented versions from the first with `configure` on, oldest first; each has a manifest schema of its own.
 * A version in between has the fields of the one before it, a later one those of the newest. Service §9.
 */
export const manifestVersions = [
  '10.9',
  '10.9.1',
  '11.1',
  '11.2',
] as const satisfies readonly ServiceVersion[]

export type ManifestVersion = (typeof manifestVersions)[number]

/** The oldest version the service document describes: before it there is no operation. Service §9. */
export const oldestVersion: ServiceVersion = since('exportSite')

/** The newest version the service document describes. Service §9. */
export const newestVersion: ManifestVersion = '11.2'
