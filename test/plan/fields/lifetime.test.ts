import { fields } from '../../../src/contract/fields.js'
import { findLaterChange, findOtherOperation, listImmutableParts } from '../../../src/plan/fields/lifetime.js'
import { listFieldPointers } from '../../../src/schema/field-schema.js'
import { isBelow, type JsonPointer } from '../../../src/schema/pointer.js'
import { aManifest, aPolicy } from '../../support/a-manifest.js'
import { aPlan, inProgress, ready } from '../../support/a-plan.js'
import { everyField } from '../../support/every-field.js'

test.each<[JsonPointer, string]>([
  ['/spec/upgrade', 'update'],
  ['/spec/upgrade/podPlacementPolicy/tolerations/0/key', 'update'],
  ['/spec/systemProperties', 'another-operation'],
  ['/spec/systemProperties/a', 'another-operation'],
  ['/spec/upgradeX', 'no-operation'],
  ['/spec/volumes', 'another-operation'],
  ['/spec/volumes/BLOB/size', 'another-operation'],
  ['/spec/volumes/BLOB/storageClass', 'no-operation'],
  ['/spec/volumes/QUEUE/size', 'no-operation'],
  ['/spec/volumes/QUEUE', 'no-operation'],
  ['/spec/volumes/RELATIONAL_PRIMARY/labels', 'no-operation'],
  ['/spec/cloudStorage/0/credential/type', 'another-operation'],
  ['/spec/administrator', 'another-operation'],
  ['/spec/administrator/username', 'no-operation'],
  ['/spec/license/file', 'another-operation'],
  ['/spec/profile', 'no-operation'],
  ['/spec/extra/a', 'no-operation'],
])('%s can later be changed by: %s', (pointer, expected) => {
  expect(findLaterChange(pointer)).toBe(expected)
})

const volumesEdit = ['data/<id>/config/volumes/edit', '11.3']
const migrate = ['data/<id>/migrateObjectStore', '12.1']
const rotate = ['cloud/providers/<id>/credential/update', '11.2']
const register = ['data/registerItem', '10.9']

test.each<
  [
    string,
    JsonPointer,
    readonly [before: string | undefined, after: string | undefined],
    readonly (string | undefined)[],
  ]
>([
  ['a larger database', '/spec/volumes/RELATIONAL_PRIMARY/size', ['1Gi', '2Gi'], volumesEdit],
  ['a larger store for objects', '/spec/volumes/BLOB/size', ['1Gi', '2Gi'], volumesEdit],
  ['another class', '/spec/volumes/BLOB/storageClass', ['a', 'b'], []],
  ['a larger queue', '/spec/volumes/QUEUE/size', ['1Gi', '2Gi'], []],
  ['cloud storage', '/spec/cloudStorage/0/name', [undefined, 'AWS'], migrate],
  ['its credential', '/spec/cloudStorage/0/credential/type', [undefined, 'IAM-ROLE'], migrate],
  ['another credential', '/spec/cloudStorage/0/credential/type', ['ACCESS-KEY', 'IAM-ROLE'], rotate],
  ['another bucket', '/spec/cloudStorage/0/cloudServices/0/connection/bucketName', ['a', 'b'], []],
  ['no cloud storage', '/spec/cloudStorage/0/name', ['AWS', undefined], []],
  ['a data store', '/spec/dataStores/0/clientPath', [undefined, '/a'], register],
  ['fewer data stores', '/spec/dataStores/0/clientPath', ['/a', undefined], []],
  ['a folder', '/spec/folders', ['/a', '/b'], register],
  ['a license', '/spec/license/file', ['a', 'b'], ['orgs/0123456789ABCDEF/license/importLicense', '10.9']],
  [
    'a full name',
    '/spec/administrator/fullName',
    ['a', 'b'],
    ['sharing/rest/community/users/<username>/update'],
  ],
  ['a user name', '/spec/administrator/username', ['a', 'b'], []],
  ['the log level', '/spec/logLevel', ['INFO', 'FINE'], ['logs/settings/edit']],
  ['a profile', '/spec/profile', ['development', 'standard-availability'], []],
  ['a profile of 12.1', '/spec/deploymentProfiles/performance/name', ['standard', 'enhanced'], []],
])(
  'an edit is carried out by the operation that public sources name: %s',
  (_what, pointer, [before, after], expected) => {
    const found = findOtherOperation({
      pointer,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    })
    expect([found?.operation, found?.since].filter(one => one !== undefined)).toEqual(expected)
  },
)

test.each(['/spec/administrator/username', '/spec/profile'] as const)(
  'an immutable field without a public operation has an empty list: %s',
  pointer => {
    expect(fields.find(field => field.pointer === pointer)?.later).toMatchObject({ changedBy: [] })
  },
)

test.each<[JsonPointer, JsonPointer, boolean]>([
  ['/a/b', '/a/b', true],
  ['/a/b/c', '/a/b', true],
  ['/a/bc', '/a/b', false],
  ['/a', '/a/b', false],
  ['/a', '', true],
])('%s is below %s: %s', (pointer, owner, expected) => {
  expect(isBelow(pointer, owner)).toBe(expected)
})

describe('the immutable parts of a plan', () => {
  const settled = (changes: Parameters<typeof aPlan>[0]) =>
    listImmutableParts(aPlan(changes)).map(({ pointer }) => pointer)

  test('include the profile even if the manifest has none', () => {
    expect(settled({})).toEqual(['/spec/administrator', '/spec/license', '/spec/volumes', '/spec/profile'])
  })

  test('are exactly the parts of a manifest that no operation changes later', () => {
    const parts = listFieldPointers('/spec').filter(pointer => pointer.split('/').length === 3)
    const apart = ['/spec/site', '/spec/state', '/spec/logLevel', '/spec/systemProperties', '/spec/upgrade']
    const once = parts.filter(pointer => !apart.includes(pointer))
    const all = settled({ desired: aManifest({ organization: everyField, policy: aPolicy() }) })
    expect([...all].sort()).toEqual([...once].sort())
  })

  test.each([ready, inProgress])('are empty on a site that is %o', observed => {
    expect(settled({ observed, desired: aManifest({ policy: aPolicy() }) })).toEqual([])
  })
})
