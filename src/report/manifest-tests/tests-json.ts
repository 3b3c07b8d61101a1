import { diagnosticDocument } from '../findings/diagnostics-json.js'
import { countTests, type TestFileResult } from './test-results.js'

/** The machine form of tests; its schema is `schemas/test-report.schema.json`. */
export function testsDocument(files: readonly TestFileResult[]) {
  return {
    formatVersion: 1,
    files: files.map(({ file, diagnostics, tests }) => ({
      file,
      diagnostics: diagnostics.map(diagnosticDocument),
      tests: tests.map(({ name, place, failures, warnings }) => ({
        name,
        line: place.start.line,
        result: failures.length === 0 ? 'passed' : 'failed',
        failures: failures.map(({ diagnostic, expected, actual }) => ({
          ...diagnosticDocument(diagnostic),
          expected,
          actual,
        })),
        warnings: warnings.map(diagnosticDocument),
      })),
    })),
    summary: countTests(files),
  } as const
}
