/** Facts from public sources about cloud storage that the service document does not show; see `field-notes.ts`. */
import type { ServiceVersion } from './versions.js'

export interface ReportedCloud {
  readonly provider: keyof typeof reportedProviderNames
  /** Label of its storage service. */
  readonly service: string
  /** The storage class that guides for its clusters use. */
  readonly storageClass: string
}

/** Names of the providers by the kind of their credentials (Helm charts 11.2 and 11.3). */
export const reportedProviderNames = {
  bucket: 'AWS',
  container: 'AZURE',
  'regionless-bucket': 'GCP',
} as const

/** A credential type that the charts of a later version replaced (Helm charts 11.3). */
export const replacedCredential = {
  type: 'MANAGED-IDENTITY',
  since: '11.3' satisfies ServiceVersion,
  by: ['SYSTEM-ASSIGNED-IDENTITY', 'USER-ASSIGNED-IDENTITY'],
  /** A type of the same provider that was kept. */
  still: 'STORAGE-ACCOUNT-KEY',
} as const

/** The providers that the vendor's templates name, 11.2 and 11.3, with the storage classes of the deployment guides. */
export const reportedClouds = {
  aws: { provider: 'bucket', service: 'AWS S3', storageClass: 'gp3' },
  azure: {
    provider: 'container',
    service: 'Azure Blob Store',
    storageClass: 'managed-premium',
  },
  gcp: {
    provider: 'regionless-bucket',
    service: 'Google Cloud Storage',
    storageClass: 'premium-rwo',
  },
} as const satisfies Readonly<Record<string, ReportedCloud>>

/** Finds the reported facts about the provider of a kind. */
export function findReportedCloud(kind: ReportedCloud['provider']): ReportedCloud {
  const found = Object.values<ReportedCloud>(reportedClouds).find(({ provider }) => provider === kind)
  if (found === undefined) throw new Error('every provider kind has a cloud')
  return found
}

export type CloudKey = keyof typeof reportedClouds
export const cloudKeys = Object.keys(reportedClouds) as readonly CloudKey[]
