import { matchOperators, tolerationEffects } from '../../../src/contract/placement.js'
import type { Json } from '../../../src/emulator/service/json.js'
import { upgradeConfig } from '../../../src/emulator/service/update.js'
import { newWorld, type WorldOptions } from '../../../src/emulator/service/world.js'
import type { Values } from './builders.js'
import { aConfigure, after, anUpdate, anUpgradeConfig, aRequest, ask, begin, outcome } from './builders.js'

const readyAt = begin + 1300
const ready = (options: WorldOptions = {}) =>
  after(newWorld({ stageMs: 100, ...options }), begin, aConfigure())

test('update answers success and replaces the policy', () => {
  const policy = anUpgradeConfig({}, [{ key: 'upgrades', operator: 'Exists' }])
  expect(ask(ready(), anUpdate(), readyAt)).toMatchObject({ httpStatus: 200, body: { status: 'success' } })
  const once = after(ready(), readyAt, anUpdate())
  expect(once.upgradeConfig).toEqual(anUpgradeConfig())
  const twice = after(once, readyAt, anUpdate({ upgradeConfig: JSON.stringify(policy) }))
  expect(twice.upgradeConfig).toEqual(policy)
  expect(twice.counters.update).toEqual({ received: 2, accepted: 2 })
})

test('update is refused before the site is ready', () => {
  const refused = '400 The site is not ready.'
  expect(outcome(ask(newWorld(), anUpdate()))).toBe(refused)
  expect(outcome(ask(ready(), anUpdate(), readyAt - 1))).toBe(refused)
  expect(outcome(ask(ready(), anUpdate(), readyAt))).toBe('accepted')
})

test.each([
  ['no token', { token: undefined }, '400 The parameter token is missing.'],
  ['an empty token', { token: '' }, '400 token must be a string that is not empty.'],
  ['no policy', { upgradeConfig: undefined }, '400 The parameter upgradeConfig is missing.'],
  ['malformed JSON', { upgradeConfig: '{' }, '400 upgradeConfig must hold JSON of 8 MiB at most.'],
  [
    'JSON that is too long',
    { upgradeConfig: `"${'x'.repeat(8 * 1024 * 1024)}"` },
    /hold JSON of 8 MiB at most/,
  ],
  ['a parameter of another operation', { validate: 'true' }, '400 The parameter "validate" is unknown.'],
  ['a policy without its wrapper', { upgradeConfig: '{"nodeAffinity":{}}' }, /unknown field "nodeAffinity"/],
  ['an unknown format', { f: 'html' }, '400 f must be one of json, pjson.'],
] satisfies [string, Values, string | RegExp][])('update refuses %s', (_what, values, expected) => {
  const response = ask(ready(), anUpdate(values), readyAt)
  expect(outcome(response)).toMatch(expected)
  expect(after(ready(), readyAt, anUpdate(values)).upgradeConfig).toBeUndefined()
})

test('only the chosen token is accepted when one was chosen', () => {
  const world = ready({ token: 'the-one' })
  expect(outcome(ask(world, anUpdate({ token: 'the-one' }), readyAt))).toBe('accepted')
  expect(outcome(ask(world, anUpdate({ token: 'another' }), readyAt))).toBe('400 The token is not valid.')
  expect(outcome(ask(ready(), anUpdate({ token: 'another' }), readyAt))).toBe('accepted')
})

test('update refuses multipart form data', () => {
  const { target, body } = anUpdate()
  const request = aRequest(target, { encoding: 'multipart', parts: body.parts })
  expect(outcome(ask(ready(), request, readyAt))).toBe('400 The body must be form-encoded.')
})

const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'
const terms = (...matchExpressions: readonly Json[]) => ({ nodeSelectorTerms: [{ matchExpressions }] })
const zone = { key: 'zone', operator: 'In', values: ['a', 'b'] }
const affinity = (nodeAffinity: Json) => upgradeConfig(anUpgradeConfig(nodeAffinity), 'upgradeConfig')
const expression = (value: Json) => affinity({ [required]: terms(value) })
const toleration = (value: Json) => upgradeConfig(anUpgradeConfig({}, [value]), 'upgradeConfig')

test.each([
  ['none', {}],
  ['a demand', { [required]: terms(zone) }],
  ['a preference', { [preferred]: terms(zone) }],
  ['both', { [required]: terms(zone), [preferred]: terms(zone, zone) }],
  ['no terms', { [required]: { nodeSelectorTerms: [] } }],
] satisfies [string, Json][])('a node affinity of %s is right', (_what, nodeAffinity) => {
  expect(affinity(nodeAffinity)).toBeUndefined()
})

test.each(matchOperators)('the operator %s is right with values', operator => {
  expect(expression({ ...zone, operator })).toBeUndefined()
})

test.each(['In', 'NotIn'])('the operator %s needs values', operator => {
  const problem = new RegExp(
    `matchExpressions\\[0\\]\\.values must not be empty with the operator ${operator}`,
  )
  expect(expression({ key: 'zone', operator, values: [] })).toMatch(problem)
  expect(expression({ key: 'zone', operator })).toMatch(problem)
})

test.each(['Exists', 'DoesNotExist'])('the operator %s does without values', operator => {
  expect(expression({ key: 'zone', operator, values: [] })).toBeUndefined()
  expect(expression({ key: 'zone', operator })).toBeUndefined()
})

test.each([
  ['an unknown operator', expression({ ...zone, operator: 'Gt' }), /operator must be one of In, NotIn/],
  [
    'an expression without a key',
    expression({ operator: 'Exists' }),
    /matchExpressions\[0\]\.key is missing/,
  ],
  ['values that are no texts', expression({ ...zone, values: [1] }), /values\[0\] must be a string/],
  ['an unknown field', expression({ ...zone, weight: 1 }), /unknown field "weight"/],
  ['an unknown kind of affinity', affinity({ podAffinity: {} }), /unknown field "podAffinity"/],
  ['an affinity without terms', affinity({ [required]: {} }), /nodeSelectorTerms is missing/],
  ['an affinity in a list', affinity([]), /nodeAffinity must be a JSON object/],
  ['no affinity', upgradeConfig({ podPlacementPolicy: { tolerations: [] } }, 'u'), /nodeAffinity is missing/],
  [
    'no tolerations',
    upgradeConfig({ podPlacementPolicy: { nodeAffinity: {} } }, 'u'),
    /tolerations is missing/,
  ],
  [
    'tolerations in an object',
    upgradeConfig(anUpgradeConfig({}, {}), 'u'),
    /tolerations must be a JSON array/,
  ],
  ['no policy', upgradeConfig({}, 'u'), /podPlacementPolicy is missing/],
  ['a list for a policy', upgradeConfig([], 'u'), /must be a JSON object/],
])('%s is wrong', (_what, problem, expected) => {
  expect(problem).toMatch(expected)
})

const equal = { effect: 'NoSchedule', key: 'dedicated', operator: 'Equal', value: 'gis' }

test.each(tolerationEffects)('a toleration of %s is right', effect => {
  expect(toleration({ ...equal, effect })).toBeUndefined()
  expect(toleration({ key: 'dedicated', operator: 'Exists', effect })).toBeUndefined()
})

test.each(['effect', 'key', 'operator', 'value'])('a toleration may leave out its %s', field => {
  const kept = Object.fromEntries(Object.entries(equal).filter(([name]) => name !== field))
  expect(toleration(kept)).toBeUndefined()
})

test.each([
  ['an unknown effect', { ...equal, effect: 'Evict' }, /tolerations\[0\]\.effect must be one of/],
  ['an unknown operator', { ...equal, operator: 'In' }, /operator must be one of Exists, Equal/],
  [
    'Exists with a value',
    { key: 'a', operator: 'Exists', value: 'b' },
    /value must be absent with the operator Exists/,
  ],
  ['an unknown field', { ...equal, tolerationSeconds: 5 }, /unknown field "tolerationSeconds"/],
] satisfies [string, Json, RegExp][])('a toleration with %s is wrong', (_what, value, expected) => {
  expect(toleration(value)).toMatch(expected)
})
