// Has Spin look at every state that the design of the executor, and five that others would choose, can come to. The safe
// ones must be safe, and the others must not be, or the model shows nothing. Needs `spin` and `gcc`, and says so where
// they are not installed. `npm run verify:model` ends with 1 when anything is not as it should be.
import { checked } from '../../dist/test/proofs/models/checked.js'
import { designs } from '../../dist/test/proofs/models/designs.js'
import { runsHere } from '../../dist/test/support/program.js'
import { conclude, count, figures, say, scratchFolder, skip, violation } from './check.mjs'

figures({})
if ((await runsHere(['spin', '-V'])) && (await runsHere(['gcc', '--version']))) verify()
else
  skip(
    'spin and gcc are not both installed (Debian: apt-get install spin gcc): no model was checked',
    'safe models',
    'broken models found',
  )
conclude()

function verify() {
  const folder = scratchFolder()
  for (const design of designs) {
    const { errors, states } = checked(design, folder)
    const found =
      errors === 0 ? `no error in ${states} states` : `configures twice, found after ${states} states`
    if ((errors === 0) === design.isSafe) {
      say(`${design.name}: ${found}`)
      count(design.isSafe ? 'safe models' : 'broken models found')
    } else violation(`${design.name}: ${found}`)
  }
}
