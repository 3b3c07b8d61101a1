import type { Assessment, FieldAssessment } from '../../src/plan/plan.js'
import { formatCoverage } from '../../src/report/field-status.js'

const at = (day: string) => `2026-03-${day}T05:06:07.089Z`
const fields = (...judgements: readonly Assessment[]): readonly FieldAssessment[] =>
  judgements.map((judgement, line) => ({
    pointer: `/spec/f${line}`,
    parameter: 'p',
    file: 'site.yaml',
    line: line + 1,
    ...judgement,
  }))

const equal: Assessment = { verdict: 'equal' }
const onSite: Assessment = { verdict: 'different', source: 'site', found: 1 }
const inRecord: Assessment = { verdict: 'different', source: 'record' }
const recorded = (day = '04'): Assessment => ({ verdict: 'recorded', appliedAt: at(day) })
const secret: Assessment = { verdict: 'unknowable', because: 'secret' }
const never: Assessment = { verdict: 'unknowable', because: 'never-recorded' }
const noToken: Assessment = { verdict: 'unknowable', because: 'no-token' }

describe('the summary of field statuses', () => {
  test.each<[readonly Assessment[], string]>([
    [[equal], '1 field: 1 readable (1 equal, 0 different).'],
    [[equal, onSite, onSite], '3 fields: 3 readable (1 equal, 2 different).'],
    [
      [equal, recorded(), recorded(), secret],
      '4 fields: 1 readable (1 equal, 0 different), 2 match the last apply on 2026-03-04, 1 secret cannot be read back.',
    ],
    [
      [recorded('04'), recorded('05')],
      '2 fields: 2 match the last apply on 2026-03-04 and 2026-03-05. The site reports none of them.',
    ],
    [[inRecord], '1 field: 1 differs from the last apply. The site does not report it.'],
    [
      [secret, never, never],
      '3 fields: 3 cannot be verified (1 secret, 2 never recorded). The site reports none of them.',
    ],
    [[secret, secret], '2 fields: 2 secrets cannot be read back. The site reports none of them.'],
    [
      [{ verdict: 'unknowable', because: 'upgrading' }, noToken],
      '2 fields: 2 could not be read (1 upgrade in progress, 1 no token). The site reports none of them.',
    ],
    [[noToken], '1 field: 1 could not be read (no token). The site does not report it.'],
  ])('for %j is: %s', (judgements, words) => {
    expect(formatCoverage(fields(...judgements))).toBe(words)
  })

  test('is empty without fields', () => {
    expect(formatCoverage([])).toBeUndefined()
  })

  test('omits an invalid date', () => {
    expect(formatCoverage(fields({ verdict: 'recorded', appliedAt: '<b>' }))).toBe(
      '1 field: 1 matches the last apply. The site does not report it.',
    )
  })
})
