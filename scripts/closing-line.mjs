/** Ends the run with one plain line that a person, or a CI that knows no Jest, can read. */
class ClosingLine {
  onRunComplete(_contexts, results) {
    const { numPassedTests: passed, numPendingTests: skipped } = results
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
  }
}

export { ClosingLine as default }
