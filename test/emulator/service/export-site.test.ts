import type { ServiceVersion } from '../../../src/contract/versions.js'
import { newWorld, type WorldOptions } from '../../../src/emulator/service/world.js'
import { aForm, after, aRequest, ask, begin, outcome, partsOf, type Values } from './builders.js'

const target = { operation: 'exportSite' } as const
const exported = (values: Values, options: WorldOptions = {}) =>
  ask(newWorld(options), aForm(target, { location: '/backups', ...values }))

const connection = { accountName: 'a', accountKey: 'k', accountEndpoint: 'core.example.org' }
const folder: Values = {}
const bucket: Values = { backupObjectStore: 'backups', backupObjectStoreRegion: 'eu-west-1' }
const container: Values = {
  backupObjectStore: 'https://a.blob.example.org/backups',
  backupObjectStoreConnectionStr: JSON.stringify(connection),
}
const variants = [
  ['a folder', folder],
  ['a bucket', bucket],
  ['a bucket without a region', { backupObjectStore: 'backups' }],
  ['a container', container],
] satisfies [string, Values][]

test.each(variants)('an export to %s answers with a file named after the moment', (_what, values) => {
  const response = exported(values)
  expect(response.httpStatus).toBe(200)
  expect(response.body).toEqual({ status: 'success', location: '/backups/20260304-050607.portalsite' })
})

test.each(variants)('an export to %s that is only checked answers without a file', (_what, values) => {
  expect(exported({ ...values, validate: 'true' }).body).toEqual({ status: 'success' })
})

test('validate=false exports', () => {
  expect(exported({ validate: 'false' }).body).toHaveProperty('location')
})

test('a slash at the end of the location is not doubled', () => {
  expect(exported({ location: '/backups/' }).body['location']).toBe('/backups/20260304-050607.portalsite')
})

test('missing items turn a success into a warning that says why, also at the oldest version that has it', () => {
  for (const version of ['10.8', '11.2'] as const) {
    expect(exported({}, { missingItems: true, version }).body).toEqual({
      status: 'success with warning',
      location: '/backups/20260304-050607.portalsite',
      messages: [expect.stringMatching(/content directory/)],
    })
  }
})

test('missing items are not reported before version 10.8, nor when nothing was exported', () => {
  expect(exported({}, { missingItems: true, version: '10.7' }).body).not.toHaveProperty('messages')
  expect(exported({ validate: 'true' }, { missingItems: true }).body).toEqual({ status: 'success' })
})

test.each(variants)('an unwritable location is reported for %s', (_what, values) => {
  const response = exported({ ...values, validate: 'true' }, { unwritableLocations: ['/backups'] })
  expect(response.httpStatus).toBe(200)
  expect(response.body).toEqual({
    error: {
      code: 500,
      message: expect.stringMatching(/cannot be written.*must be accessible to the service account/),
      details: null,
    },
  })
})

test.each(['backups', 'https://a.blob.example.org/backups'])('an unreachable %s is reported too', store => {
  const options = { unwritableLocations: [store] }
  const values = store === 'backups' ? bucket : container
  expect(outcome(exported({ ...values, validate: 'true' }, options))).toMatch(/^500 /)
  expect(outcome(exported({ validate: 'true' }, options))).toBe('accepted')
})

test('an export to an unwritable location is refused as its check would be', () => {
  expect(outcome(exported({}, { unwritableLocations: ['/backups'] }))).toMatch(/^500 /)
})

test.each<[ServiceVersion, string]>([
  ['10.4', '400 The parameter "validate" is unknown.'],
  ['10.9.1', '400 The parameter "validate" is unknown.'],
  ['11.1', 'accepted'],
])('at version %s validate is answered with: %s', (version, expected) => {
  expect(outcome(exported({ validate: 'true' }, { version }))).toBe(expected)
  expect(outcome(exported({}, { version }))).toBe('accepted')
})

const withConnection = (value: unknown): Values => ({
  ...container,
  backupObjectStoreConnectionStr: JSON.stringify(value),
})

test.each([
  ['no location', { location: undefined }, /The parameter location is missing/],
  ['an empty location', { location: '' }, /location must be a string that is not empty/],
  ['validate=yes', { validate: 'yes' }, /validate must be one of true, false/],
  ['validate=TRUE', { validate: 'TRUE' }, /validate must be one of true, false/],
  ['an empty token', { token: '' }, /token must be a string that is not empty/],
  ['two locations', { location: ['/a', '/b'] }, /location was sent more than once/],
  ['a region without a bucket', { backupObjectStoreRegion: 'r' }, /backupObjectStore is missing/],
  ['a connection without a container', { ...container, backupObjectStore: undefined }, /Store is missing/],
  ['a bucket and a container at once', { ...container, ...bucket }, /none has both/],
  [
    'a connection that is no JSON',
    { ...container, backupObjectStoreConnectionStr: 'AccountName=a' },
    /backupObjectStoreConnectionStr must hold JSON/,
  ],
  [
    'a connection without a key',
    withConnection({ ...connection, accountKey: undefined }),
    /accountKey is missing/,
  ],
  ['a connection with an empty name', withConnection({ ...connection, accountName: '' }), /accountName must/],
  ['a connection with more', withConnection({ ...connection, more: 1 }), /unknown field "more"/],
  ['a connection in a list', withConnection([connection]), /must be a JSON object/],
] satisfies [string, Values, RegExp][])('exportSite refuses %s', (_what, values, expected) => {
  const response = exported(values)
  expect(outcome(response)).toMatch(/^400 /)
  expect(outcome(response)).toMatch(expected)
})

test.each([
  [undefined, undefined, 'accepted'],
  [undefined, 'any', 'accepted'],
  ['a-token', 'a-token', 'accepted'],
  ['a-token', 'another', '400 The token is not valid.'],
  ['a-token', undefined, '400 The token is not valid.'],
])('with the token %s chosen, an export with %s is answered: %s', (chosen, token, expected) => {
  const options = chosen === undefined ? {} : { token: chosen }
  expect(outcome(exported({ token }, options))).toBe(expected)
})

test.each(['multipart', 'none'] as const)('exportSite refuses the encoding %s', encoding => {
  const request = aRequest(target, { encoding, parts: partsOf({ location: '/backups' }) })
  expect(outcome(ask(newWorld(), request))).toBe('400 The body must be form-encoded.')
})

test('an export leaves the site as it was', () => {
  const world = newWorld()
  const { counters, ...rest } = after(world, begin, aForm(target, { location: '/backups' }))
  expect(world).toMatchObject(rest)
  expect(counters.exportSite).toEqual({ received: 1, accepted: 1 })
})
