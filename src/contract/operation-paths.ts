/** The paths of the operations below `{base_url}`; `{service}` is a placeholder for `<ServiceName>.<ServiceType>`. Service §4. */
export const operationPaths = {
  configure: '/configure',
  update: '/system/upgrades/config/update',
  exportSite: '/exportSite',
  deleteAll: '/services/{service}/webhooks/deleteAll',
} as const
