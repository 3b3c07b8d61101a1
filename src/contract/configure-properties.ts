import type { VolumeComponent } from './volumes.js'

/**
 * The properties of the vendor's configuration script, by name. Public sources only: the 10.9.1 configuration script, and
 * the deployment guides from 11.1 to 12.1, which show whole files.
 */

/** Properties with the same value as one field of a manifest. */
export const plainProperties = {
  ADMIN_USERNAME: 'username',
  ADMIN_EMAIL: 'email',
  LICENSE_TYPE_ID: 'user-type',
  SECURITY_QUESTION_INDEX: 'question',
  SYSTEM_ARCH_PROFILE: 'profile',
  AVAILABILITY_PROFILE: 'availability-profile',
  PERFORMANCE_PROFILE: 'performance-profile',
  K8S_NAMESPACE: 'name',
} as const

/** The script joins these to one name, separated by a space. */
export const nameProperties = ['ADMIN_FIRST_NAME', 'ADMIN_LAST_NAME'] as const

/** The script sends to `https://HOST/CONTEXT/admin`; the default context is `arcgis`. */
export const addressProperties = {
  host: 'ARCGIS_ENTERPRISE_FQDN',
  context: 'CONTEXT',
  /** A value of the chart from 1.3 on, which replaces the host for configuring. */
  configureHost: 'configure.enterpriseFQDN',
} as const
export const defaultContext = 'arcgis'

/** The version of the deployed images, perhaps with the number of a build, as in `11.2.0.5500`. */
export const versionProperty = 'VERSION_TAG'

/** License files, as paths on the machine that runs the script; with two names up to 10.9.1. */
export const licenseProperties = {
  LICENSE_FILE: 'license',
  LICENSE_FILE_PORTAL: 'license',
  LICENSE_FILE_SERVER: 'server-license',
} as const

/** Properties with secrets. The first is encrypted with a key of its own, the second is not encrypted. */
export const secretProperties = ['ADMIN_PASSWORD', 'SECURITY_QUESTION_ANSWER'] as const

/** The beginning of text that OpenSSL encrypted with a password, in base64. */
export const encryptedPrefix = 'U2FsdGVkX1'

/** Paths with commas between them. */
export const folderProperty = 'REGISTERED_FOLDER_PATHS'
export const logLevelProperty = 'LOG_SETTING'

/** A file with the cloud storage and its secrets. */
export const cloudProperty = 'CLOUD_CONFIG_JSON_FILENAME'
/** Its variable in the Terraform module, and the variable for the license, which the module requires. */
export const cloudVariable = 'cloud_config_json_file_path'
export const licenseVariable = 'authorization_file_path'

export const storageGroups = {
  RELATIONAL: ['RELATIONAL_PRIMARY', 'RELATIONAL_SECONDARY'],
  OBJECT: ['BLOB'],
  MEMORY: ['IN_MEM_CACHE'],
  QUEUE: ['QUEUE'],
  INDEXER: ['INDEXER'],
  SHARING: ['SHARING'],
  PROMETHEUS: ['REST_METRICS_API'],
} as const satisfies Readonly<Record<string, readonly VolumeComponent[]>>

export type StorageGroup = keyof typeof storageGroups

/** The last part of the name of a storage property, with the field of a volume; a volume can have any number of labels. */
export const storageFields = { TYPE: 'provisioningType', SIZE: 'size', CLASS: 'storageClass' } as const

/** The reasons for not migrating a property. */
export type NotMigratedReason =
  | 'no-parameter'
  | 'about-the-cluster'
  | 'chart-configures'
  | 'another-profile'
  | 'cloud-file'
  | 'own-object-store'
  | 'placement-file'
  | 'no-label'
  | 'no-version'
  | 'another-version'
  | 'one-license'

/**
 * Matches the properties of the deployment file by their first words, and the property of the key file for its passwords.
 * Public sources: the deployment guides from 11.1 to 12.1.
 */
export const deploymentProperties =
  /^(?:(?:ALLOWED_PRIVILEGED|CLUSTER_INGRESS|CONTAINER|ENABLE_NETWORK|HELM|INGRESS|K8S|LOAD_BALANCER|NODE_PORT|REGISTRY|ROOT_ORG|USE)_|(?:ARCGIS_SITENAME|ENCRYPTION_KEYFILE)$)/

/** Properties without a field in a manifest. */
export const notMigratedProperties = {
  [cloudProperty]: 'cloud-file',
  PLACEMENT_POLICIES_CONFIG_FILENAME: 'placement-file',
  LOG_RETENTION_MAX_DAYS: 'no-parameter',
} as const satisfies Readonly<Record<string, NotMigratedReason>>

/**
 * The values of the vendor's Helm chart and the variables of its Terraform module, by the properties of the configuration
 * script that they become. Public sources only: the README of the chart (1.1 to 1.3), and the module `organization` for AWS and
 * Azure in the repository Esri/arcgis-gitops, which passes its variables on to the chart.
 */

const administrator = {
  username: 'ADMIN_USERNAME',
  password: 'ADMIN_PASSWORD',
  email: 'ADMIN_EMAIL',
  firstName: 'ADMIN_FIRST_NAME',
  lastName: 'ADMIN_LAST_NAME',
} as const

const storageKeys = {
  type: 'TYPE',
  size: 'SIZE',
  class: 'CLASS',
  label1: 'LABEL_1',
  label2: 'LABEL_2',
} as const

/** Splits a label: the template of the script says `key:value`, and its examples have `key=value`. */
export function splitLabel(text: string): readonly [key: string, value: string] | undefined {
  const [, key, value] = /^([^:=]+)[:=]([^:=]*)$/.exec(text) ?? []
  return key === undefined || value === undefined ? undefined : [key.trim(), value.trim()]
}

/** The paths of values, with dots between their keys, and the property of each. */
export const valueProperties: ReadonlyMap<string, string> = new Map([
  ['image.tag', versionProperty],
  ['install.enterpriseFQDN', 'ARCGIS_ENTERPRISE_FQDN'],
  ['install.context', 'CONTEXT'],
  ['configure.enterpriseFQDN', addressProperties.configureHost],
  ['configure.systemArchProfile', 'SYSTEM_ARCH_PROFILE'],
  ['configure.licenseFile', 'LICENSE_FILE'],
  ['configure.licenseTypeId', 'LICENSE_TYPE_ID'],
  ...Object.entries(administrator).map(([key, name]) => [`configure.admin.${key}`, name] as const),
  ['configure.securityQuestionIndex', 'SECURITY_QUESTION_INDEX'],
  ['configure.securityQuestionAnswer', 'SECURITY_QUESTION_ANSWER'],
  ['configure.cloudConfigJsonFilename', cloudProperty],
  ['configure.logSetting', 'LOG_SETTING'],
  ['configure.logRetentionMaxDays', 'LOG_RETENTION_MAX_DAYS'],
  ...listStorage('configure.storage'),
  // The module deploys into the namespace of this name.
  ['deployment_id', 'K8S_NAMESPACE'],
  ['arcgis_version', versionProperty],
  ['deployment_fqdn', 'ARCGIS_ENTERPRISE_FQDN'],
  ['arcgis_enterprise_fqdn', 'ARCGIS_ENTERPRISE_FQDN'],
  ['arcgis_enterprise_context', 'CONTEXT'],
  ['system_arch_profile', 'SYSTEM_ARCH_PROFILE'],
  [licenseVariable, 'LICENSE_FILE'],
  ['license_type_id', 'LICENSE_TYPE_ID'],
  ...Object.values(administrator).map(name => [name.toLowerCase(), name] as const),
  ['security_question_index', 'SECURITY_QUESTION_INDEX'],
  ['security_question_answer', 'SECURITY_QUESTION_ANSWER'],
  [cloudVariable, cloudProperty],
  ['log_setting', 'LOG_SETTING'],
  ['log_retention_max_days', 'LOG_RETENTION_MAX_DAYS'],
  ...listStorage('storage'),
])

function listStorage(prefix: string): readonly (readonly [path: string, property: string])[] {
  return Object.keys(storageGroups).flatMap(group =>
    Object.entries(storageKeys).map(
      ([key, field]) => [`${prefix}.${group.toLowerCase()}.${key}`, `${group}_STORAGE_${field}`] as const,
    ),
  )
}

/** Values with which the chart configures the site itself: it would be configured twice. The chart's default is true. */
export const configureSwitches: readonly string[] = ['configure.enabled', 'configure_enterprise_org']

/** Values about the deployment in the cluster, which include everything below them that is not a value above. */
export const deploymentValues: readonly string[] = [
  'image',
  'common',
  'upgrade',
  'install',
  'aws_region',
  'azure_region',
  'backup_job_timeout',
  'common_verbose',
  'configure_wait_time_min',
  'enterprise_admin_cli_version',
  'enterprise_id',
  'helm_charts_version',
  'image_repository_prefix',
  'k8s_cluster_domain',
  'mandatory_update_target_id',
  'site_id',
  'staging_volume_class',
  'staging_volume_size',
  'upgrade_token',
]

/** The headings that `helm get values` prints above the values, which make them keys without a value. */
export const valueHeadings: readonly string[] = ['USER-SUPPLIED VALUES', 'COMPUTED VALUES']
