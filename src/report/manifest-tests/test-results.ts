import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Place } from '../../diagnostics/place.js'
import type { TestFailure } from '../../manifest-tests/find-test-failures.js'
import { diagnosticDocument } from '../findings/diagnostics-json.js'

/** The results of a file of tests. */
export interface TestFileResult {
  readonly file: string
  /** The reasons why some of its tests could not run. */
  readonly diagnostics: readonly Diagnostic[]
  readonly tests: readonly SingleTestResult[]
  /** Every file that it depends on, itself first. */
  readonly files: readonly string[]
}

/** The result of one test. */
export interface SingleTestResult {
  readonly name: string
  readonly place: Place
  /** Empty if the test passed. */
  readonly failures: readonly TestFailure[]
  readonly warnings: readonly Diagnostic[]
}

/** Counts the tests by result. */
export function countTests(files: readonly TestFileResult[]) {
  const tests = files.flatMap(file => file.tests)
  const failed = tests.filter(({ failures }) => failures.length > 0).length
  return { files: files.length, tests: tests.length, passed: tests.length - failed, failed }
}

/** Collects all diagnostics of the files as findings. */
export function collectFindings(files: readonly TestFileResult[]) {
  const diagnostics = files.flatMap(file => [
    ...file.diagnostics,
    ...file.tests.flatMap(test => [...test.failures.map(one => one.diagnostic), ...test.warnings]),
  ])
  return { files: files.map(({ file }) => file), diagnostics }
}

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
