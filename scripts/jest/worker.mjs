import { configureGlobal } from 'fast-check'
import { addEventHandler } from 'jest-circus'

const { PROPERTY_SEED = '2026', PROPERTY_FACTOR = '1', TEST_LONGEST_MS = '300000' } = process.env

configureGlobal({ seed: Number(PROPERTY_SEED), numRuns: 25 * Number(PROPERTY_FACTOR) })

/** The runner has no time limits. This one is far longer than any test takes on a busy machine. */
const longestMs = Number(TEST_LONGEST_MS)

/** What `atEnd` of `test/support/at-end.ts` adds, for the running test and for the file. */
let endsOfTest
const endsOfFile = []
globalThis.atEnd = (end, of) => (of === 'file' ? endsOfFile : (endsOfTest ?? endsOfFile)).push(end)
const lastHook = { type: 'afterAll', fn: () => limitWait(() => runAll(endsOfFile)) }

addEventHandler(({ name }, { currentDescribeBlock: block, rootDescribeBlock: root }) => {
  const added =
    name === 'add_test' ? block.children.at(-1) : name === 'add_hook' ? block.hooks.at(-1) : undefined
  const { fn } = added ?? {}
  if (fn === undefined) return
  added.fn = () => limitWait(name === 'add_test' ? () => runTest(fn) : fn)
  root.hooks = [...root.hooks.filter(hook => hook !== lastHook), lastHook]
})

async function runTest(test) {
  endsOfTest = []
  try {
    return await test()
  } finally {
    const ends = endsOfTest
    endsOfTest = undefined
    await runAll(ends)
  }
}

/** Runs the functions, the newest first. */
async function runAll(ends) {
  for (const end of ends.splice(0).toReversed()) await end()
}

async function limitWait(work) {
  let timer
  const isLate = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it takes longer than ${longestMs / 1000} s`)), longestMs)
  })
  try {
    return await Promise.race([work(), isLate])
  } finally {
    clearTimeout(timer)
  }
}
