import type { StageName, StageState } from './responses.js'
import type { ServiceVersion } from './versions.js'
import type { VolumeComponent } from './volumes.js'

/**
 * Facts from public sources that the service document does not show: the vendor's 10.9.1 configuration script, its
 * administrator API reference and its deployment guides. Used for warnings, for capabilities detected at run time and for
 * names that the document omits; never for an error.
 */

/** The one organization of a site (administrator API reference; Terraform modules). */
const defaultOrganization = '0123456789ABCDEF'

/** The part that carries the server license file, which was needed before 11.0 (configuration script, 10.9.1). */
export const serverLicensePart = 'serverLicenseFile'
export const serverLicenseBefore: ServiceVersion = '11.0'

/** The key of the JSON object for several folders in `folderPathsToRegister` (configuration script, 10.9.1). */
export const folderListKey = 'paths'

/** Overall states in addition to the documented ones (configuration script, 10.9.1). */
export const reportedSiteStates = {
  /** Not configured yet, or undeployed. */
  notConfigured: 'not_configured',
  /** Created, but not yet ready; ends in `ready`. */
  configured: 'configured',
  failed: 'failed',
} as const

/** Codes of errors about tokens: invalid or expired, and missing (public API clients). */
export const tokenErrorCodes = { invalid: 498, required: 499 } as const

/** Log levels (administrator API reference, deployment guides). */
export const reportedLogLevels = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'] as const

/** User types named as examples (deployment guides up to 12.1). */
export const reportedUserTypes = [
  'creatorUT',
  'GISProfessionalBasicUT',
  'GISProfessionalStdUT',
  'GISProfessionalAdvUT',
] as const

/** User types that were merged into another one; a retired type cannot be the first administrator (what's new in 11.4). */
export const mergedUserTypes = {
  since: '11.4',
  into: 'creatorUT',
  names: ['GISProfessionalBasicUT', 'GISProfessionalStdUT', 'GISProfessionalAdvUT'],
} as const satisfies { since: ServiceVersion; into: string; names: readonly string[] }

/**
 * The provisioning type of volumes that were prepared in advance: their labels select them, and a storage class is optional
 * (configuration script, 10.9.1; pages about static volumes of the deployment guides, 11.3 to 12.0).
 */
export const preparedProvisioningType = 'STATIC'

/** The smallest size of each volume (storage pages of the deployment guides, 11.3 and 11.4). */
export const smallestSizes: Readonly<Record<VolumeComponent, string>> = {
  RELATIONAL_PRIMARY: '16Gi',
  RELATIONAL_SECONDARY: '16Gi',
  BLOB: '32Gi',
  IN_MEM_CACHE: '16Gi',
  QUEUE: '16Gi',
  INDEXER: '16Gi',
  SHARING: '16Gi',
  REST_METRICS_API: '30Gi',
}

/**
 * The labels recommended for each volume; the app label names what runs on it (storage pages of the deployment
 * guides, 11.3 to 12.0). For the tier of the last one the sources also name `api`.
 */
export const recommendedLabels: Readonly<Record<VolumeComponent, Readonly<Record<string, string>>>> = {
  RELATIONAL_PRIMARY: { 'arcgis/tier': 'storage', 'arcgis/app': 'postgres' },
  RELATIONAL_SECONDARY: { 'arcgis/tier': 'storage', 'arcgis/app': 'postgres' },
  BLOB: { 'arcgis/tier': 'storage', 'arcgis/app': 'ozone' },
  IN_MEM_CACHE: { 'arcgis/tier': 'storage', 'arcgis/app': 'ignite' },
  QUEUE: { 'arcgis/tier': 'queue', 'arcgis/app': 'rabbitmq' },
  INDEXER: { 'arcgis/tier': 'storage', 'arcgis/app': 'elasticsearch' },
  SHARING: { 'arcgis/tier': 'api', 'arcgis/app': 'sharing' },
  REST_METRICS_API: { 'arcgis/tier': 'storage', 'arcgis/app': 'prometheus' },
}

/** The application on each volume (the app labels; for sharing, the storage pages of the deployment guides). */
export const reportedContents: Readonly<Record<VolumeComponent, string>> = {
  RELATIONAL_PRIMARY: 'runs PostgreSQL',
  RELATIONAL_SECONDARY: 'runs PostgreSQL',
  BLOB: 'runs Ozone',
  IN_MEM_CACHE: 'runs Ignite',
  QUEUE: 'runs RabbitMQ',
  INDEXER: 'runs Elasticsearch',
  SHARING: 'holds item packages',
  REST_METRICS_API: 'runs Prometheus',
}

/** The component whose volume is ignored with cloud storage (deployment guides). */
export const ignoredBesideCloudStorage: VolumeComponent = 'BLOB'

/** The components that the vendor's own settings give one size (configuration script, 10.9.1; charts, 11.1 to 11.3). */
export const relationalComponents = ['RELATIONAL_PRIMARY', 'RELATIONAL_SECONDARY'] as const

/** Symbols that a user name may have (deployment guides, Helm charts 11.1 to 11.3, Terraform modules). */
export const reportedUsernameSymbols = '@._-'
/** A symbol that only the administrator API reference allows. That page, in turn, does not allow the period. */
export const disputedUsernameSymbol = ','

/** Names of system properties; there are others (administrator API reference, 10.9.1 to 11.2). */
export const reportedSystemProperties = [
  'containerStartUpTimeoutSeconds',
  'allowGPAndExtensionPublishingToPublishers',
  'arcgis.com.map.url',
] as const

/**
 * Facts from public sources about requests and responses that the service document does not show. The emulator uses them with
 * field fidelity; the sources are those at the top of this file.
 */
/** A stage state in addition to the documented ones (configuration script, 10.9.1). */
export const failedStage = 'failed'
export type ReportedStageState = StageState | typeof failedStage

/** Stage names with other capitals than the documented ones (configuration script, 10.9.1). */
export const reportedStageSpellings: Readonly<Partial<Record<StageName, string>>> = {
  'Configuration store': 'Configuration Store',
  'Queue store': 'Queue Store',
}

/** A later child of the root resource; of the others only titles are reported (Terraform modules, to 12.0). */
export const reportedResources = ['jobs'] as const

/** Builds of some versions (deployment guides). */
export const reportedBuilds: ReadonlyMap<string, string> = new Map([
  ['11.3.0', '5814'],
  ['11.4.0', '6285'],
  ['12.1.0', '8325'],
])

/** The message of a response to a request without a token (configuration script, 10.9.1). */
export const tokenRequired = 'Token Required.'

/**
 * The path of the token service, relative to the parent of the administrator API (configuration script, 10.9.1; Terraform
 * modules).
 */
export const tokenServicePath = 'sharing/rest/generateToken'
/** The kinds of clients that a token can be bound to (administrator API reference). */
export const tokenClients = ['referer', 'requestip'] as const
/** Lifetimes of tokens in minutes; longer ones are silently reduced to the maximum (administrator guides, 10.9.1 and 11.4). */
export const tokenMinutes = { usual: 120, max: 20_160 } as const
/** The stage after which the site issues tokens; there are none while the portal starts (configuration script, 10.9.1). */
export const portalStage: StageName = 'Portal REST API'

/** The operation that validates a license before anything is configured, without a token (configuration script, 10.9.1). */
export const licenseValidation = `/orgs/${defaultOrganization}/license/validateLicense`

/** The version since which the upgrade configuration has more than the placement policy (administrator API reference). */
export const moreUpgradeSettingsSince: ServiceVersion = '12.0'

/** The states of `system/upgrades` while no upgrade runs; none is known during one (administrator API reference). */
export const upgradeStatesAtRest: readonly string[] = ['no_upgrade', 'success']

/** The default retention of logs in days, reported since this version (administrator API reference). */
export const logDays = { usual: 60, since: '11.2' } as const satisfies {
  usual: number
  since: ServiceVersion
}
/** The default log level; the deployment guides name WARNING (administrator API reference). */
export const usualLogLevel = 'INFO'

/** The reported user types; their names are not reported, so the identifier is used. */
export const userTypeRecords = reportedUserTypes.map(id => ({ id, name: id }))
