import { bindingOfFirstConsumer, deletingPolicy } from '../../contract/kubernetes.js'
import { documentedProvisioningType, type VolumeComponent, volumeComponents } from '../../contract/volumes.js'
import { appendSegment } from '../../diagnostics/pointer.js'
import type { Manifest } from '../../manifest/manifest.js'
import {
  type ClusterKind,
  type ClusterListReply,
  clusterCaps,
  readList,
  readName,
  wrongType,
} from './cluster-list.js'

/** A property of a class that public sources advise against. */
export type StorageFault = 'cannot-expand' | 'binds-at-once' | 'keeps-volumes'

/** One storage class that the manifest names, as the cluster has it. */
export interface NamedClass {
  readonly name: string
  /** The volumes that name it. */
  readonly components: readonly [VolumeComponent, ...VolumeComponent[]]
  /** Absent where the cluster has no such class. */
  readonly found?: StorageClass
  readonly faults: readonly StorageFault[]
}

/** The storage classes that the volumes of a manifest use, as the cluster has them; not part of the plan. */
export interface StoragePreview {
  readonly classes: readonly NamedClass[]
  /** The names that the cluster has. */
  readonly available: readonly string[]
  /** Volumes that no storage class makes. */
  readonly others: readonly VolumeComponent[]
}

/** Finds the class of every volume that a class makes; nothing is known of the others. */
export function previewStorage(
  { organization: { volumes } }: Manifest,
  available: readonly StorageClass[],
): StoragePreview {
  const named = new Map<string, [VolumeComponent, ...VolumeComponent[]]>()
  const others: VolumeComponent[] = []
  for (const component of volumeComponents) {
    const { provisioningType = documentedProvisioningType, storageClass } = volumes[component]
    if (provisioningType !== documentedProvisioningType || storageClass === undefined) {
      others.push(component)
      continue
    }
    const users = named.get(storageClass)
    if (users === undefined) named.set(storageClass, [component])
    else users.push(component)
  }
  const classes = [...named].map(([name, components]) => {
    const found = available.find(one => one.name === name)
    return { name, components, ...(found !== undefined && { found }), faults: findFaults(found) }
  })
  return { classes, available: available.map(({ name }) => name), others }
}

function findFaults(found: StorageClass | undefined): readonly StorageFault[] {
  if (found === undefined) return []
  const { allowVolumeExpansion, volumeBindingMode, reclaimPolicy } = found
  const faults: readonly (readonly [boolean, StorageFault])[] = [
    [!allowVolumeExpansion, 'cannot-expand'],
    [volumeBindingMode !== bindingOfFirstConsumer, 'binds-at-once'],
    [reclaimPolicy !== deletingPolicy, 'keeps-volumes'],
  ]
  return faults.filter(([is]) => is).map(([, fault]) => fault)
}

/** The facts of a storage class that decide how volumes are made, with the defaults of Kubernetes written out. */
export interface StorageClass {
  readonly name: string
  readonly allowVolumeExpansion: boolean
  readonly volumeBindingMode: string
  readonly reclaimPolicy: string
}

/** Reads what `kubectl get storageclasses -o json` prints. */
export function readStorageClasses(bytes: Uint8Array): ClusterListReply<StorageClass> {
  return readList(bytes, storageClassKind)
}

const words = { volumeBindingMode: 'Immediate', reclaimPolicy: 'Delete' } as const

const storageClassKind: ClusterKind<StorageClass> = {
  kind: 'StorageClass',
  *faults({ allowVolumeExpansion = null, ...others }, at) {
    if (allowVolumeExpansion !== null && typeof allowVolumeExpansion !== 'boolean')
      yield [appendSegment(at, 'allowVolumeExpansion'), wrongType('boolean')]
    for (const name of Object.keys(words)) {
      const word = others[name] ?? ''
      if (typeof word !== 'string' || word.length > clusterCaps.name)
        yield [appendSegment(at, name), { kind: 'wrong-text', is: 'word', longest: clusterCaps.name }]
    }
  },
  pick(object) {
    const word = (name: keyof typeof words) => String(object[name] ?? words[name])
    return {
      name: readName(object),
      allowVolumeExpansion: object['allowVolumeExpansion'] === true,
      volumeBindingMode: word('volumeBindingMode'),
      reclaimPolicy: word('reclaimPolicy'),
    }
  },
}
