/**
 * The property file of the vendor's configuration script, by name: which property says what. Public sources only: the
 * 10.9.1 configuration script, and the deployment guides from 11.1 to 12.1, which show whole files.
 */
import type { VolumeComponent } from './volumes.js'

/** Properties that say one thing, and say it as a manifest does. */
export const plainProperties = {
  ADMIN_USERNAME: 'username',
  ADMIN_EMAIL: 'email',
  LICENSE_TYPE_ID: 'user-type',
  SECURITY_QUESTION_INDEX: 'question',
  SYSTEM_ARCH_PROFILE: 'profile',
  K8S_NAMESPACE: 'name',
} as const

/** The script makes one name of them, with a space between. */
export const nameProperties = ['ADMIN_FIRST_NAME', 'ADMIN_LAST_NAME'] as const

/** `https://HOST/CONTEXT/admin` is where the script sends; `arcgis` stands where no context is given. */
export const addressProperties = { host: 'ARCGIS_ENTERPRISE_FQDN', context: 'CONTEXT' } as const
/** The context of a file that names none. */
export const defaultContext = 'arcgis'

/** License files, as paths on the machine that runs the script; with two names up to 10.9.1. */
export const licenseProperties = {
  LICENSE_FILE: 'license',
  LICENSE_FILE_PORTAL: 'license',
  LICENSE_FILE_SERVER: 'server-license',
} as const

/** Secrets; the first is encrypted with a key of its own, the second is not. */
export const secretProperties = ['ADMIN_PASSWORD', 'SECURITY_QUESTION_ANSWER'] as const

/** How a text begins that OpenSSL encrypted with a password, in base64. */
export const encryptedPrefix = 'U2FsdGVkX1'

/** Paths with commas between them. */
export const folderProperty = 'REGISTERED_FOLDER_PATHS'
/** The level of the logs. */
export const logLevelProperty = 'LOG_SETTING'

/** From 12.1 two properties say the profile; of their values this one alone is known to be what it was. */
export const laterProfileProperty = 'AVAILABILITY_PROFILE'
/** The one value that says what it said before. */
export const unchangedProfile = 'development'

/** What each group of storage properties is about. */
export const storageGroups = {
  RELATIONAL: ['RELATIONAL_PRIMARY', 'RELATIONAL_SECONDARY'],
  OBJECT: ['BLOB'],
  MEMORY: ['IN_MEM_CACHE'],
  QUEUE: ['QUEUE'],
  INDEXER: ['INDEXER'],
  SHARING: ['SHARING'],
  PROMETHEUS: ['REST_METRICS_API'],
} as const satisfies Readonly<Record<string, readonly VolumeComponent[]>>

/** A group of storage properties. */
export type StorageGroup = keyof typeof storageGroups

/** The last part of the name of a storage property, with the field of a volume; there may be any number of labels. */
export const storageFields = { TYPE: 'provisioningType', SIZE: 'size', CLASS: 'storageClass' } as const

/** Why nothing of a property goes into a manifest. */
export type LeftOutBecause =
  | 'no-parameter'
  | 'no-key-needed'
  | 'about-the-cluster'
  | 'another-profile'
  | 'cloud-file'
  | 'no-label'
  | 'one-license'

/** Properties that have no place in a manifest. */
export const propertiesLeftOut = {
  ENCRYPTION_KEYFILE: 'no-key-needed',
  ARCGIS_SITENAME: 'about-the-cluster',
  PERFORMANCE_PROFILE: 'another-profile',
  CLOUD_CONFIG_JSON_FILENAME: 'cloud-file',
  PLACEMENT_POLICIES_CONFIG_FILENAME: 'no-parameter',
  LOG_RETENTION_MAX_DAYS: 'no-parameter',
} as const satisfies Readonly<Record<string, LeftOutBecause>>
