import { child } from '../../diagnostics/pointer.js'
import { type ClusterKind, clusterCaps, nameIn, type Reading, readList, wrongType } from './cluster-list.js'

/** The facts of a storage class that decide how volumes are made, with the defaults of Kubernetes written out. */
export interface StorageClass {
  readonly name: string
  readonly allowVolumeExpansion: boolean
  readonly volumeBindingMode: string
  readonly reclaimPolicy: string
}

/** Reads what `kubectl get storageclasses -o json` prints. */
export function readStorageClasses(bytes: Uint8Array): Reading<StorageClass> {
  return readList(bytes, storageClassKind)
}

const words = { volumeBindingMode: 'Immediate', reclaimPolicy: 'Delete' } as const

const storageClassKind: ClusterKind<StorageClass> = {
  kind: 'StorageClass',
  *faults({ allowVolumeExpansion = null, ...others }, at) {
    if (allowVolumeExpansion !== null && typeof allowVolumeExpansion !== 'boolean')
      yield [child(at, 'allowVolumeExpansion'), wrongType('boolean')]
    for (const name of Object.keys(words)) {
      const word = others[name] ?? ''
      if (typeof word !== 'string' || word.length > clusterCaps.name)
        yield [child(at, name), { kind: 'wrong-text', is: 'word', longest: clusterCaps.name }]
    }
  },
  kept(object) {
    const word = (name: keyof typeof words) => String(object[name] ?? words[name])
    return {
      name: nameIn(object),
      allowVolumeExpansion: object['allowVolumeExpansion'] === true,
      volumeBindingMode: word('volumeBindingMode'),
      reclaimPolicy: word('reclaimPolicy'),
    }
  },
}
