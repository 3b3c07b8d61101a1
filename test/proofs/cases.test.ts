import { cases, caseViolations } from './sim/cases.js'

test.each(cases)('it is no longer so that $says', async one => {
  expect((await caseViolations(one)).violations).toEqual([])
})
