// Makes the mistakes that others make, and looks whether they are found. `npm run verify:mutants`.
import { killer } from '../../dist/test/proofs/sim/killer.js'
import { mutants } from '../../dist/test/proofs/sim/mutants.js'
import { complain, conclude, count, figures, say } from './check.mjs'

figures({})
for (const [name, mutant] of Object.entries(mutants)) {
  count('mutants')
  const by = await killer(mutant)
  if (by === undefined) complain(name, ['nothing finds this mistake'])
  else say(`found after ${by.courses} courses: ${name}: ${by.violation}`)
}
conclude()
