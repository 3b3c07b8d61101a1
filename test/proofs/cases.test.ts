import { caseComplaints, cases } from './sim/cases.js'

test.each(cases)('it is no longer so that $says', async one => {
  expect((await caseComplaints(one)).complaints).toEqual([])
})
