import fc from 'fast-check'
import {
  compareVersions,
  manifestVersions,
  parseVersion,
  type ServiceVersion,
} from '../../src/contract/versions.js'
import { anyVersion, buildPatternBefore } from '../../src/schema/manifest/shared.js'
import { cases } from '../support/cases.js'

const number = fc.oneof(fc.nat(13), fc.nat(99999))
const version = fc
  .tuple(number, number, fc.option(number, { nil: undefined }))
  .map(parts => parts.filter(part => part !== undefined).join('.') as ServiceVersion)

describe('the patterns of versions', () => {
  test.each([...manifestVersions, '10.9.3', '1.0', '0.4', '12.13.2'] as const)(
    'before %s: matches exactly the versions that compare as older',
    limit => {
      const pattern = new RegExp(buildPatternBefore(limit))
      fc.assert(
        fc.property(version, candidate => {
          expect(pattern.test(candidate)).toBe(compareVersions(candidate, limit) < 0)
        }),
        { examples: [[limit], [`${limit.split('.').slice(0, 2).join('.')}.0` as ServiceVersion]] },
      )
    },
  )

  test('any version: matches exactly the texts that parse as a version', () => {
    const pattern = new RegExp(anyVersion)
    const text = fc.oneof(version, fc.stringMatching(/^[0-9.]{0,9}$/), fc.string({ maxLength: 6 }))
    fc.assert(
      fc.property(text, candidate => {
        expect(pattern.test(candidate)).toBe(parseVersion(candidate) !== undefined)
      }),
      { numRuns: cases(500), examples: [['11.2\n'], ['011.2'], ['11'], ['123456.1']] },
    )
  })
})
