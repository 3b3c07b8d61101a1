import { describeRejections, type NodeRejectionFacts } from '../node-rejection.js'
import { formatAll, formatShortList, formatSuggestion, joinLines, joinSentences, quote } from '../words.js'
import { defineEntry } from './entry.js'

/** A storage class, and the volumes that name it. */
export interface StorageClassFacts {
  readonly name: string
  readonly components: readonly string[]
}

const advised = 'Reported: storage pages of the deployment guides, 11.3 and 11.4; Kubernetes'

const formatVolume = (storageClass: string) =>
  joinLines('volumes:', `  QUEUE: { storageClass: ${storageClass} }`)

const formatToleration = (text: string) =>
  joinLines('upgrade:', '  podPlacementPolicy:', '    tolerations:', `      - ${text}`)

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
    explanation: () =>
      joinSentences(
        'A node accepts a pod when it matches one term of the required node affinity and every taint that repels pods is tolerated.',
        'The policy is used only when an upgrade begins; its pods would then stay pending, and the upgrade would wait.',
        'Change the policy, or label a node to match it; a node that is cordoned or not ready rejects pods until that changes.',
      ),
    example: () => ({
      wrong: formatToleration('{ key: dedicatd, operator: Exists }'),
      right: formatToleration('{ key: dedicated, operator: Exists }'),
    }),
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
    explanation: () =>
      joinSentences(
        'In Kubernetes a toleration without an effect matches every effect, and `Exists` without a key matches every taint.',
        'The service document compares key, value and effect, or the key alone with `Exists`.',
        'With an explicit key and effect both readings agree.',
      ),
    example: () => ({
      wrong: formatToleration('{ key: dedicated, operator: Equal, value: upgrades }'),
      right: formatToleration('{ key: dedicated, operator: Equal, value: upgrades, effect: NoSchedule }'),
    }),
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
    explanation: () =>
      joinSentences(
        'The storage class provisions the volume; without the class its claim stays pending.',
        'A site is configured only once, so the failure would occur in the middle of an operation that cannot be undone.',
        'Use a class that `kubectl get storageclasses` lists, or create it before you apply.',
      ),
    example: () => ({ wrong: formatVolume('gp33'), right: formatVolume('gp3') }),
  }),
  'volume/class-cannot-expand': defineEntry<StorageClassFacts>({
    severity: 'warning',
    phase: 'cluster',
    marks: 'value',
    source: advised,
    title: 'A storage class whose volumes cannot be expanded',
    message: ({ name }) => `volumes of the storage class ${quote(name)} cannot be expanded`,
    help: () => 'set `allowVolumeExpansion: true` on the class',
    explanation: () =>
      joinSentences(
        'Some volumes of a site can be expanded later, but only if their class allows it.',
        'Public sources report that a full volume that cannot be expanded stops the site.',
        'The field can be changed on an existing class.',
      ),
    example: () => ({ wrong: formatVolume('fixed'), right: formatVolume('gp3') }),
  }),
  'volume/class-binds-at-once': defineEntry<StorageClassFacts & { readonly mode: string }>({
    severity: 'warning',
    phase: 'cluster',
    marks: 'value',
    source: advised,
    title: 'A storage class that provisions volumes before pods are scheduled',
    message: ({ name, mode }) => `the storage class ${quote(name)} has \`volumeBindingMode\` ${quote(mode)}`,
    help: () => 'use a class with `volumeBindingMode: WaitForFirstConsumer`',
    explanation: () =>
      joinSentences(
        'A volume that is provisioned immediately may be in a zone where no node accepts its pod; the pod then stays pending.',
        'This cannot happen in a cluster with a single zone.',
        'The field cannot be changed on an existing class, so use another one.',
      ),
    example: () => ({ wrong: formatVolume('immediate'), right: formatVolume('gp3') }),
  }),
  'volume/class-keeps-volumes': defineEntry<StorageClassFacts & { readonly policy: string }>({
    severity: 'warning',
    phase: 'cluster',
    marks: 'value',
    source: advised,
    title: 'A storage class that retains released volumes',
    message: ({ name, policy }) => `the storage class ${quote(name)} has \`reclaimPolicy\` ${quote(policy)}`,
    help: () => 'use a class with `reclaimPolicy: Delete`',
    explanation: () =>
      joinSentences(
        'Public sources advise `Delete` for the volumes of a site, and `Retain` only for a store of backups.',
        'With `Retain` the volumes of an undeployed site remain, with their data and their costs.',
        'If that is intended, ignore the warning: the plan can still be applied.',
      ),
    example: () => ({ wrong: formatVolume('retained'), right: formatVolume('gp3') }),
  }),
} as const
