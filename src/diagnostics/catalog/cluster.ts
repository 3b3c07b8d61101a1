import { describeRejections, type NodeRejectionFacts } from '../node-rejection.js'
import { formatAll, formatShortList, formatSuggestion, quote } from '../words.js'
import { defineEntry } from './entry.js'

/** A storage class, and the volumes that name it. */
export interface StorageClassFacts {
  readonly name: string
  readonly components: readonly string[]
}

const advised = 'Reported: storage pages of the deployment guides, 11.3 and 11.4; Kubernetes'

/** Problems that only the nodes and the storage classes of a cluster show. */
export const clusterEntries = {
  'placement/no-node': defineEntry<{
    readonly nodes: number
    /** The node that needs the fewest changes. */
    readonly nearest: string
    /** The reasons that the nearest node rejects them. */
    readonly rejections: readonly NodeRejectionFacts[]
  }>({
    severity: 'error',
    phase: 'cluster',
    marks: 'key',
    source: 'Service §4.4, Kubernetes',
    title: 'No node accepts the upgrade pods',
    message: ({ nodes }) =>
      `${nodes === 1 ? 'the only node does not accept' : `none of the ${nodes} nodes accepts`} upgrade pods with this policy`,
    help: ({ nearest, rejections }) => {
      const [reason = '', ...others] = describeRejections(rejections)
      return `closest match: ${quote(nearest)}: ${reason}${others.length > 0 ? `, and ${others.length} more` : ''}`
    },
  }),
  'placement/toleration-wider': defineEntry<{
    readonly node: string
    readonly taint: string
    readonly count: number
  }>({
    severity: 'warning',
    phase: 'cluster',
    marks: 'value',
    source: 'Service §4.4, Kubernetes',
    title: 'A toleration that matches the taint of a node only in Kubernetes',
    message: ({ node, taint, count }) =>
      `${quote(node)}${count > 1 ? ` and ${count - 1} more` : ''} would reject the pods if this toleration were read as the service document says: the taint is ${quote(taint)}`,
    help: () => 'set the key and the effect of the taint explicitly',
  }),
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
