/**
 * Facts from public sources that the service document does not show: the vendor's 10.9.1 configuration script, its
 * administrator API reference and its deployment guides. Used for warnings, for capabilities detected at run time and for
 * names that the document omits; never for an error.
 */
import type { ServiceVersion } from './versions.js'
import type { VolumeComponent } from './volumes.js'

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

/** The other way to provision volumes, spelled as the first one is (configuration script, 10.9.1). */
export const reportedProvisioningTypes = ['STATIC'] as const

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
/** A symbol that only the administrator API reference allows, which does not allow the period instead. */
export const disputedUsernameSymbol = ','

/** Names of system properties; there are others (administrator API reference, 10.9.1 to 11.2). */
export const reportedSystemProperties = [
  'containerStartUpTimeoutSeconds',
  'allowGPAndExtensionPublishingToPublishers',
  'arcgis.com.map.url',
] as const
