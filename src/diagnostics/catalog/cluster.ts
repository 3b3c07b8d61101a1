import { describeRejections, type NodeRejectionFacts } from '../node-rejection.js'
import { allOf, didYouMean, lines, paragraph, quoted, shortList } from '../words.js'
import { entry } from './entry.js'

/** A storage class, and the volumes that name it. */
export interface ClassFacts {
  readonly name: string
  readonly components: readonly string[]
}

const advised = 'Reported: storage pages of the deployment guides, 11.3 and 11.4; Kubernetes'

const volume = (storageClass: string) => lines('volumes:', `  QUEUE: { storageClass: ${storageClass} }`)

const toleration = (text: string) =>
  lines('upgrade:', '  podPlacementPolicy:', '    tolerations:', `      - ${text}`)

/** What only the nodes and the storage classes of a cluster show. */
export const clusterEntries = {
  'placement/no-node': entry<{
    readonly nodes: number
    /** The node for which least would have to change. */
    readonly nearest: string
    /** Why the nearest node does not take them. */
    readonly rejections: readonly NodeRejectionFacts[]
  }>({
    severity: 'error',
    phase: 'cluster',
    marks: 'key',
    source: 'Service §4.4, Kubernetes',
    title: 'No node takes the pods of an upgrade',
    message: ({ nodes }) =>
      `${nodes === 1 ? 'the only node does not take' : `none of the ${nodes} nodes takes`} upgrade pods with this policy`,
    help: ({ nearest, rejections }) => {
      const [reason = '', ...others] = describeRejections(rejections)
      return `the nearest is ${quoted(nearest)}: ${reason}${others.length > 0 ? `, and ${others.length} more` : ''}`
    },
    explanation: paragraph(
      'A node takes a pod when it matches one term of the demand, and when every taint that keeps pods off is tolerated.',
      'The policy is used only when an upgrade begins, so its pods would wait then, and the upgrade with them.',
      'Change the policy, or label a node for it; a cordoned node, or one that is not ready, refuses for the time being.',
    ),
    example: {
      wrong: toleration('{ key: dedicatd, operator: Exists }'),
      right: toleration('{ key: dedicated, operator: Exists }'),
    },
  }),
  'placement/toleration-wider': entry<{
    readonly node: string
    readonly taint: string
    readonly count: number
  }>({
    severity: 'warning',
    phase: 'cluster',
    marks: 'value',
    source: 'Service §4.4, Kubernetes',
    title: 'A node takes upgrade pods only as Kubernetes reads a toleration',
    message: ({ node, taint, count }) =>
      `${quoted(node)}${count > 1 ? ` and ${count - 1} more` : ''} would refuse if this toleration meant what the service document says: the taint is ${quoted(taint)}`,
    help: () => 'write out the key of the taint, and its effect',
    explanation: paragraph(
      'Kubernetes takes a toleration without an effect for one of every effect, and `Exists` without a key for one of every taint.',
      'The service document compares key, value and effect, or the key alone with `Exists`.',
      'With key and effect written out both say the same, and the node takes the pods whoever is right.',
    ),
    example: {
      wrong: toleration('{ key: dedicated, operator: Equal, value: upgrades }'),
      right: toleration('{ key: dedicated, operator: Equal, value: upgrades, effect: NoSchedule }'),
    },
  }),
  'volume/no-such-storage-class': entry<
    ClassFacts & { readonly suggestion: string | undefined; readonly available: readonly string[] }
  >({
    severity: 'error',
    phase: 'cluster',
    marks: 'value',
    source: 'Kubernetes',
    title: 'The cluster does not have the storage class',
    message: ({ name, components }) =>
      `the cluster has no storage class ${quoted(name)}, which ${allOf(components)} ${components.length === 1 ? 'names' : 'name'}`,
    help: ({ suggestion, available }) =>
      didYouMean(suggestion) ??
      (available.length === 0 ? 'create the class first' : `it has ${shortList(available)}`),
    explanation: paragraph(
      'A volume is made by its storage class, and without the class its claim waits for ever.',
      'A site is configured once, so this would be found out halfway through what cannot be undone.',
      'Name a class that `kubectl get storageclasses` shows, or create it before you apply.',
    ),
    example: { wrong: volume('gp33'), right: volume('gp3') },
  }),
  'volume/class-cannot-expand': entry<ClassFacts>({
    severity: 'warning',
    phase: 'cluster',
    marks: 'value',
    source: advised,
    title: 'A storage class whose volumes cannot grow',
    message: ({ name }) => `volumes of the storage class ${quoted(name)} cannot grow`,
    help: () => 'set `allowVolumeExpansion: true` on the class',
    explanation: paragraph(
      'Some volumes of a site can be made larger later, and only where their class allows it.',
      'A volume that is full and cannot grow is reported to stop the site.',
      'The field may be changed on a class that exists.',
    ),
    example: { wrong: volume('fixed'), right: volume('gp3') },
  }),
  'volume/class-binds-at-once': entry<ClassFacts & { readonly mode: string }>({
    severity: 'warning',
    phase: 'cluster',
    marks: 'value',
    source: advised,
    title: 'A storage class that makes volumes before their pods are placed',
    message: ({ name, mode }) =>
      `the storage class ${quoted(name)} has \`volumeBindingMode\` ${quoted(mode)}`,
    help: () => 'use a class with `volumeBindingMode: WaitForFirstConsumer`',
    explanation: paragraph(
      'A volume that is made at once may be in a zone where no node takes its pod, which then waits for ever.',
      'In a cluster of one zone that cannot happen.',
      'The field cannot be changed on a class that exists, so name another one.',
    ),
    example: { wrong: volume('immediate'), right: volume('gp3') },
  }),
  'volume/class-keeps-volumes': entry<ClassFacts & { readonly policy: string }>({
    severity: 'warning',
    phase: 'cluster',
    marks: 'value',
    source: advised,
    title: 'A storage class that keeps volumes nobody claims',
    message: ({ name, policy }) =>
      `the storage class ${quoted(name)} has \`reclaimPolicy\` ${quoted(policy)}`,
    help: () => 'use a class with `reclaimPolicy: Delete`',
    explanation: paragraph(
      'Public sources advise `Delete` for the volumes of a site, and `Retain` only for a store of backups.',
      'With `Retain` the volumes of a site that was taken back stay, with its data and its costs.',
      'Where that is wanted the warning stays: the plan is shown and can be applied all the same.',
    ),
    example: { wrong: volume('retained'), right: volume('gp3') },
  }),
} as const
