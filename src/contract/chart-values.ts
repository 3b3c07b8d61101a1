/**
 * The values of the vendor's Helm chart and the variables of its Terraform module, by the properties of the configuration
 * script that they become. Public sources only: the README of the chart (1.1 to 1.3), and the module `organization` for AWS and
 * Azure in the repository Esri/arcgis-gitops, which passes its variables on to the chart.
 */
import { storageGroups } from './configure-properties.js'

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

/** The paths of values, with dots between their keys, and the property of each. */
export const valueProperties: ReadonlyMap<string, string> = new Map([
  ['install.enterpriseFQDN', 'ARCGIS_ENTERPRISE_FQDN'],
  ['install.context', 'CONTEXT'],
  ['configure.systemArchProfile', 'SYSTEM_ARCH_PROFILE'],
  ['configure.licenseFile', 'LICENSE_FILE'],
  ['configure.licenseTypeId', 'LICENSE_TYPE_ID'],
  ...Object.entries(administrator).map(([key, name]) => [`configure.admin.${key}`, name] as const),
  ['configure.securityQuestionIndex', 'SECURITY_QUESTION_INDEX'],
  ['configure.securityQuestionAnswer', 'SECURITY_QUESTION_ANSWER'],
  ['configure.cloudConfigJsonFilename', 'CLOUD_CONFIG_JSON_FILENAME'],
  ['configure.logSetting', 'LOG_SETTING'],
  ['configure.logRetentionMaxDays', 'LOG_RETENTION_MAX_DAYS'],
  ...listStorage('configure.storage'),
  // The module deploys into the namespace of this name.
  ['deployment_id', 'K8S_NAMESPACE'],
  ['deployment_fqdn', 'ARCGIS_ENTERPRISE_FQDN'],
  ['arcgis_enterprise_fqdn', 'ARCGIS_ENTERPRISE_FQDN'],
  ['arcgis_enterprise_context', 'CONTEXT'],
  ['system_arch_profile', 'SYSTEM_ARCH_PROFILE'],
  ['authorization_file_path', 'LICENSE_FILE'],
  ['license_type_id', 'LICENSE_TYPE_ID'],
  ...Object.values(administrator).map(name => [name.toLowerCase(), name] as const),
  ['security_question_index', 'SECURITY_QUESTION_INDEX'],
  ['security_question_answer', 'SECURITY_QUESTION_ANSWER'],
  ['cloud_config_json_file_path', 'CLOUD_CONFIG_JSON_FILENAME'],
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

/** These let the chart configure the site, which is then done twice; true is the chart's default. */
export const configureSwitches: readonly string[] = ['configure.enabled', 'configure_enterprise_org']

/** Values of the deployment in the cluster, with everything below them. */
export const deploymentValues: readonly string[] = [
  'image',
  'common',
  'upgrade',
  'install.allowedPrivilegedContainers',
  'install.configureWaitTimeMin',
  'install.ingress',
  'install.k8sClusterDomain',
  'aws_region',
  'azure_region',
  'backup_job_timeout',
  'common_verbose',
  'configure_wait_time_min',
  'enterprise_admin_cli_version',
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
