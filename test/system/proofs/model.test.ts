import { checked } from '../../proofs/models/checked.js'
import { designs } from '../../proofs/models/designs.js'
import { runsHere } from '../../support/program.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const canCheck = (await runsHere(['spin', '-V'])) && (await runsHere(['gcc', '--version']))

const some = [designs.find(({ isSafe }) => isSafe), designs.find(({ isSafe }) => !isSafe)]

// `npm run verify -- model` checks all designs, and reports if Spin is not installed.
const where = canCheck ? test : test.skip
where.each(some.flatMap(design => design ?? []))(
  'a model of the executor: $name, safe: $isSafe',
  async design => {
    const { errors } = checked(design, await temporaryFolder())
    expect(errors === 0).toBe(design.isSafe)
  },
)
