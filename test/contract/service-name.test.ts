import { formatServiceName, parseServiceName } from '../../src/contract/operations.js'
import { hostileNames } from '../support/hostile-names.js'

test.each([
  ['Roads.GPServer', { name: 'Roads', type: 'GPServer' }],
  ['Roads.FeatureServer', { name: 'Roads', type: 'FeatureServer' }],
  ['My Roads_2-a.FeatureServer', { name: 'My Roads_2-a', type: 'FeatureServer' }],
  ['_x.GPServer', { name: '_x', type: 'GPServer' }],
  ['Traffic/Roads.GPServer', { folder: 'Traffic', name: 'Roads', type: 'GPServer' }],
  ['Roads v1.2 (test).GPServer', { name: 'Roads v1.2 (test)', type: 'GPServer' }],
  ['(old) a..b.GPServer', { name: '(old) a..b', type: 'GPServer' }],
  ['Straßen/Brücken.FeatureServer', { folder: 'Straßen', name: 'Brücken', type: 'FeatureServer' }],
  ['Дороги.FeatureServer', { name: 'Дороги', type: 'FeatureServer' }],
  ['道路.FeatureServer', { name: '道路', type: 'FeatureServer' }],
  ['सड़कें.FeatureServer', { name: 'सड़कें', type: 'FeatureServer' }],
  [`${'a'.repeat(120)}.GPServer`, { name: 'a'.repeat(120), type: 'GPServer' }],
])('%s is the name of a service, and formatted unchanged', (text, expected) => {
  const service = parseServiceName(text)
  expect(service).toEqual(expected)
  if (service !== undefined) expect(formatServiceName(service)).toBe(text)
})

test.each(hostileNames)('%j is not the name of a service', text => {
  expect(parseServiceName(text)).toBeUndefined()
})

test('a path contains only characters of names', () => {
  const allowed = /[\p{L}\p{M}\p{N}_ .()-]/u
  const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code))
  const isName = (character: string) => parseServiceName(`a${character}b.GPServer`) !== undefined
  // Everything before a slash is a folder.
  const wrong = characters.filter(one => one !== '/' && isName(one) !== allowed.test(one))
  expect(wrong).toEqual([])
})
