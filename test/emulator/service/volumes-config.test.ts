import { volumesConfig } from '../../../src/emulator/service/configure-checks.js'
import type { Json } from '../../../src/emulator/service/json.js'
import { volumes } from './builders.js'

const check = (volumesList: Json) => volumesConfig({ volumesConfig: volumesList }, 'volumesConfig')
const [first = {}, ...others] = volumes()
const withFirst = (change: { readonly [name: string]: Json }) => check([{ ...first, ...change }, ...others])

test('eight entries, one for each component in any order, are right', () => {
  expect(check(volumes())).toBeUndefined()
  expect(check(volumes().toReversed())).toBeUndefined()
})

test.each(volumes().map(volume => volume['component']))('a configuration without %s is wrong', missing => {
  const rest = volumes().filter(volume => volume['component'] !== missing)
  expect(check(rest)).toBe(`volumesConfig must hold ${missing} exactly once.`)
})

test.each([
  ['a component twice', check([...volumes(), first]), /RELATIONAL_PRIMARY exactly once/],
  ['an unknown component', withFirst({ component: 'BLOBS' }), /\[0\]\.component must be one of/],
  ['a number as size', withFirst({ size: 16 }), /\[0\]\.size/],
  ['a size without a unit', withFirst({ size: '16' }), /\[0\]\.size/],
  ['an empty size', withFirst({ size: '' }), /\[0\]\.size/],
  ['an empty storage class', withFirst({ storageClass: '' }), /\[0\]\.storageClass/],
  ['no provisioning type', withFirst({ provisioningType: null }), /\[0\]\.provisioningType/],
  ['labels in a list', withFirst({ labels: ['a'] }), /\[0\]\.labels must be a JSON object/],
  ['a label that is no text', withFirst({ labels: { tier: 1 } }), /\[0\]\.labels\."tier" must be a string/],
  ['an unknown field', withFirst({ replicas: 2 }), /\[0\] has the unknown field "replicas"/],
  ['a missing field', check([{ component: 'BLOB' }]), /\[0\]\.provisioningType is missing/],
  ['an entry that is no object', check([1]), /\[0\] must be a JSON object/],
  ['no list', check({}), /must be a JSON array/],
  ['an empty list', check([]), /exactly once/],
  ['no wrapper', volumesConfig(volumes(), 'volumesConfig'), /must be a JSON object/],
  ['another wrapper', volumesConfig({ volumes: volumes() }, 'volumesConfig'), /unknown field "volumes"/],
  ['an inherited name', volumesConfig(JSON.parse('{"__proto__":[]}'), 'volumesConfig'), /"__proto__"/],
])('%s is wrong', (_what, problem, expected) => {
  expect(problem).toMatch(expected)
})

test.each(['16Gi', '1.5Ti', '500M', '20G'])('%s is a size', size => {
  expect(withFirst({ size })).toBeUndefined()
})
