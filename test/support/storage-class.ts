export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

/** Returns a storage class in the format of `kubectl get storageclasses -o json`, as public sources advise, with changes. */
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
