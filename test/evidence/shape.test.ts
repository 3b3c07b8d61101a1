import fc from 'fast-check'
import { cloudServiceFields, connectionFields } from '../../src/contract/cloud.js'
import { policyFields, tolerationFields, undocumentedPlacementFields } from '../../src/contract/placement.js'
import {
  errorFields,
  exportResultFields,
  rootFields,
  stageFields,
  statusFields,
} from '../../src/contract/responses.js'
import { dataStoreFields, fileServerFields, volumeFields } from '../../src/contract/volumes.js'
import { isFieldName, toShape } from '../../src/evidence/shape.js'
import type { JsonValue } from '../../src/schema/json-schema.js'
import { cases } from '../support/cases.js'

const shapeOf = (value: JsonValue, resource = '') => toShape(value, resource)

test('words of the contract are kept, and everything else becomes its type and length', () => {
  const shape = shapeOf({
    fullVersion: '11.4.0.6285',
    currentVersion: 11.4,
    resources: ['orgs', 'canary'],
    status: {
      state: 'in_progress',
      message: 'Creating Canary Organization',
      warnings: [],
      stages: [{ name: 'Usage Statistics', state: 'COMPLETED', startTime: 1_700_000_000_000 }],
    },
    info: { build: '6285', enabled: true, owner: null, ratio: 0.5, url: 'https://canary.example.org' },
  })
  expect(shape).toEqual({
    fullVersion: '<version 11.4 11>',
    currentVersion: 11.4,
    resources: ['orgs', '<identifier 6>'],
    status: {
      state: 'in_progress',
      message: '<text 28>',
      warnings: [],
      stages: [{ name: 'Usage Statistics', state: 'COMPLETED', startTime: '<integer 13>' }],
    },
    info: {
      build: '<identifier 4>',
      enabled: '<boolean>',
      owner: null,
      '<key 5>': '<number>',
      url: '<address 26>',
    },
  })
})

test('a word is kept only as a value of its own field', () => {
  expect(
    shapeOf({ name: 'ready', state: 'canary', owner: 'development', stages: [{ state: 'BLOB' }] }),
  ).toEqual({
    name: '<identifier 5>',
    state: '<identifier 6>',
    owner: '<identifier 11>',
    stages: [{ state: '<identifier 4>' }],
  })
  expect(shapeOf({ name: 'development' }, '/system/architectureprofiles')).toEqual({ name: 'development' })
})

test.each([
  'canary',
  'gis.example.org',
  'store-1',
  'a1b2c3',
  'ada@example.org',
  '0123456789ABCDEF',
  '',
  '__proto__',
  'Ada Admin',
  'nameCanary',
  'canary.name',
  '<key 3>',
])('the key %j is data, and replaced', key => {
  expect(isFieldName(key)).toBe(false)
  expect(shapeOf(JSON.parse(`{${JSON.stringify(key)}: "canary"}`))).toEqual({
    [`<key ${key.length}>`]: '<identifier 6>',
  })
})

test('labels are data, whatever their keys are', () => {
  expect(shapeOf({ labels: { name: 'ready', type: 'x', state: 'ready' } })).toEqual({
    labels: { '<key 4>': '<identifier 5>', '<key 4 2>': '<identifier 1>', '<key 5>': '<identifier 5>' },
  })
})

test('a documented word among names that a site gives is replaced as well', () => {
  expect(shapeOf({ users: { admin: {}, ada: {}, fullName: {} } })).toEqual({
    users: { '<key 5>': {}, '<key 3>': {}, fullName: {} },
  })
  expect(shapeOf({ users: { admin: {}, owner: {}, ada: 1 } })).toEqual({
    users: { admin: {}, owner: {}, '<key 3>': '<integer 1>' },
  })
})

test('every field in the contract is kept', () => {
  const fields = [
    rootFields,
    statusFields,
    stageFields,
    exportResultFields,
    errorFields,
    volumeFields,
    policyFields,
    tolerationFields,
    dataStoreFields,
    fileServerFields,
    cloudServiceFields,
  ].flatMap(one => Object.keys(one))
  const others = Object.values(connectionFields).flatMap(list => list.map(({ name }) => name))
  const named = [...fields, ...others, ...undocumentedPlacementFields].flatMap(name => name.split('.'))
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(name => !isFieldName(name))).toEqual([])
})

test('the shape of a response contains none of its values', () => {
  const canary = fc.string().map(text => `canary ${text}`)
  const key = fc.oneof(canary, fc.constantFrom('state', 'fullVersion', 'labels', 'code', '__proto__'))
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 5 },
      canary,
      fc.constant(4242.4242),
      fc.array(tie('value')),
      fc.dictionary(key, tie('value')),
    ),
  }))
  fc.assert(
    fc.property(value, one => {
      const sent = JSON.parse(JSON.stringify(one)) as JsonValue
      expect(JSON.stringify(shapeOf(sent))).not.toMatch(/canary|4242/)
    }),
    { numRuns: cases(500) },
  )
})

test('long lists, wide objects and deep responses are truncated', () => {
  const wide = Object.fromEntries(Array.from({ length: 130 }, (_none, at) => [`canary ${at}`, at]))
  let deep: JsonValue = 'canary'
  for (let at = 0; at < 40; at += 1) deep = { name: deep }
  const shape = shapeOf({ items: Array.from({ length: 107 }, () => 'canary'), wide, deep } as JsonValue)
  expect(JSON.stringify(shape)).not.toContain('canary')
  expect(JSON.stringify(shape)).toContain('"<more 7>"')
  expect(JSON.stringify(shape)).toContain('"<more 30>":null')
  expect(JSON.stringify(shape)).toContain('"<deeper>"')
})
