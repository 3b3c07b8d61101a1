import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import { aSmallManifest, changed, diagnosticsOf, errorCodesOf } from '../support/manifest-value.js'

const availability = { name: 'standard', parameter: 'anAvailability' }
const performance = { name: 'enhanced', parameter: 'aPerformance' }
const withProfiles = (profiles: JsonValue, version = '12.1'): JsonObject =>
  changed(aSmallManifest(version), '/spec/deploymentProfiles', profiles)

test('the two profiles of 12.1 are written with the names of their parameters', () => {
  const codes = diagnosticsOf(withProfiles({ availability, performance })).map(({ code }) => code)
  expect(codes).toEqual(['version/reported'])
})

test.each(['11.2', '12.0'])('version %s has none', version => {
  expect(errorCodesOf(withProfiles({ availability }, version))).toEqual(['version/field-too-new'])
})

test.each<[string, JsonValue, string]>([
  ['no name of a parameter', { availability: { name: 'standard' } }, 'manifest/missing-field'],
  [
    'a name that is none',
    { availability: { ...availability, parameter: 'a b' } },
    'manifest/malformed-value',
  ],
  [
    'a parameter with a field of its own',
    { availability: { ...availability, parameter: 'email' } },
    'extra/known-parameter',
  ],
  [
    'one parameter for both',
    { availability, performance: { ...performance, parameter: 'anAvailability' } },
    'extra/known-parameter',
  ],
])('%s is an error', (_, profiles, code) => {
  expect(errorCodesOf(withProfiles(profiles))).toEqual([code])
})

test('a profile that no report has is a warning', () => {
  const [found] = diagnosticsOf(withProfiles({ performance: { ...performance, name: 'huge' } })).filter(
    ({ severity }) => severity !== 'note',
  )
  expect(found).toMatchObject({ code: 'version/value-unknown', severity: 'warning' })
})
