import { parseServicePath } from '../../../src/emulator/field/webhooks.js'
import type { World } from '../../../src/emulator/service/world.js'
import { after, ask, begin, outcome } from '../service/builders.js'
import { aFieldWorld, aGet, aPost } from './builders.js'

const world = aFieldWorld({
  webhooks: { 'Roads.FeatureServer': 2, 'Water/Pipes.GPServer': 1, 'Rail.GPServer': 0 },
})
const path = (service: string, operation = '') => `/services/${service}/webhooks${operation}`
const list = (from: World, service: string) => ask(from, aGet(path(service))).body['webhooks']

test('the webhooks of a service are listed with the reported fields', () => {
  const record = {
    folderName: '',
    serviceName: 'Roads',
    serviceType: 'FeatureServer',
    changeTypes: ['*'],
    active: true,
  }
  expect(list(world, 'Roads.FeatureServer')).toEqual([
    { id: 'webhook-1', name: 'Webhook 1', ...record },
    { id: 'webhook-2', name: 'Webhook 2', ...record },
  ])
  expect(list(world, 'Rail.GPServer')).toEqual([])
  expect(list(aFieldWorld(), 'Any.GPServer')).toEqual([])
})

test('a service in a folder has the folder in its path and in its records', () => {
  expect(list(world, 'Water/Pipes.GPServer')).toMatchObject([{ folderName: 'Water', serviceName: 'Pipes' }])
})

test.each(['Roads.FeatureServer', 'Water/Pipes.GPServer'])('deleteAll empties the list of %s', service => {
  const request = aPost(path(service, '/deleteAll'), { token: 't' })
  expect(ask(world, request).body).toEqual({ status: 'success' })
  const next = after(world, begin, request)
  expect(list(next, service)).toEqual([])
  expect(next.counters.deleteAll).toEqual({ received: 1, accepted: 1 })
})

test('deactivateAll keeps the webhooks of one service and deactivates them, activateAll activates them', () => {
  const off = after(world, begin, aPost(path('Roads.FeatureServer', '/deactivateAll')))
  expect(list(off, 'Roads.FeatureServer')).toMatchObject([{ active: false }, { active: false }])
  expect(list(off, 'Water/Pipes.GPServer')).toMatchObject([{ active: true }])
  const on = after(off, begin, aPost(path('Roads.FeatureServer', '/activateAll')))
  expect(list(on, 'Roads.FeatureServer')).toEqual(list(world, 'Roads.FeatureServer'))
})

test.each([
  ['a service that does not exist', aGet(path('Rivers.GPServer')), '400 There is no such service.'],
  ['a service in another folder', aGet(path('Roads/Pipes.GPServer')), '400 There is no such service.'],
  ['another kind of service', aGet(path('Roads.MapServer')), /^400 The service must be named/],
  ['an operation that is not reported', aPost(path('Rail.GPServer', '/explode')), /^404 /],
  ['a list by POST', aPost(path('Rail.GPServer')), /^405 /],
  ['a deactivation by GET', aGet(path('Rail.GPServer', '/deactivateAll')), /^405 /],
])('%s is rejected', (_what, request, expected) => {
  expect(outcome(ask(world, request))).toMatch(expected)
})

test('webhooks do not exist before 11.1', () => {
  expect(ask(aFieldWorld({ version: '11.0' }), aGet(path('Rail.GPServer'))).httpStatus).toBe(404)
})

test.each([
  ['/services/A.GPServer/webhooks', 'A.GPServer', ''],
  ['/services/B/A.GPServer/webhooks/deleteAll', 'B/A.GPServer', 'deleteAll'],
  ['/services/My%20Roads.GPServer/webhooks', 'My Roads.GPServer', ''],
])('the path %s belongs to the service %s', (path, service, operation) => {
  expect(parseServicePath(path)).toEqual({ service, operation })
})

test.each([
  '/services/webhooks',
  '/services//webhooks',
  '/services/a/b/c.GPServer/webhooks',
  '/services/a%2Fb.GPServer/webhooks',
  '/services/%zz/webhooks',
  '/services/a.GPServer/webhooks/x/y',
  'services/a.GPServer/webhooks',
])('the path %s belongs to no service', path => {
  expect(parseServicePath(path)).toBeUndefined()
})
