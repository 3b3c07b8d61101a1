import { cases, caseViolations } from './sim/cases.js'

test.each(cases)('past mistake: $says', async one => {
  expect((await caseViolations(one)).violations).toEqual([])
})
