import fc from 'fast-check'
import { credentialTypeNames, listCredentialTypes } from '../../src/contract/cloud.js'
import { volumeComponents } from '../../src/contract/volumes.js'
import { isObject, type JsonObject, type JsonValue } from '../../src/schema/json-schema.js'
import { appendSegment, type JsonPointer, splitPointer } from '../../src/schema/pointer.js'
import {
  aFullManifest,
  aSmallManifest,
  changed,
  pointersIn,
  removed,
  renamed,
  valueAt,
} from './manifest-value.js'

/** Values that are valid in some fields and invalid in others. */
const values: readonly JsonValue[] = [
  ...'text nobody admin@example.org licenses/site.json ../outside 16Gi 16 development Development'.split(' '),
  ...'In NotIn Exists Equal NoSchedule landform.dev/v2 http://gis.example.org'.split(' '),
  ...['', 'x'.repeat(1025), 'What is your dream job?', ...credentialTypeNames],
  ...[
    null,
    true,
    0,
    1,
    14,
    15,
    -1,
    1.5,
    [],
    [''],
    ['a', 'b'],
    [5],
    [{}],
    {},
    { text: 'text' },
    { number: 5 },
  ],
  ...[{ env: 'LANDFORM_X' }, { env: 'HOME' }, { file: 'secrets/x' }, { file: '' }],
  { env: 'LANDFORM_X', file: 'secrets/x' },
]

export const mutantVersions = '10.8 10.9 10.9.0 10.9.1 10.10 11.0 11.1 11.2 11.5 12.0 latest'.split(' ')

/** Names of fields, known and unknown. */
const names = [
  ...new Set(
    credentialTypeNames.flatMap(type =>
      pointersIn(aFullManifest(type)).map(pointer => splitPointer(pointer).at(-1) ?? ''),
    ),
  ),
  ...volumeComponents.map(name => name.toLowerCase()),
  ...'question containerName bucket_name somethingElse constructor toString a/b~c'.split(' '),
]

type Mutation = (manifest: JsonObject) => JsonObject

const anywhere = fc.nat()
const name = fc.constantFrom(...names)
const value = fc.constantFrom(...values)

/** Picks a pointer in a manifest by a number. */
function placeOf(manifest: JsonObject, chosen: number): JsonPointer {
  const pointers = pointersIn(manifest)
  return pointers[chosen % pointers.length] ?? '/spec'
}

/** Returns the nearest map at or around a pointer. */
function mapAround(manifest: JsonObject, pointer: JsonPointer): JsonPointer {
  if (isObject(valueAt(manifest, pointer))) return pointer
  return mapAround(manifest, splitPointer(pointer).slice(0, -1).reduce<JsonPointer>(appendSegment, ''))
}

const deletion = anywhere.map<Mutation>(at => manifest => removed(manifest, placeOf(manifest, at)))

const replacement = fc.tuple(anywhere, value).map<Mutation>(
  ([at, value]) =>
    manifest =>
      changed(manifest, placeOf(manifest, at), value),
)

const addition = fc.tuple(anywhere, name, value).map<Mutation>(
  ([at, name, value]) =>
    manifest =>
      changed(manifest, appendSegment(mapAround(manifest, placeOf(manifest, at)), name), value),
)

const renaming = fc.tuple(anywhere, name).map<Mutation>(([at, name]) => manifest => {
  const named = pointersIn(manifest).filter(pointer => !/\/\d+$/.test(pointer))
  return renamed(manifest, named[at % named.length] ?? '/spec', name)
})

const misspelling = fc
  .tuple(anywhere, fc.constantFrom('cut', 'double', 'upper'))
  .map<Mutation>(([at, way]) => manifest => {
    const named = pointersIn(manifest).filter(pointer => !/\/\d+$/.test(pointer))
    const pointer = named[at % named.length] ?? '/spec'
    const old = splitPointer(pointer).at(-1) ?? ''
    const spellings = { cut: old.slice(0, -1), double: `${old}${old.at(-1)}`, upper: old.toUpperCase() }
    return renamed(manifest, pointer, spellings[way])
  })

const move = fc.tuple(anywhere, anywhere).map<Mutation>(([from, to]) => manifest => {
  const moved = valueAt(manifest, placeOf(manifest, from)) ?? null
  return changed(manifest, placeOf(manifest, to), moved)
})

/** Replaces the value of a field that matches, such as one with a closed set of values or one that other fields depend on. */
function swap(pattern: RegExp, among: readonly JsonValue[]) {
  return fc.tuple(anywhere, fc.constantFrom(...among)).map<Mutation>(([at, value]) => manifest => {
    const places = pointersIn(manifest).filter(pointer => pattern.test(pointer))
    const pointer = places[at % Math.max(places.length, 1)]
    return pointer === undefined ? manifest : changed(manifest, pointer, value)
  })
}

const mutation = fc.oneof(
  { arbitrary: fc.constant<Mutation>(() => ({ replicaCount: 1 })), weight: 1 },
  deletion,
  replacement,
  addition,
  renaming,
  misspelling,
  move,
  swap(/\/credential\/type$/, [...listCredentialTypes('12.1'), 'IAM_ROLE']),
  swap(/\/signIn$/, [{}, { username: 'operations' }, { as: 'administrator', username: 'operations' }]),
  swap(/\/managedIdentityClientId$/, [null, 5, '']),
  fc.constant<Mutation>(manifest =>
    valueAt(manifest, '/spec/cloudStorage/0/credential') === undefined
      ? manifest
      : changed(
          manifest,
          '/spec/cloudStorage/0/credential/managedIdentityClientId',
          '00000000-0000-0000-0000-000000000000',
        ),
  ),
  swap(/\/tolerations\/\d\/operator$/, ['Exists', 'Equal', 'In']),
  swap(/\/(?:password|answer|token|\w+Key)$/, ['hunter2', null, { env: 'LANDFORM_X' }, {}]),
  swap(/\/securityQuestion$/, [
    { answer: { env: 'LANDFORM_X' } },
    { answer: { env: 'LANDFORM_X' }, question: 'What is your dream job?' },
    { answer: { env: 'LANDFORM_X' }, question: 'What is your dream job?', index: 13 },
  ]),
  swap(/\/(?:bucketName|containerName)$/, ['GIS_Objects', 'gis']),
  swap(/\/(?:values|value)$/, [[], ['a'], 'a', 'a b', ['a', '-a']]),
  swap(/\/matchExpressions\/\d$/, [{ key: 'a', operator: 'Exists', values: ['b'] }]),
  swap(/\/operator$/, ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Equal', 'in']),
  swap(/\/size$/, ['16', '16gi', '0Gi', '1.5Ti', '16GB', 16]),
  swap(/\/storageClass$/, ['Fast', 'fast-', 'a.b', '']),
  swap(/\/labels$/, [{ 'a=b': 'c' }, { 'a=b': null }, { a: 'b c' }, { 'a.b/c': '' }]),
  swap(/\/(?:nodeSelectorTerms|matchExpressions)$/, [[], [{ matchExpressions: [] }]]),
  swap(/\/key$/, ['', 'a b', 'a.b/c', 'a-.b/c']),
  swap(/\/tolerations\/\d$/, [{}, { operator: 'Exists' }, { key: 'a' }, { key: '', effect: 'NoSchedule' }]),
  swap(/\/profile$/, ['enhanced-availability', 'standard-availability', 'development', 'small']),
  fc
    .constantFrom('username', 'f', 'serverLicenseFile', 'futureParameter')
    .map<Mutation>(parameter => manifest => ({
      ...manifest,
      ...(isObject(manifest['spec']) && { spec: { ...manifest['spec'], extra: { [parameter]: 'on' } } }),
    })),
  fc
    .constantFrom('git:origin', 'file:{name}', 'origin', 'git:https://git.example.org/x.git', 'file:{other}')
    .map<Mutation>(state => manifest => ({
      ...manifest,
      ...(isObject(manifest['spec']) && { spec: { ...manifest['spec'], state } }),
    })),
  swap(/\/(?:username|email)$/, ['admin', 'admin@example.org', 'administrator', 'site admin']),
  swap(/\/(?:file|serverFile)$/, ['../outside', '/etc/passwd', 'inside']),
  swap(/\/url$/, ['http://gis.example.org', 'gis.example.org', 'http://127.0.0.1:1/admin']),
  swap(/\/version$/, [...mutantVersions, 11.2]),
)

const base = fc.oneof(
  fc.constantFrom(...mutantVersions).map(version => aSmallManifest(version)),
  fc.constantFrom(...listCredentialTypes('12.1')).map(type => aFullManifest(type)),
)

/** Valid manifests with up to three mutations; some are still valid. */
export const mutant = fc
  .tuple(base, fc.array(mutation, { maxLength: 3 }))
  .map(([manifest, mutations]) => mutations.reduce((changed, mutate) => mutate(changed), manifest))
  .filter(manifest => Object.keys(manifest).length > 0)
