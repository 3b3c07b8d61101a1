import { createHash } from 'node:crypto'
import Sequencer from '@jest/test-sequencer'

/**
 * Orders the files: slowest first, so that no worker is left with a long one at the end; with `--randomize` by the seed. The
 * workers, which start later, get the seed from the environment.
 */
export default class extends Sequencer {
  #config

  constructor(options) {
    super(options)
    this.#config = options.globalConfig
  }

  sort(tests) {
    const { seed, randomize } = this.#config
    process.env.LANDFORM_TEST_SEED = String(seed)
    process.env.LANDFORM_TEST_RANDOMIZE = randomize ? 'yes' : ''
    if (!randomize) return super.sort(tests)
    const rank = ({ path }) => createHash('sha256').update(`${seed} ${path}`).digest('hex')
    return tests.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
  }
}
