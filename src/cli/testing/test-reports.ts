import { githubCommands } from '../../report/findings/diagnostics-github.js'
import type { DiagnosticsView } from '../../report/findings/diagnostics-text.js'
import { findingsOf, type TestedFile } from '../../report/testing/tested.js'
import { testsDocument } from '../../report/testing/tests-json.js'
import { testsJunit } from '../../report/testing/tests-junit.js'
import { formatTests } from '../../report/testing/tests-text.js'
import { diagnosticFromHere, fileFromHere } from '../check/from-working-folder.js'
import type { testFormats } from '../declarations/options.js'
import { jsonText } from '../terminal/output.js'

/** One way to write how tests came out. */
type Report = (files: readonly TestedFile[], view: DiagnosticsView & { readonly verbose: boolean }) => string

/** GitHub keeps the first ten of each kind anyway. */
const mostCommands = 100

/** How tests came out, in each format of `landform test`. */
export const testReports: Readonly<Record<(typeof testFormats)[number], Report>> = {
  text: formatTests,
  json: files => jsonText(testsDocument(files)),
  junit: files => testsJunit(files.map(forCi)),
  github: files => githubCommands(findingsOf(files.map(forCi)), mostCommands),
}

/** With files named as CI systems look for them. */
function forCi(tested: TestedFile): TestedFile {
  return {
    ...tested,
    file: fileFromHere(tested.file),
    diagnostics: tested.diagnostics.map(diagnosticFromHere),
    tests: tested.tests.map(test => ({
      ...test,
      failures: test.failures.map(one => ({ ...one, diagnostic: diagnosticFromHere(one.diagnostic) })),
      warnings: test.warnings.map(diagnosticFromHere),
    })),
  }
}
