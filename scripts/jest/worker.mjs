import { configureGlobal } from 'fast-check'
import { addEventHandler } from 'jest-circus'

const { LANDFORM_TEST_SEED: seed, LANDFORM_TEST_RANDOMIZE: randomize } = process.env

// One seed repeats every property of a run: `--seed N`.
configureGlobal({ seed: Number(seed) })

// The runner performs the tests of a file in the order in which they are defined. Jest's own runner would shuffle them later.
if (randomize) {
  const states = new Map()
  /** A number below `end`, by the seed and the file. */
  const random = end => {
    const { testPath } = expect.getState()
    let state = states.get(testPath) ?? Number(seed) | 0
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    states.set(testPath, state)
    return (state >>> 0) % end
  }
  addEventHandler(({ name }, { currentDescribeBlock: block }) => {
    const parent =
      name === 'add_test' ? block : name === 'start_describe_definition' ? block.parent : undefined
    if (parent === undefined) return
    // Circus has put it last.
    const last = parent.children.pop()
    parent.children.splice(random(parent.children.length + 1), 0, last)
  })
}
