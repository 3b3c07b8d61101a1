import type { VolumeComponent } from '../../src/contract/volumes.js'
import type { VolumeSpec } from '../../src/manifest/manifest.js'
import { previewStorage, readStorageClasses, storageDiagnostics } from '../../src/plan/storage-classes.js'
import { aManifest } from '../support/a-manifest.js'
import { anOrganization } from '../support/an-organization.js'
import { aStorageClassObject, jsonBytes } from '../support/storage-class.js'

/** A manifest in which some volumes differ. */
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

describe('of storage classes is said', () => {
  test('nothing where all is as advised', () => {
    expect(said(desired(), classes({ name: 'gp3' }))).toEqual([])
  })

  test.each<[string, object, readonly string[]]>([
    ['that volumes cannot grow', { allowVolumeExpansion: false }, [`warning volume/class-cannot-expand`]],
    [
      'that volumes cannot grow where nothing is said',
      { allowVolumeExpansion: null },
      [`warning volume/class-cannot-expand`],
    ],
    [
      'that volumes are made at once',
      { volumeBindingMode: 'Immediate' },
      [`warning volume/class-binds-at-once`],
    ],
    ['that volumes are kept', { reclaimPolicy: 'Retain' }, [`warning volume/class-keeps-volumes`]],
    [
      'all of it at once',
      { allowVolumeExpansion: false, volumeBindingMode: 'Immediate', reclaimPolicy: 'Retain' },
      [
        'warning volume/class-cannot-expand',
        'warning volume/class-binds-at-once',
        'warning volume/class-keeps-volumes',
      ],
    ],
  ])('%s', (_what, changes, expected) => {
    expect(said(desired(), classes({ name: 'gp3', ...changes }))).toEqual(
      expected.map(line => `${line} ${at('RELATIONAL_PRIMARY')}`),
    )
  })

  test('that one is not there, once, at the first volume that names it', () => {
    const manifest = desired({ BLOB: { storageClass: 'gone' }, QUEUE: { storageClass: 'gone' } })
    expect(said(manifest, classes({ name: 'gp3' }))).toEqual([
      `error volume/no-such-storage-class ${at('BLOB')}`,
    ])
  })

  test.each([{ storageClass: 'gone' }, { storageClass: undefined }])(
    'nothing where the volumes are made by hand: %j',
    volume => {
      const manifest = desired({ BLOB: { ...volume, provisioningType: 'STATIC' } })
      expect(said(manifest, classes({ name: 'gp3' }))).toEqual([])
      expect(previewStorage(manifest, classes({ name: 'gp3' })).others).toEqual(['BLOB'])
    },
  )

  test('the same where the usual way is written out', () => {
    const manifest = desired({ BLOB: { storageClass: 'gone', provisioningType: 'DYNAMIC' } })
    expect(said(manifest, classes({ name: 'gp3' }))).toHaveLength(1)
  })
})

test.each<[string, readonly string[], string]>([
  ['what was meant', ['gp2', 'standard'], 'did you mean `gp2`?'],
  ['what there is', ['standard', 'premium'], 'available: `standard` or `premium`'],
  ['that there is none', [], 'create the class first'],
])('the help of a missing class says %s', (_what, names, help) => {
  const manifest = desired()
  const found = storageDiagnostics(
    manifest,
    previewStorage(manifest, classes(...names.map(name => ({ name })))),
  )
  expect(found.map(one => one.help)).toEqual([help])
})
