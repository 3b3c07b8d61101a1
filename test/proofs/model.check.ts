import { runsHere } from '../support/program.js'
import { declareCheck } from './check.js'
import { checked } from './models/checked.js'
import { designs } from './models/designs.js'

/**
 * Runs Spin on every reachable state of the designs of the executor and of moved state, and of eight broken designs. If a
 * broken one passed, the models would show nothing.
 */
export const check = declareCheck({
  name: 'model',
  shows:
    'In every state that Spin can reach, the design configures a site once, even while its state is moved. Eight deliberately broken designs fail.',
  counts: { 'safe models': [3, 3], 'broken models found': [8, 8] },
  short: 'ci',
  figures: {},
  async run({ count, say, scratchFolder, skip, violation }) {
    if (!(await runsHere(['spin', '-V'])) || !(await runsHere(['gcc', '--version']))) {
      const why =
        'spin and gcc are not both installed (Debian: apt-get install spin gcc): no model was checked'
      return skip(why, 'safe models', 'broken models found')
    }
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
  },
})
