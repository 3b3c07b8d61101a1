/** The eight persistent volumes, one for each component. Service §2.4, §8. */
export const volumeComponents = [
  'RELATIONAL_PRIMARY',
  'RELATIONAL_SECONDARY',
  'BLOB',
  'IN_MEM_CACHE',
  'QUEUE',
  'INDEXER',
  'SHARING',
  'REST_METRICS_API',
] as const

export type VolumeComponent = (typeof volumeComponents)[number]

/** The content of each volume, by the names of the stages that create it. Service §2.3, §2.4. */
export const componentMeanings: Readonly<Record<VolumeComponent, string>> = {
  RELATIONAL_PRIMARY: 'This is the volume of the primary relational store.',
  RELATIONAL_SECONDARY: 'This is the volume of the secondary relational store.',
  BLOB: 'This is the volume of the object store.',
  IN_MEM_CACHE: 'This is the volume of the in-memory store.',
  QUEUE: 'This is the volume of the queue store.',
  INDEXER: 'This is the volume of the spatiotemporal and index store.',
  SHARING: 'This is the volume of the sharing service.',
  REST_METRICS_API: 'This is the volume of the usage statistics.',
}

/** The value the document uses for every entry; it shows no other. Service §2.4. */
export const documentedProvisioningType = 'DYNAMIC'

/** The fields of one element of `volumesConfig`. Service §2.4. */
export const volumeFields = {
  provisioningType:
    'The volume is provisioned in this way; the service document uses `DYNAMIC` for every entry. Reported: with `STATIC` it exists already, and the labels select it.',
  component: 'The component that the volume belongs to.',
  size: 'The volume has this size, a storage quantity with a unit suffix, such as `16Gi`.',
  storageClass:
    'The volume is provisioned by this storage class of the cluster; needed unless `provisioningType` is `STATIC`.',
  labels: 'The volume has these labels; each volume has a tier label and an app label.',
} as const

/** The last part of the keys of a volume's labels; the complete keys are not shown. Service §2.4. */
export const volumeLabels = ['tier', 'app'] as const

/** The fields of one element of `userManagedStores`. Service §2.6. */
export const dataStoreFields = {
  clientPath: 'Clients use this path.',
  type: 'The store is of this kind; the allowed values are not shown.',
} as const

/** The fields of `info` in an element of `userManagedStores`. Service §2.6. */
export const fileServerFields = {
  fileServerHost: 'The file server has this host name.',
  fileServerType: 'The file server is of this type; the allowed values are not shown.',
  fileServerPath: 'The data store is at this path on the file server.',
} as const
