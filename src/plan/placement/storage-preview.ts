import { bindingOfFirstConsumer, deletingPolicy } from '../../contract/kubernetes.js'
import { documentedProvisioningType, type VolumeComponent, volumeComponents } from '../../contract/volumes.js'
import type { Manifest } from '../../manifest/manifest.js'
import type { StorageClass } from './storage-classes.js'

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
    const users = named.get(storageClass)
    if (provisioningType !== documentedProvisioningType) others.push(component)
    else if (users === undefined) named.set(storageClass, [component])
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
