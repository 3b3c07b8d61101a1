import type { VolumeComponent } from '../../src/contract/volumes.js'
import type { VolumeSpec } from '../../src/manifest/manifest.js'
import { previewStorage, readStorageClasses, storageDiagnostics } from '../../src/plan/storage-classes.js'
import { aManifest } from '../support/a-manifest.js'
import { anOrganization } from '../support/an-organization.js'
import { aStorageClassObject, jsonBytes } from '../support/storage-class.js'

/** A manifest with changes in some volumes. */
function desired(
  changes: Partial<Record<VolumeComponent, Partial<Record<keyof VolumeSpec, string | undefined>>>> = {},
) {
  const { volumes } = anOrganization()
  const changed = Object.entries(volumes).map(([component, volume]) => [
    component,
    { ...volume, storageClass: 'gp3', ...changes[component as VolumeComponent] },
  ])
  return aManifest({ organization: anOrganization({ volumes: Object.fromEntries(changed) }) })
}

function classes(...objects: readonly Parameters<typeof aStorageClassObject>[0][]) {
  const read = readStorageClasses(jsonBytes({ kind: 'List', items: objects.map(aStorageClassObject) }))
  if (!read.ok) throw new Error(read.error.fault.kind)
  return read.value
}

const said = (manifest: ReturnType<typeof desired>, available: ReturnType<typeof classes>) =>
  storageDiagnostics(manifest, previewStorage(manifest, available)).map(
    ({ code, severity, pointer }) => `${severity} ${code} ${pointer}`,
  )
const at = (component: VolumeComponent) => `/spec/volumes/${component}/storageClass`

describe('the diagnostics for storage classes', () => {
  test('are empty if all is as advised', () => {
    expect(said(desired(), classes({ name: 'gp3' }))).toEqual([])
  })

  test.each<[string, object, readonly string[]]>([
    ['volumes that cannot grow', { allowVolumeExpansion: false }, [`warning volume/class-cannot-expand`]],
    [
      'volumes that cannot grow by default',
      { allowVolumeExpansion: null },
      [`warning volume/class-cannot-expand`],
    ],
    [
      'volumes that are bound at once',
      { volumeBindingMode: 'Immediate' },
      [`warning volume/class-binds-at-once`],
    ],
    ['volumes that are retained', { reclaimPolicy: 'Retain' }, [`warning volume/class-keeps-volumes`]],
    [
      'all of these together',
      { allowVolumeExpansion: false, volumeBindingMode: 'Immediate', reclaimPolicy: 'Retain' },
      [
        'warning volume/class-cannot-expand',
        'warning volume/class-binds-at-once',
        'warning volume/class-keeps-volumes',
      ],
    ],
  ])('include %s', (_what, changes, expected) => {
    expect(said(desired(), classes({ name: 'gp3', ...changes }))).toEqual(
      expected.map(line => `${line} ${at('RELATIONAL_PRIMARY')}`),
    )
  })

  test('are only one error if a class provisions no volumes', () => {
    const poor = { allowVolumeExpansion: false, volumeBindingMode: 'WaitForFirstConsumer' }
    const manual = classes({ name: 'gp3', provisioner: 'kubernetes.io/no-provisioner', ...poor })
    expect(said(desired(), manual)).toEqual([
      `error volume/class-provisions-nothing ${at('RELATIONAL_PRIMARY')}`,
    ])
    expect(storageDiagnostics(desired(), previewStorage(desired(), manual))[0]?.help).toContain('STATIC')
  })

  test.each([
    ['efs.csi.aws.com', 'file-share'],
    ['file.csi.azure.com', 'file-share'],
    ['kubernetes.io/azure-file', 'file-share'],
    ['cluster.local/nfs-subdir-external-provisioner', 'file-share'],
    ['nfs.csi.k8s.io', 'file-share'],
    ['smb.csi.k8s.io', 'file-share'],
    ['filestore.csi.storage.gke.io', 'file-share'],
    ['vpc.file.csi.ibm.io', 'file-share'],
    ['ebs.csi.aws.com', 'block'],
    ['ebs.csi.eks.amazonaws.com', 'block'],
    ['kubernetes.io/aws-ebs', 'block'],
    ['disk.csi.azure.com', 'block'],
    ['pd.csi.storage.gke.io', 'block'],
    ['csi.vsphere.vmware.com', 'block'],
    ['rook-ceph.rbd.csi.ceph.com', 'block'],
    ['driver.longhorn.io', 'block'],
    ['zfs.csi.openebs.io', 'block'],
    ['rancher.io/local-path', 'block'],
    ['profile.example.org', 'block'],
  ])('treat %s as a provisioner of %s volumes', (provisioner, expected) => {
    const poor = { provisioner, allowVolumeExpansion: false, volumeBindingMode: 'Immediate' }
    const [{ faults = [] } = {}] = previewStorage(desired(), classes({ name: 'gp3', ...poor })).classes
    expect(faults).toEqual(expected === 'file-share' ? ['file-share'] : ['cannot-expand', 'binds-at-once'])
  })

  test('are empty for file shares without a database', () => {
    const manifest = desired({ SHARING: { storageClass: 'efs' } })
    const available = classes({ name: 'gp3' }, { name: 'efs', provisioner: 'efs.csi.aws.com' })
    expect(said(manifest, available)).toEqual([])
  })

  test('include a missing class once, at the first volume that names it', () => {
    const manifest = desired({ BLOB: { storageClass: 'gone' }, QUEUE: { storageClass: 'gone' } })
    expect(said(manifest, classes({ name: 'gp3' }))).toEqual([
      `error volume/no-such-storage-class ${at('BLOB')}`,
    ])
  })

  test.each([{ storageClass: 'gone' }, { storageClass: undefined }])(
    'are empty if the volumes are provisioned by hand: %j',
    volume => {
      const manifest = desired({ BLOB: { ...volume, provisioningType: 'STATIC' } })
      expect(said(manifest, classes({ name: 'gp3' }))).toEqual([])
      expect(previewStorage(manifest, classes({ name: 'gp3' })).others).toEqual(['BLOB'])
    },
  )

  test('are the same if the default provisioning type is written out', () => {
    const manifest = desired({ BLOB: { storageClass: 'gone', provisioningType: 'DYNAMIC' } })
    expect(said(manifest, classes({ name: 'gp3' }))).toHaveLength(1)
  })
})

test.each<[string, readonly string[], string]>([
  ['which one may be meant', ['gp2', 'standard'], 'did you mean `gp2`?'],
  ['which ones exist', ['standard', 'premium'], 'available: `standard` or `premium`'],
  ['that none exist', [], 'create the class first'],
])('the help of a missing class says %s', (_what, names, help) => {
  const manifest = desired()
  const found = storageDiagnostics(
    manifest,
    previewStorage(manifest, classes(...names.map(name => ({ name })))),
  )
  expect(found.map(one => one.help)).toEqual([help])
})
