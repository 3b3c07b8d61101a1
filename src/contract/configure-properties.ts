/**
 * The properties of the vendor's configuration script, by name. Public sources only: the 10.9.1 configuration script, and
 * the deployment guides from 11.1 to 12.1, which show whole files.
 */
import type { VolumeComponent } from './volumes.js'

/** Properties with the same value as one field of a manifest. */
export const plainProperties = {
  ADMIN_USERNAME: 'username',
  ADMIN_EMAIL: 'email',
  LICENSE_TYPE_ID: 'user-type',
  SECURITY_QUESTION_INDEX: 'question',
  SYSTEM_ARCH_PROFILE: 'profile',
  K8S_NAMESPACE: 'name',
} as const

/** The script joins these to one name, separated by a space. */
export const nameProperties = ['ADMIN_FIRST_NAME', 'ADMIN_LAST_NAME'] as const

/** The script sends to `https://HOST/CONTEXT/admin`; the default context is `arcgis`. */
export const addressProperties = { host: 'ARCGIS_ENTERPRISE_FQDN', context: 'CONTEXT' } as const
/** The default context. */
export const defaultContext = 'arcgis'

/** License files, as paths on the machine that runs the script; with two names up to 10.9.1. */
export const licenseProperties = {
  LICENSE_FILE: 'license',
  LICENSE_FILE_PORTAL: 'license',
  LICENSE_FILE_SERVER: 'server-license',
} as const

/** Secrets; the first is encrypted with its own key, the second is not. */
export const secretProperties = ['ADMIN_PASSWORD', 'SECURITY_QUESTION_ANSWER'] as const

/** The beginning of text that OpenSSL encrypted with a password, in base64. */
export const encryptedPrefix = 'U2FsdGVkX1'

/** Paths with commas between them. */
export const folderProperty = 'REGISTERED_FOLDER_PATHS'
/** The level of the logs. */
export const logLevelProperty = 'LOG_SETTING'

/** Since 12.1 two properties define the profile; only the values of this one are known to overlap with earlier ones. */
export const laterProfileProperty = 'AVAILABILITY_PROFILE'
/** The only value with an unchanged meaning. */
export const unchangedProfile = 'development'

/** The groups of storage properties. */
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

/** The last part of the name of a storage property, with the field of a volume; a volume can have any number of labels. */
export const storageFields = { TYPE: 'provisioningType', SIZE: 'size', CLASS: 'storageClass' } as const

/** The reasons for not migrating a property. */
export type NotMigratedReason =
  | 'no-parameter'
  | 'no-key-needed'
  | 'about-the-cluster'
  | 'chart-configures'
  | 'another-profile'
  | 'cloud-file'
  | 'no-label'
  | 'one-license'

/** Properties without a field in a manifest. */
export const notMigratedProperties = {
  ENCRYPTION_KEYFILE: 'no-key-needed',
  ARCGIS_SITENAME: 'about-the-cluster',
  PERFORMANCE_PROFILE: 'another-profile',
  CLOUD_CONFIG_JSON_FILENAME: 'cloud-file',
  PLACEMENT_POLICIES_CONFIG_FILENAME: 'no-parameter',
  LOG_RETENTION_MAX_DAYS: 'no-parameter',
} as const satisfies Readonly<Record<string, NotMigratedReason>>
