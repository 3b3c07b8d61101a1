import { stageNames } from '../../../src/contract/responses.js'
import type { ServiceRequest } from '../../../src/emulator/service/request.js'
import { newWorld } from '../../../src/emulator/service/world.js'
import { aConfigure, aForm, after, anUpdate, ask, begin, outcome } from '../service/builders.js'
import { aBegunSite, afterStage, aGet, aPost, aToken, portalUp, readyAt, secured } from './builders.js'

const required = '499 Token Required.'
const invalid = '498 The token is not valid or has expired.'

const deletion = (token?: string) => aPost('/services/Roads.GPServer/webhooks/deleteAll', { token })
const withoutToken: readonly (readonly [string, ServiceRequest])[] = [
  ['the root resource', aGet('')],
  ['the root resource by POST', aPost('')],
  ['update', anUpdate({ token: undefined })],
  ['deleteAll', deletion()],
  ['exportSite', aPost('/exportSite', { location: '/backups' })],
  ['the upgrade configuration', aGet('/system/upgrades/config')],
  ['webhooks', aGet('/services/Roads.GPServer/webhooks')],
  ['log settings', aGet('/logs/settings')],
  ['a license', aPost('/orgs/0123456789ABCDEF/license/validateLicense')],
  ['a path that does not exist', aGet('/nowhere')],
]

test.each(withoutToken)('once security is up, %s requires a token, with HTTP 200', (_what, request) => {
  const response = ask(aBegunSite(), request, secured)
  expect(response).toEqual({
    httpStatus: 200,
    body: { error: { code: 499, message: 'Token Required.', details: null } },
    pretty: false,
  })
  expect(outcome(ask(aBegunSite(), request, secured - 1))).not.toBe(required)
})

test.each(withoutToken)('a wrong token is distinguished from a missing one by %s', (_what, request) => {
  const response = ask(aBegunSite(), { ...request, bearer: 'null' }, secured)
  expect(response.httpStatus).toBe(200)
  expect(response.body).toEqual({
    error: { code: 498, message: 'The token is not valid or has expired.', details: [] },
  })
})

test('the stage after which a token is required can be chosen', () => {
  const world = aBegunSite({ field: { securityFrom: 'Configuration store' } })
  expect(outcome(ask(world, aGet(''), afterStage(2) - 1))).toBe('accepted')
  expect(outcome(ask(world, aGet(''), afterStage(2)))).toBe(required)
  const open = aBegunSite({ field: { securityFrom: 'never' } })
  expect(outcome(ask(open, aGet(''), readyAt))).toBe('accepted')
  expect(outcome(ask(open, anUpdate({ token: 'any' }), readyAt))).toBe('accepted')
})

test('by default there is a time in which a token is required and none is issued', () => {
  expect(secured).toBeLessThan(portalUp)
  expect(stageNames[8]).toBe('Portal REST API')
})

test('configure never requires a token', () => {
  expect(outcome(ask(aBegunSite(), aConfigure(), readyAt))).toBe('400 The site is already configured.')
})

test.each([
  ['in the URL of a GET', (token: string) => aGet('', { token })],
  ['as the bearer of a GET', (token: string) => ({ ...aGet(''), bearer: token })],
  ['in the body of a POST', (token: string) => aPost('', { token })],
  ['in the body of update', (token: string) => anUpdate({ token })],
  ['as the bearer of update', (token: string) => ({ ...anUpdate({ token: undefined }), bearer: token })],
  ['as the bearer of deleteAll', (token: string) => ({ ...deletion(), bearer: token })],
  ['in the body of an export', (token: string) => aPost('/exportSite', { location: '/b', token })],
  [
    'as the bearer of an export',
    (token: string) => ({ ...aPost('/exportSite', { location: '/b' }), bearer: token }),
  ],
  ['in the URL of another resource', (token: string) => aGet('/logs/settings', { token })],
])('a token is accepted %s until it expires', (_where, request) => {
  const world = aBegunSite()
  const token = aToken(world)
  const end = portalUp + 120 * 60_000
  expect(outcome(ask(world, request(token), readyAt))).toBe('accepted')
  expect(outcome(ask(world, request(token), end - 1))).toBe('accepted')
  expect(outcome(ask(world, request(token), end))).toBe(invalid)
  expect(outcome(ask(world, request(`${token}x`), readyAt))).toBe(invalid)
})

test('a token in the URL of a POST is ignored', () => {
  const world = aBegunSite()
  const query = [{ kind: 'text', name: 'token', text: aToken(world) }] as const
  expect(outcome(ask(world, { ...aPost(''), query }, readyAt))).toBe(required)
})

test('a token of another world, and one with a changed expiry, are invalid', () => {
  const world = aBegunSite({ field: { key: 'one' } })
  const other = aBegunSite({ field: { key: 'other' } })
  expect(outcome(ask(world, aGet('', { token: aToken(other) }), readyAt))).toBe(invalid)
  const [end = '', rest] = aToken(world).split('.')
  const later = `${(Number.parseInt(end, 36) + 1).toString(36)}.${rest}`
  expect(outcome(ask(world, aGet('', { token: later }), readyAt))).toBe(invalid)
})

test('a configured token is accepted in addition to issued ones, and with document fidelity only that one', () => {
  const world = aBegunSite({ token: 'chosen' })
  expect(outcome(ask(world, anUpdate({ token: 'chosen' }), readyAt))).toBe('accepted')
  expect(outcome(ask(world, anUpdate({ token: aToken(world) }), readyAt))).toBe('accepted')
  expect(outcome(ask(world, anUpdate({ token: 'another' }), readyAt))).toBe(invalid)
  const documented = after(newWorld({ stageMs: 100, token: 'chosen' }), begin, aConfigure())
  expect(outcome(ask(documented, anUpdate({ token: 'chosen' }), readyAt))).toBe('accepted')
  expect(outcome(ask(documented, anUpdate({ token: 'another' }), readyAt))).toBe(
    '400 The token is not valid.',
  )
})

test('a documented request without a token counts as received, one for another resource is not counted', () => {
  const world = after(aBegunSite(), readyAt, aGet(''), anUpdate({ token: undefined }), aGet('/logs/settings'))
  expect(world.counters).toEqual({
    root: { received: 1, accepted: 0 },
    configure: { received: 1, accepted: 1 },
    update: { received: 1, accepted: 0 },
    exportSite: { received: 0, accepted: 0 },
    deleteAll: { received: 0, accepted: 0 },
  })
})

test('other error bodies have a list of details, and null with document fidelity', () => {
  const request = aForm({ operation: 'exportSite' }, {})
  const details = (world: Parameters<typeof ask>[0]) => ask(world, request).body['error']
  expect(details(aBegunSite())).toMatchObject({ code: 400, details: [] })
  expect(details(newWorld())).toMatchObject({ code: 400, details: null })
})
