import { formatAll, formatShortList, formatSuggestion, quote } from '../words.js'
import { defineEntry } from './entry.js'

/** A storage class, and the volumes that name it. */
export interface StorageClassFacts {
  readonly name: string
  readonly components: readonly string[]
}

const advised = 'Reported: storage pages of the deployment guides, 11.3 and 11.4; Kubernetes'

/** Problems that only the storage classes of a cluster show. */
export const clusterEntries = {
  'volume/no-such-storage-class': defineEntry<
    StorageClassFacts & { readonly suggestion: string | undefined; readonly available: readonly string[] }
  >({
    severity: 'error',
    phase: 'cluster',
    marks: 'value',
    source: 'Kubernetes',
    title: 'The storage class does not exist in the cluster',
    message: ({ name, components }) =>
      `the cluster has no storage class ${quote(name)}, used by ${formatAll(components)}`,
    help: ({ suggestion, available }) =>
      formatSuggestion(suggestion) ??
      (available.length === 0 ? 'create the class first' : `available: ${formatShortList(available)}`),
  }),
  'volume/class-provisions-nothing': defineEntry<StorageClassFacts & { readonly provisioner: string }>({
    severity: 'error',
    phase: 'cluster',
    marks: 'value',
    source: 'Kubernetes',
    title: 'A storage class that provisions no volume',
    message: ({ name, provisioner, components }) =>
      `the storage class ${quote(name)} has the provisioner ${quote(provisioner)}, which provisions no volume for ${formatAll(components)}`,
    help: () =>
      'use another class; or create the volumes yourself, and write `provisioningType: STATIC` with the labels that select them',
  }),
  'volume/class-of-file-shares': defineEntry<
    StorageClassFacts & { readonly provisioner: string; readonly databases: readonly string[] }
  >({
    severity: 'warning',
    phase: 'cluster',
    marks: 'value',
    source:
      'Reported: storage classes of the deployment guides, 11.3 to 12.1, which are all of block storage',
    title: 'A storage class of file shares for a database',
    message: ({ name, provisioner, databases }) =>
      `the storage class ${quote(name)} provisions file shares (${quote(provisioner)}), but ${formatAll(databases)} ${databases.length === 1 ? 'has the files of a database' : 'have files of databases'}`,
    help: () => 'use a class of block storage, such as Amazon EBS, Azure Disk or Persistent Disk',
  }),
  'volume/class-cannot-expand': defineEntry<StorageClassFacts>({
    severity: 'warning',
    phase: 'cluster',
    marks: 'value',
    source: advised,
    title: 'A storage class whose volumes cannot be expanded',
    message: ({ name }) => `volumes of the storage class ${quote(name)} cannot be expanded`,
    help: () => 'set `allowVolumeExpansion: true` on the class',
  }),
  'volume/class-binds-at-once': defineEntry<StorageClassFacts & { readonly mode: string }>({
    severity: 'warning',
    phase: 'cluster',
    marks: 'value',
    source: advised,
    title: 'A storage class that provisions volumes before pods are scheduled',
    message: ({ name, mode }) => `the storage class ${quote(name)} has \`volumeBindingMode\` ${quote(mode)}`,
    help: () => 'use a class with `volumeBindingMode: WaitForFirstConsumer`',
  }),
  'volume/class-keeps-volumes': defineEntry<StorageClassFacts & { readonly policy: string }>({
    severity: 'warning',
    phase: 'cluster',
    marks: 'value',
    source: advised,
    title: 'A storage class that retains released volumes',
    message: ({ name, policy }) => `the storage class ${quote(name)} has \`reclaimPolicy\` ${quote(policy)}`,
    help: () => 'use a class with `reclaimPolicy: Delete`',
  }),
} as const
