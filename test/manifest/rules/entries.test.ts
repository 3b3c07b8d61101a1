import type { JsonValue } from '../../../src/schema/json-schema.js'
import type { Changes } from '../../support/changed-manifest.js'
import { aDataStore, aProvider } from '../../support/manifest-value.js'
import { rule } from '../../support/rule-table.js'

const provider = (name: string) => ({ ...aProvider('IAM-ROLE'), name })
const store = (clientPath: string) => ({ ...aDataStore(), clientPath })
const folders = (...paths: readonly JsonValue[]): Changes => ({ '/spec/folders': paths })
const list = '/spec/upgrade/podPlacementPolicy/tolerations'
const tolerations = (...entries: readonly JsonValue[]): Changes => ({ [list]: entries })
const taint = { key: 'a', value: 'b', effect: 'NoSchedule' }

rule('entries are unique', [
  ['providers with two names', { '/spec/cloudStorage': [provider('AWS'), provider('archive')] }, []],
  [
    'two providers with one name',
    { '/spec/cloudStorage': [provider('AWS'), provider('AWS')] },
    ['manifest/duplicate-entry /spec/cloudStorage/1/name'],
  ],
  ['stores with two paths', { '/spec/dataStores': [store('/a'), store('/b')] }, []],
  [
    'two stores with one path',
    { '/spec/dataStores': [store('/a'), store('/b'), store('/a')] },
    ['manifest/duplicate-entry /spec/dataStores/2/clientPath'],
  ],
  ['two folders', folders('/a', '/a/'), []],
  ['a folder twice', folders('/a', '/b', '/a'), ['manifest/duplicate-entry /spec/folders/2']],
  [
    'a folder three times, reported once',
    folders('/a', '/a', '/a'),
    ['manifest/duplicate-entry /spec/folders/1'],
  ],
  [
    'two folders twice',
    folders('/a', '/b', '/b', '/a'),
    ['manifest/duplicate-entry /spec/folders/2', 'manifest/duplicate-entry /spec/folders/3'],
  ],
  ['folders as one text', { '/spec/folders': '/a,/a' }, []],
  ['tolerations with two effects', tolerations(taint, { ...taint, effect: 'NoExecute' }), []],
  ['a toleration twice', tolerations(taint, taint), [`manifest/duplicate-entry ${list}/1`]],
  [
    'a toleration twice, once with its default',
    tolerations(taint, { effect: 'NoSchedule', operator: 'Equal', value: 'b', key: 'a' }),
    [`manifest/duplicate-entry ${list}/1`],
  ],
  [
    'a map instead of a list',
    { '/spec/folders': { a: '/a', b: '/a' } },
    ['manifest/wrong-type /spec/folders'],
  ],
])
