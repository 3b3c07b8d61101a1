import { configureGlobal } from 'fast-check'
import { addEventHandler } from 'jest-circus'

const {
  LANDFORM_TEST_SEED: seed,
  LANDFORM_TEST_RANDOMIZE: randomize,
  LANDFORM_TEST_LONGEST_MS: longest = '300000',
  PROPERTY_FACTOR = '0.25',
} = process.env

// One seed repeats every property of a run: `--seed N`. Those that do not say how often they are tried take part in what
// `test/support/cases.ts` says, too.
configureGlobal({ seed: Number(seed), numRuns: Math.ceil(100 * Number(PROPERTY_FACTOR)) })

/**
 * The runner knows no time limits, so a test that waits for what never comes would hold the whole suite for ever, without a name.
 * Far longer than any takes on a busy machine.
 */
const longestMs = Number(longest)

addEventHandler(({ name }, { currentDescribeBlock: block }) => {
  // The runner would meet it in this round or in none, and in another order again and again.
  if (fail !== undefined && (name === 'add_test' || name === 'start_describe_definition'))
    throw new Error('a test is defined inside a test')
  const added =
    name === 'add_test' ? block.children.at(-1) : name === 'add_hook' ? block.hooks.at(-1) : undefined
  const { fn } = added ?? {}
  if (fn !== undefined) added.fn = async () => limitWait(fn)
})

/** Fails the test or hook that runs; absent where none does. */
let fail

async function limitWait(work) {
  let timer
  const failure = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it takes longer than ${longestMs / 1000} s`)), longestMs)
    fail = reject
  })
  try {
    return await Promise.race([work(), failure])
  } finally {
    clearTimeout(timer)
    fail = undefined
  }
}

// An error that nothing awaits, such as of a connection that a test left open, would end this process, the test that happens to
// run, and its whole file. Where none runs, the runner is told of it.
process.on('uncaughtException', error => (fail ?? tellRunner)(error))

function tellRunner(error) {
  // Nobody is there to be told: a run that was killed must not leave a process behind that tells it for ever.
  if (process.connected !== true) throw error
  process.send({ lateError: String(error?.stack ?? error) })
}

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
