import type { OperationName } from '../../../src/contract/operation-name.js'
import type { ServiceVersion } from '../../../src/contract/versions.js'
import { parseTarget } from '../../../src/emulator/http/exchange.js'
import type { OperationTarget } from '../../../src/emulator/service/request.js'
import { newWorld } from '../../../src/emulator/service/world.js'
import { aConfigure, aForm, after, anUpdate, aRootRequest, ask, begin, outcome } from './builders.js'

test.each<[string, OperationTarget]>([
  ['', { operation: 'root' }],
  ['/', { operation: 'root' }],
  ['/configure', { operation: 'configure' }],
  ['/system/upgrades/config/update', { operation: 'update' }],
  ['/exportSite', { operation: 'exportSite' }],
  ['/services/Roads.GPServer/webhooks/deleteAll', { operation: 'deleteAll', service: 'Roads.GPServer' }],
  [
    '/services/My%20Roads.GPServer/webhooks/deleteAll',
    { operation: 'deleteAll', service: 'My Roads.GPServer' },
  ],
  ['/services/a.b.GPServer/webhooks/deleteAll', { operation: 'deleteAll', service: 'a.b.GPServer' }],
  ['/services/%zz/webhooks/deleteAll', { operation: 'unknown' }],
  ['/services//webhooks/deleteAll', { operation: 'unknown' }],
  ['/services/webhooks/deleteAll', { operation: 'unknown' }],
  ['/services/a/b.GPServer/webhooks/deleteAll', { operation: 'unknown' }],
  ['/services/{service}/webhooks', { operation: 'unknown' }],
  ['/Configure', { operation: 'unknown' }],
  ['/configure/', { operation: 'unknown' }],
  ['//', { operation: 'unknown' }],
  ['/__proto__', { operation: 'unknown' }],
])('the path "%s" is read as %j', (path, target) => {
  expect(parseTarget(path)).toEqual(target)
})

const deletion = aForm({ operation: 'deleteAll', service: 'Roads.GPServer' }, { token: 't' })
const exporting = aForm({ operation: 'exportSite' }, { location: '/backups' })

test.each<[OperationName, ServiceVersion, ServiceVersion, ReturnType<typeof aForm>]>([
  ['root', '10.8', '10.9', aRootRequest()],
  ['configure', '10.8.1', '10.9', aConfigure()],
  ['exportSite', '10.3', '10.4', exporting],
  ['deleteAll', '10.9.1', '11.1', deletion],
  ['update', '11.1', '11.2', anUpdate()],
])('%s is not there at version %s and is from %s on', (_name, before, from, request) => {
  const response = ask(newWorld({ version: before }), request)
  expect(response.httpStatus).toBe(404)
  expect(outcome(response)).toBe('404 There is no such resource.')
  expect(ask(newWorld({ version: from }), request).httpStatus).toBe(200)
})

test('an unknown path is answered with an error body and changes nothing', () => {
  const world = newWorld()
  const request = aForm({ operation: 'unknown' }, {})
  expect(ask(world, request)).toEqual({
    httpStatus: 404,
    body: { error: { code: 404, message: expect.any(String), details: null } },
    pretty: false,
  })
  expect(after(world, begin, request)).toEqual(world)
})

test.each([
  ['GET', aConfigure()],
  ['PUT', aConfigure()],
  ['GET', anUpdate()],
  ['GET', exporting],
  ['DELETE', deletion],
  ['HEAD', aRootRequest()],
  ['post', aConfigure()],
])('%s is not allowed where the document asks for another method', (method, request) => {
  const world = newWorld()
  const response = ask(world, { ...request, method })
  expect(response.httpStatus).toBe(405)
  expect(response.body).toMatchObject({ error: { code: 405, details: null } })
  expect(after(world, begin, { ...request, method })).not.toHaveProperty('configuration')
})

test('an unreadable body is refused by its operation, whatever that is', () => {
  const body = { encoding: 'unreadable', parts: [], problem: 'The body is malformed.' } as const
  for (const request of [aConfigure(), anUpdate(), exporting, deletion]) {
    expect(outcome(ask(newWorld(), { ...request, body }))).toBe('400 The body is malformed.')
  }
})

test('an error body is pretty too when that was asked for', () => {
  const pretty = (f: string) => ask(newWorld(), aForm({ operation: 'unknown' }, { f })).pretty
  expect(pretty('pjson')).toBe(true)
  expect(pretty('json')).toBe(false)
})

test('requests are counted by operation, accepted ones apart', () => {
  const world = after(
    newWorld(),
    begin,
    aRootRequest(),
    aRootRequest('x'),
    aConfigure({ email: '' }),
    exporting,
  )
  expect(world.counters).toEqual({
    root: { received: 2, accepted: 1 },
    configure: { received: 1, accepted: 0 },
    update: { received: 0, accepted: 0 },
    exportSite: { received: 1, accepted: 1 },
    deleteAll: { received: 0, accepted: 0 },
  })
})
