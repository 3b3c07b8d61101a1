import { newWorld } from '../../../src/emulator/service/world.js'
import { aForm, after, aRequest, ask, begin, outcome, partsOf, type Values } from './builders.js'

const deletion = (service: string, values: Values = {}) =>
  aForm({ operation: 'deleteAll', service }, { token: 'a-token', ...values })

test('deleteAll removes the webhooks of one service and leaves those of others', () => {
  const world = newWorld({ webhooks: { 'Roads.FeatureServer': 3, 'Routing.GPServer': 2 } })
  const request = deletion('Roads.FeatureServer')
  expect(ask(world, request)).toMatchObject({ httpStatus: 200, body: { status: 'success' } })
  const next = after(world, begin, request)
  expect(Object.fromEntries(next.webhooks ?? [])).toEqual({ 'Roads.FeatureServer': 0, 'Routing.GPServer': 2 })
  expect(world.webhooks?.get('Roads.FeatureServer')).toBe(3)
})

test('deleteAll succeeds for a service without webhooks, and a second time', () => {
  const world = newWorld({ webhooks: { 'Routing.GPServer': 0 } })
  const once = after(world, begin, deletion('Routing.GPServer'))
  expect(outcome(ask(once, deletion('Routing.GPServer')))).toBe('accepted')
})

test('every service is known when none were listed, and only those that were listed otherwise', () => {
  expect(outcome(ask(newWorld(), deletion('Any.Name.GPServer')))).toBe('accepted')
  const world = newWorld({ webhooks: { 'Roads.FeatureServer': 1 } })
  expect(outcome(ask(world, deletion('Rivers.FeatureServer')))).toBe('400 There is no such service.')
  expect(outcome(ask(world, deletion('Roads.GPServer')))).toBe('400 There is no such service.')
})

test.each([
  'Roads.MapServer',
  'Roads.featureserver',
  'Roads',
  '.GPServer',
  'Roads.',
  'GPServer',
  '__proto__',
])('deleteAll refuses the service %s', service => {
  expect(outcome(ask(newWorld(), deletion(service)))).toMatch(/^400 .*GPServer or FeatureServer/)
})

test.each([
  ['no token', { token: undefined }, '400 The parameter token is missing.'],
  ['an empty token', { token: '' }, '400 token must be a string that is not empty.'],
  ['a token of another site', { token: 'another' }, '400 The token is not valid.'],
  ['an unknown parameter', { force: 'true' }, '400 The parameter "force" is unknown.'],
  ['a body that is no form', { '{"token":"hunter2"}': '' }, '400 The parameter "…" is unknown.'],
] satisfies [string, Values, string][])(
  'deleteAll refuses %s and deletes nothing',
  (_what, values, expected) => {
    const world = newWorld({ token: 'a-token', webhooks: { 'Roads.GPServer': 1 } })
    const request = deletion('Roads.GPServer', values)
    expect(outcome(ask(world, request))).toBe(expected)
    expect(after(world, begin, request).webhooks?.get('Roads.GPServer')).toBe(1)
  },
)

test('deleteAll refuses multipart form data', () => {
  const parts = partsOf({ token: 'a-token' })
  const target = { operation: 'deleteAll', service: 'Roads.GPServer' } as const
  const request = aRequest(target, { encoding: 'multipart', parts })
  expect(outcome(ask(newWorld(), request))).toBe('400 The body must be form-encoded.')
})
