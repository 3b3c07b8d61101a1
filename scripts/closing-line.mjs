/** Ends the run with one plain line that a person, or a CI that knows no Jest, can read; before it what was skipped. */
class ClosingLine {
  onRunComplete(_contexts, results) {
    const { numPassedTests: passed, numPendingTests: skipped } = results
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    const lines = [
      ...results.testResults.flatMap(({ testResults }) => testResults).flatMap(skippedLine),
      `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    ]
    process.stdout.write(`\n${lines.join('\n')}\n`)
  }
}

function skippedLine({ status, fullName }) {
  return status === 'pending' ? [`SKIPPED  ${fullName}`] : []
}

export { ClosingLine as default }
