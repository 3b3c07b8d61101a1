import { configureGlobal } from 'fast-check'
import { addEventHandler } from 'jest-circus'

const { PROPERTY_SEED = '2026', PROPERTY_FACTOR = '1', TEST_LONGEST_MS = '300000' } = process.env

configureGlobal({ seed: Number(PROPERTY_SEED), numRuns: 25 * Number(PROPERTY_FACTOR) })

/** The runner has no time limits. This one is far longer than any test takes on a busy machine. */
const longestMs = Number(TEST_LONGEST_MS)

addEventHandler(({ name }, { currentDescribeBlock: block }) => {
  const added =
    name === 'add_test' ? block.children.at(-1) : name === 'add_hook' ? block.hooks.at(-1) : undefined
  const { fn } = added ?? {}
  if (fn !== undefined) added.fn = () => limitWait(name === 'add_test' ? () => runTest(fn) : fn)
})

/** Runs a test, and then the functions that it put into `atEndOfTest`. */
async function runTest(test) {
  const atEnd = []
  globalThis.atEndOfTest = atEnd
  try {
    return await test()
  } finally {
    globalThis.atEndOfTest = undefined
    for (const end of atEnd) await end()
  }
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
