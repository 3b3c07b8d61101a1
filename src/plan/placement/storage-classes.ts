import { appendSegment } from '../../diagnostics/pointer.js'
import {
  type ClusterKind,
  type ClusterListReply,
  clusterCaps,
  readList,
  readName,
  wrongType,
} from './cluster-list.js'

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
