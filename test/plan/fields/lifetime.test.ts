import { isBelow, type JsonPointer } from '../../../src/diagnostics/pointer.js'
import { findLaterChange, listImmutableParts } from '../../../src/plan/fields/lifetime.js'
import { listFieldPointers } from '../../../src/schema/field-schema.js'
import { aManifest, aPolicy } from '../../support/a-manifest.js'
import { aPlan, inProgress, ready } from '../../support/a-plan.js'
import { everyField } from '../../support/every-field.js'

test.each<[JsonPointer, string]>([
  ['/spec/upgrade', 'update'],
  ['/spec/upgrade/podPlacementPolicy/tolerations/0/key', 'update'],
  ['/spec/systemProperties', 'another-operation'],
  ['/spec/systemProperties/a', 'another-operation'],
  ['/spec/upgradeX', 'no-operation'],
  ['/spec/volumes/BLOB/size', 'no-operation'],
  ['/spec/profile', 'no-operation'],
  ['/spec/extra/a', 'no-operation'],
])('what can change %s later is: %s', (pointer, expected) => {
  expect(findLaterChange(pointer)).toBe(expected)
})

test.each<[JsonPointer, JsonPointer, boolean]>([
  ['/a/b', '/a/b', true],
  ['/a/b/c', '/a/b', true],
  ['/a/bc', '/a/b', false],
  ['/a', '/a/b', false],
  ['/a', '', true],
])('%s is below %s: %s', (pointer, owner, expected) => {
  expect(isBelow(pointer, owner)).toBe(expected)
})

describe('what a plan settles for good', () => {
  const settled = (changes: Parameters<typeof aPlan>[0]) =>
    listImmutableParts(aPlan(changes)).map(({ pointer }) => pointer)

  test('is the profile, too, where the manifest names none', () => {
    expect(settled({})).toEqual(['/spec/administrator', '/spec/license', '/spec/volumes', '/spec/profile'])
  })

  test('is every part of a manifest that nothing changes later, and no other', () => {
    const parts = listFieldPointers('/spec').filter(pointer => pointer.split('/').length === 3)
    const once = parts.filter(
      pointer =>
        !['/spec/site', '/spec/state'].includes(pointer) && findLaterChange(pointer) === 'no-operation',
    )
    const all = settled({ desired: aManifest({ organization: everyField, policy: aPolicy() }) })
    expect([...all].sort()).toEqual([...once].sort())
  })

  test.each([ready, inProgress])('is nothing on a site that is %o', observed => {
    expect(settled({ observed, desired: aManifest({ policy: aPolicy() }) })).toEqual([])
  })
})
