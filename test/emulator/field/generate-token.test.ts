import {
  aConfigure,
  after,
  aRequest,
  ask,
  begin,
  outcome,
  partsOf,
  type Values,
} from '../service/builders.js'
import { aBegunSite, aFieldWorld, aTokenRequest, portalUp, readyAt, tokenService } from './builders.js'

test('the administrator gets a token with its expiry, and that it requires TLS', () => {
  const { body, httpStatus } = ask(aBegunSite(), aTokenRequest(), portalUp)
  expect(httpStatus).toBe(200)
  expect(body).toEqual({ token: expect.any(String), expires: portalUp + 120 * 60_000, ssl: true })
})

test.each([
  ['60', 60],
  ['1', 1],
  ['20160', 20_160],
  ['20161', 20_160],
  ['99999999999999999999', 20_160],
])('a lifetime of %s minutes becomes %d', (expiration, minutes) => {
  const { body } = ask(aBegunSite(), aTokenRequest({ expiration }), portalUp)
  expect(body['expires']).toBe(portalUp + minutes * 60_000)
})

test.each(['referer', 'requestip', undefined])('a token may be for the client "%s"', client => {
  expect(outcome(ask(aBegunSite(), aTokenRequest({ client }), portalUp))).toBe('accepted')
})

const wrong = '400 The user name or the password is wrong.'
test.each([
  ['another password', { password: 'correct-horse-2' }, wrong],
  ['no password', { password: undefined }, wrong],
  ['another user', { username: 'siteadmin2' }, wrong],
  ['no user', { username: undefined }, wrong],
  ['an unknown client', { client: 'ip' }, '400 client must be one of referer, requestip.'],
  ['a lifetime of zero', { expiration: '0' }, '400 expiration must be a number of minutes.'],
  ['a lifetime that is not a number', { expiration: 'long' }, '400 expiration must be a number of minutes.'],
] satisfies [string, Values, string][])('no token is issued for %s', (_what, values, expected) => {
  const response = ask(aBegunSite(), aTokenRequest(values), portalUp)
  expect(outcome(response)).toBe(expected)
  expect(response.body).not.toHaveProperty('token')
})

test('no token is issued before the portal has started', () => {
  const starting = '503 The portal is still starting.'
  expect(outcome(ask(aFieldWorld(), aTokenRequest(), readyAt))).toBe(starting)
  expect(outcome(ask(aBegunSite(), aTokenRequest(), begin))).toBe(starting)
  expect(outcome(ask(aBegunSite(), aTokenRequest(), portalUp - 1))).toBe(starting)
  expect(outcome(ask(aBegunSite(), aTokenRequest(), portalUp))).toBe('accepted')
})

test('credentials count only in a form, not in a URL and not in multipart form data', () => {
  const { body, target } = aTokenRequest()
  const path = tokenService
  const multipart = { ...aRequest(target, { encoding: 'multipart', parts: body.parts }), path }
  expect(outcome(ask(aBegunSite(), multipart, portalUp))).toBe('400 The body must be form-encoded.')
  const query = partsOf({ username: 'siteadmin', password: 'correct-horse-1' }).filter(
    part => part.kind === 'text',
  )
  const get = { ...aRequest(target, { encoding: 'none', parts: [] }, 'GET'), path, query }
  expect(ask(aBegunSite(), get, portalUp).httpStatus).toBe(405)
  expect(outcome(ask(aBegunSite(), { ...get, method: 'POST' }, portalUp))).toMatch(/form-encoded/)
})

test('a rejected configuration does not change the administrator', () => {
  const world = after(aBegunSite(), begin, aConfigure({ password: 'other-horse-2' }))
  expect(outcome(ask(world, aTokenRequest(), portalUp))).toBe('accepted')
  expect(outcome(ask(world, aTokenRequest({ password: 'other-horse-2' }), portalUp))).toBe(wrong)
})

test('the stored world contains neither the password nor the security answer', () => {
  const world = after(aBegunSite(), portalUp, aTokenRequest())
  const all = JSON.stringify({ ...world, webhooks: [] })
  expect(all).toContain('siteadmin')
  expect(all).not.toContain('correct-horse-1')
  expect(all).not.toContain('Cartographer')
})

test('the salt depends on the key, and so does the digest', () => {
  const one = aBegunSite({ field: { key: 'one' } }).field.administrator
  const other = aBegunSite({ field: { key: 'other' } }).field.administrator
  expect(one?.salt).not.toBe(other?.salt)
  expect(one?.digest).not.toBe(other?.digest)
})

test('the first account that signs in to a site that was configured long ago is its administrator', () => {
  const site = aFieldWorld({ configured: true })
  expect(outcome(ask(site, aTokenRequest({ username: undefined }), begin))).toBe(wrong)
  const known = after(site, begin, aTokenRequest())
  expect(outcome(ask(known, aTokenRequest(), begin))).toBe('accepted')
  expect(outcome(ask(known, aTokenRequest({ password: 'correct-horse-2' }), begin))).toBe(wrong)
})
