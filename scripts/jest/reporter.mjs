import { writeFileSync } from 'node:fs'

/** A file that takes longer than this hangs: the slowest takes a twentieth of it. */
const maxMinutes = 10

/** Names what was skipped, keeps the totals for `scripts/test.mjs`, and ends a run that hangs with the name of its file. */
export default class {
  #seed
  #timers = new Map()

  constructor({ seed }) {
    this.#seed = seed
  }

  onTestFileStart({ path }) {
    const hangs = () => {
      process.stderr.write(`\nFAILED  ${path} has not ended after ${maxMinutes} minutes\n`)
      process.exit(1)
    }
    this.#timers.set(path, setTimeout(hangs, maxMinutes * 60_000).unref())
  }

  onTestFileResult({ path }) {
    clearTimeout(this.#timers.get(path))
  }

  onRunComplete(_contexts, results) {
    const skipped = results.testResults
      .flatMap(({ testResults }) => testResults)
      .filter(({ status }) => status === 'pending')
      .map(({ fullName }) => `SKIPPED  ${fullName}`)
    if (skipped.length > 0) process.stdout.write(`\n${skipped.join('\n')}\n`)
    process.stdout.write(`\nseed ${this.#seed}: --seed ${this.#seed} repeats the random values of this run\n`)
    const file = process.env.LANDFORM_TEST_TOTALS
    if (file === undefined) return
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    writeFileSync(
      file,
      JSON.stringify({ passed: results.numPassedTests, failed, skipped: results.numPendingTests }),
    )
  }
}
