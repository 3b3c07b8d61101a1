import type { ServiceVersion } from '../../../src/contract/versions.js'
import { aConfigure, after, ask, begin, outcome, type Values } from '../service/builders.js'
import { aFieldWorld, aGet } from './builders.js'

const shown = (path: string, values: Values, version: ServiceVersion = '11.2') =>
  ask(after(aFieldWorld({ version }), begin, aConfigure(values)), aGet(path)).body

test.each<[string, Values, ServiceVersion, object]>([
  ['DEBUG', { logSettings: '{"logLevel":"DEBUG"}' }, '11.2', { maxLogAgeDays: 60, logLevel: 'DEBUG' }],
  ['none', {}, '11.2', { maxLogAgeDays: 60, logLevel: 'INFO' }],
  ['an empty one', { logSettings: '{"logLevel": ""}' }, '11.2', { maxLogAgeDays: 60, logLevel: 'INFO' }],
  ['SEVERE, before 11.2', { logSettings: '{"logLevel":"SEVERE"}' }, '11.1', { logLevel: 'SEVERE' }],
])('the log settings of a site with the level %s', (_what, values, version, expected) => {
  expect(shown('/logs/settings', values, version)).toEqual({ ...expected, lastModified: begin })
})

test('the system properties are shown as they were sent, and none as none', () => {
  const systemProperties = '{"containerStartUpTimeoutSeconds":1800}'
  expect(shown('/system/properties', { systemProperties })).toEqual({ containerStartUpTimeoutSeconds: 1800 })
  expect(shown('/system/properties', {})).toEqual({})
})

test('the profile is shown as it was chosen, or the default one', () => {
  const systemArchitectureProfile = '{"name":"development"}'
  const path = '/system/architectureprofiles'
  expect(shown(path, { systemArchitectureProfile })).toEqual({ name: 'development' })
  expect(shown(path, {})).toEqual({ name: 'standard-availability' })
})

test.each(['/logs/settings', '/system/properties', '/system/architectureprofiles'])(
  'before a configuration there is nothing at %s',
  path => {
    expect(outcome(ask(aFieldWorld(), aGet(path)))).toBe('400 The site is not configured.')
  },
)
