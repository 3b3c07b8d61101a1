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
  RELATIONAL_PRIMARY: 'Volume of the primary relational store.',
  RELATIONAL_SECONDARY: 'Volume of the secondary relational store.',
  BLOB: 'Volume of the object store.',
  IN_MEM_CACHE: 'Volume of the in-memory store.',
  QUEUE: 'Volume of the queue store.',
  INDEXER: 'Volume of the spatiotemporal and index store.',
  SHARING: 'Volume of the sharing service.',
  REST_METRICS_API: 'Volume of the usage statistics.',
}

/** The value the document uses for every entry; whether others exist is not shown. Service §2.4. */
export const documentedProvisioningType = 'DYNAMIC'

/** The fields of one element of `volumesConfig`. Service §2.4. */
export const volumeFields = {
  provisioningType: 'Provisioning of the volume; the service document uses `DYNAMIC` for every entry.',
  component: 'The component that the volume belongs to.',
  size: 'Size of the volume: a storage quantity with a unit suffix, such as `16Gi`.',
  storageClass: 'Name of the storage class.',
  labels: 'Labels of the volume; each volume has a tier label and an app label.',
} as const

/** The last part of the keys of a volume's labels; the complete keys are not shown. Service §2.4. */
export const volumeLabels = ['tier', 'app'] as const
