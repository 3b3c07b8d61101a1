import { createHash } from 'node:crypto'
import Sequencer from '@jest/test-sequencer'

/** The slowest files, which come first in a new clone, where no durations are known. */
const slowest = [
  'system/docs/first-hour',
  'system/docs/pages',
  'cli/outcomes',
  'cli/saved-plan',
  'cli/scenarios',
  'system/fleet/engine',
  'system/state/git-backend',
  'system/fleet/ui/page',
  'system/proofs/pipeline',
  'system/fleet/worker',
  'system/ci/gitlab-pipeline',
  'system/delivery/package',
  'system/state/series',
]

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
    if (!randomize) {
      const rank = ({ path, duration = 0 }) => {
        const at = slowest.findIndex(name => path.endsWith(`/${name}.test.js`))
        return duration > 0 || at < 0 ? slowest.length : at
      }
      return super.sort(tests).toSorted((a, b) => rank(a) - rank(b))
    }
    const rank = ({ path }) => createHash('sha256').update(`${seed} ${path}`).digest('hex')
    return tests.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
  }
}
