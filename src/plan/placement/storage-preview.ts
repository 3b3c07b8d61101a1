import { bindingOfFirstConsumer, deletingPolicy } from '../../contract/kubernetes.js'
import { documentedProvisioningType, type VolumeComponent, volumeComponents } from '../../contract/volumes.js'
import type { Manifest } from '../../manifest/manifest.js'
import type { StorageClass } from './storage-classes.js'

/** What is not as public sources advise. */
export type StorageFault = 'cannot-expand' | 'binds-at-once' | 'keeps-volumes'

/** One storage class that the manifest names, and what the cluster has of it. */
export interface NamedClass {
  readonly name: string
  /** The volumes that name it. */
  readonly components: readonly [VolumeComponent, ...VolumeComponent[]]
  /** Absent where the cluster has no such class. */
  readonly found?: StorageClass
  readonly faults: readonly StorageFault[]
}

/** What the storage classes of a cluster make of the volumes of a manifest: plain data beside a plan. */
export interface StoragePreview {
  readonly classes: readonly NamedClass[]
  /** The names that the cluster has. */
  readonly available: readonly string[]
  /** Volumes that no storage class makes. */
  readonly others: readonly VolumeComponent[]
}

/** Looks up the class of every volume that one makes; of the others nothing can be said. */
export function storagePreview(
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
    return { name, components, ...(found !== undefined && { found }), faults: faultsOf(found) }
  })
  return { classes, available: available.map(({ name }) => name), others }
}

function faultsOf(found: StorageClass | undefined): readonly StorageFault[] {
  if (found === undefined) return []
  const { allowVolumeExpansion, volumeBindingMode, reclaimPolicy } = found
  const faults: readonly (readonly [boolean, StorageFault])[] = [
    [!allowVolumeExpansion, 'cannot-expand'],
    [volumeBindingMode !== bindingOfFirstConsumer, 'binds-at-once'],
    [reclaimPolicy !== deletingPolicy, 'keeps-volumes'],
  ]
  return faults.filter(([is]) => is).map(([, fault]) => fault)
}
