import { dirname, join } from 'node:path'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import type { ReadPolicies } from '../../library/policies.js'
import { placeDiagnostics } from '../../manifest/small-file.js'
import type { Source } from '../../manifest/source.js'
import { findTestFailures, type TestFailure } from '../../manifest-tests/find-test-failures.js'
import { loadTests, type SiteTest, type TestFile } from '../../manifest-tests/load-tests.js'
import type { SingleTestResult, TestFileResult } from '../../report/test-results.js'
import { appendSegment } from '../../schema/pointer.js'
import { loadRun, performRun } from './perform-run.js'
import { createRehearsedSite, maxSleeps, type RehearsedSite } from './rehearsed-site.js'
import { readScenarios, readTestContext, type TestContext } from './test-context.js'

/** The selection of tests, and the signal that stops them. */
interface TestRunOptions {
  readonly policiesFor: ReadPolicies
  /** Selects tests by their names. */
  isWanted(name: string): boolean
  /** Aborted once no further test is to run. */
  readonly signal: AbortSignal
}

/** Runs the tests of one file, one after the other. Writes nothing, and makes no connection. */
export async function runTests(source: Source, running: TestRunOptions): Promise<TestFileResult> {
  const { signal } = running
  const loaded = loadTests(source)
  const failFile = (diagnostics: readonly Diagnostic[], others: readonly string[] = []): TestFileResult => ({
    file: source.name,
    diagnostics,
    tests: [],
    files: [source.name, ...others],
  })
  if (!loaded.ok) return failFile(loaded.error)
  const file = loaded.value
  const context = await readTestContext(file, running.policiesFor)
  // `--watch` also waits for the manifest to appear or to be fixed.
  if (!context.ok) return failFile(context.error, [join(dirname(source.name), file.manifest)])
  const tests: SingleTestResult[] = []
  const wrong: Diagnostic[] = []
  for (const test of file.tests) {
    if (signal.aborted || !running.isWanted(test.name)) continue
    const one = await runTest(test, file, { context: context.value, signal })
    // A test that was interrupted has no result.
    if (signal.aborted) continue
    if ('wrong' in one) wrong.push(...one.wrong)
    else tests.push(one)
  }
  return { file: source.name, diagnostics: wrong, tests, files: [source.name, ...context.value.files] }
}

async function runTest(
  test: SiteTest,
  file: TestFile,
  { context, signal }: { readonly context: TestContext; readonly signal: AbortSignal },
): Promise<SingleTestResult | { readonly wrong: readonly Diagnostic[] }> {
  const { name, pointer, runs } = test
  const { document } = file
  const scenarios = await readScenarios(file, test)
  if (!scenarios.ok) return { wrong: scenarios.error }
  const rehearsed = createRehearsedSite(scenarios.value, context)
  const { spent } = rehearsed.clock
  const stopped = AbortSignal.any([signal, spent])
  const failures: TestFailure[] = []
  for (const run of runs) {
    const seen = await performRun(run, loadRun(run, context), { rehearsed, signal: stopped })
    if (spent.aborted) {
      const problem = `the run does not end after ${maxSleeps} polls and heartbeats; use a shorter wait`
      const diagnostic = diagnose('test/failed', run.pointer, { test: name, problem })
      failures.push({ diagnostic, expected: [], actual: [] })
    }
    if (stopped.aborted) break
    failures.push(...findTestFailures(name, run, seen))
  }
  return {
    name,
    place: document.place(appendSegment(pointer, 'name'), 'value'),
    failures: failures.map(({ diagnostic, ...values }) => ({
      ...values,
      diagnostic: { ...diagnostic, place: document.place(diagnostic.pointer, 'key') },
    })),
    warnings: placeDiagnostics(document, [...unmet(test, rehearsed)]),
  }
}

/** Warns of faults that never occurred: such a test checks less than it seems to. */
function* unmet({ name, pointer, site }: SiteTest, rehearsed: RehearsedSite): Generator<Diagnostic> {
  const { faults = [] } = site
  for (const { word: fault = '' } of rehearsed.emulated()?.unmet() ?? []) {
    const index = faults.indexOf(fault)
    const owner = appendSegment(pointer, 'site')
    const at =
      index === -1 ? appendSegment(owner, 'scenario') : appendSegment(appendSegment(owner, 'faults'), index)
    yield diagnose('test/unmet-fault', at, { test: name, fault })
  }
}
