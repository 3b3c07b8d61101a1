import type { PodPlacementPolicy } from '../../src/manifest/manifest.js'
import { type ClusterNode, readNodes } from '../../src/plan/placement/nodes.js'

type Term = Readonly<Record<string, unknown>>

/** A node as `kubectl get nodes -o json` has it, beside much that nobody looks at. */
export function aNodeObject({
  name = 'n1',
  labels = {},
  taints = [],
  unschedulable,
  ready = 'True',
}: {
  readonly name?: string
  readonly labels?: object
  readonly taints?: readonly object[]
  readonly unschedulable?: boolean
  readonly ready?: string
} = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels, uid: '0-1' },
    spec: {
      podCIDR: '10.0.0.0/24',
      ...(taints.length > 0 && { taints }),
      ...(unschedulable !== undefined && { unschedulable }),
    },
    status: {
      conditions: [
        { type: 'MemoryPressure', status: 'False' },
        { type: 'Ready', status: ready },
      ],
      images: [],
    },
  }
}

/** The node that such an object is. */
export function aNode(parts: Parameters<typeof aNodeObject>[0] = {}): ClusterNode {
  const read = readNodes(jsonBytes(aNodeObject(parts)))
  const node = read.ok ? read.value[0] : undefined
  if (node === undefined) throw new Error(`no node: ${JSON.stringify(read)}`)
  return node
}

/** A policy in which terms may lack what a manifest has to write. */
export function anyPolicy({
  nodeAffinity = {},
  tolerations = [],
}: Partial<PodPlacementPolicy>): PodPlacementPolicy {
  const completed = Object.entries(nodeAffinity).map(([kind, selector]) => [
    kind,
    'nodeSelectorTerms' in selector
      ? {
          nodeSelectorTerms: selector.nodeSelectorTerms.map((term: Term) => ({
            matchExpressions: [],
            ...term,
          })),
        }
      : selector,
  ])
  return { nodeAffinity: Object.fromEntries(completed), tolerations }
}

export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

/** A storage class as `kubectl get storageclasses -o json` has it; as public sources advise, but for the changes. */
export function aStorageClassObject({
  name,
  ...changes
}: {
  readonly name: string
  readonly [field: string]: unknown
}) {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'ebs.csi.aws.com',
    allowVolumeExpansion: true,
    volumeBindingMode: 'WaitForFirstConsumer',
    reclaimPolicy: 'Delete',
    ...changes,
  }
}
