import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { policyFinder, policyReader } from '../../library/policies.js'
import type { Source } from '../../manifest/source.js'
import { isTestFile } from '../../manifest-tests/load-tests.js'
import { display } from '../../report/display.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { formatGithubCommands } from '../../report/findings-ci.js'
import type { DiagnosticsView } from '../../report/findings-text.js'
import {
  collectFindings,
  countTests,
  formatTests,
  formatTestsJunit,
  type TestFileResult,
  testsDocument,
} from '../../report/test-results.js'
import type { Result } from '../../result.js'
import { type Candidate, expandFiles } from '../check/expand-files.js'
import { checkPolicyNames, readSource, redactLines } from '../check/read-source.js'
import { diagnosticFromHere, fileFromHere } from '../check/validation-reports.js'
import { type ArgumentsOf, declare, flag, pair, text } from '../command.js'
import { commonOptions, formatOption, policyOption, testFormats } from '../command-options.js'
import type { Host } from '../host.js'
import { runTests } from '../manifest-tests/run-tests.js'
import { parseTargets } from '../options.js'
import { stopSignal } from '../terminal/interaction.js'
import { type Failure, jsonText } from '../terminal/output.js'
import { withOpened } from '../with-opened.js'

const declaration = declare({
  name: 'test',
  describe: 'Run tests of manifests, *.test.yaml, on an emulator with a virtual clock',
  touches: 'rehearses',
  arguments: [
    {
      name: 'tests',
      many: true,
      optional: true,
      describe: 'Files of tests, folders or patterns [default: the working folder]',
    },
  ],
  options: {
    ...formatOption(testFormats),
    filter: text('TEXT', 'Only tests with this text in their names'),
    ...policyOption,
    'pass-with-no-tests': flag('Succeed if there is no test file'),
    watch: flag('Rerun the tests that a changed file affects, until interrupted'),
    verbose: flag('Also list the tests that pass', 'v'),
    ...commonOptions,
  },
  examples: [
    ['test', 'run every *.test.yaml in and below the working folder'],
    ['test sites --format junit=tests.xml', 'run those of a folder in a CI job'],
    ['test site.test.yaml --filter stall -v', 'run some of one file'],
    ['test sites --watch', 'rerun what a change affects'],
  ],
})

/**
 * Runs tests once, or again after each change, each on an emulated site in this process with a virtual clock. Makes no
 * connection, and does not read the environment.
 */
async function test(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  // Checked before the first run, so that a mistake is reported once.
  parseTargets(argv.format, testFormats)
  if (argv.tests.includes('-'))
    throw new UsageError('tests refer to files beside them, so they cannot be read from standard input (-)')
  if (argv.watch && argv.format.join() !== 'text')
    throw new UsageError('--watch writes text; remove --format')
  const stop = stopSignal(host, () => 'stopping')
  const { signal } = stop
  try {
    const once = await testOnce(argv, host, signal)
    if (signal.aborted) return stop.exitCode()
    // Without a test file there is nothing to watch.
    if (!argv.watch || once.tested.length === 0) return once.exitCode
    const { watchTests } = await import('../manifest-tests/watch-tests.js')
    await watchTests(once.tested, signal, {
      list: async () => (await findTestFiles(argv.tests)).files,
      again: async tests => (await testOnce({ ...argv, tests }, host, signal)).tested,
      say: text => host.stderr.print(text),
    })
    return stop.exitCode()
  } finally {
    stop.forget()
  }
}

/** Runs tests, and writes their reports. The signal stops the run early. */
async function testOnce(
  asked: ArgumentsOf<typeof declaration>,
  host: Host,
  signal: AbortSignal,
): Promise<{ readonly exitCode: ExitCode; readonly tested: readonly TestFileResult[] }> {
  const { filter = '', policy, verbose, 'pass-with-no-tests': passes } = asked
  const { files, problem, none } = await findTestFiles(asked.tests)
  // A missing policy has no place in a test file. An existing one may be a pipe, which can be read only once.
  const absent = policy.find(file => !existsSync(file))
  const missing =
    problem ??
    (passes ? undefined : none) ??
    (absent === undefined ? undefined : `the policy ${display(absent)} does not exist`)
  let tested: readonly TestFileResult[] = []
  const exitCode = await withOpened(asked, host, {
    formats: testFormats,
    reads: [...files, ...policy],
    async open() {
      if (missing !== undefined) return toMissing(missing)
      const all = await runAll(files, asked, { host, signal })
      if (!all.ok) return { ok: false, error: { failure: all.error } }
      const { sources } = all.value
      const inputs = all.value.tested.flatMap(one => one.files)
      return { ok: true, value: { ...all.value, inputs, readLines: redactLines(sources) } }
    },
    async work({ session, refuse, report }) {
      const shown = session.tested.filter(
        ({ tests, diagnostics }) => filter === '' || tests.length + diagnostics.length > 0,
      )
      if (shown.length === 0 && none === undefined && !signal.aborted)
        return refuse(toMissing(`no test has ${JSON.stringify(filter)} in its name`).error.failure)
      tested = session.tested
      const written = await report((format, paint) =>
        testReports[format](shown, { readLines: session.readLines, verbose, paint }),
      )
      return written === exitCodes.done ? toExitCode(shown) : written
    },
  })
  return { exitCode, tested }
}

function toMissing(message: string) {
  return { ok: false, error: { failure: { exitCode: exitCodes.missing, message } } } as const
}

async function runAll(
  files: readonly string[],
  { filter = '', policy }: ArgumentsOf<typeof declaration>,
  { host, signal }: { readonly host: Host; readonly signal: AbortSignal },
): Promise<
  Result<{ readonly tested: readonly TestFileResult[]; readonly sources: readonly Source[] }, Failure>
> {
  const running = {
    policiesFor: policyReader(checkPolicyNames(policy), policyFinder()),
    isWanted: (name: string) => name.includes(filter),
    signal,
  }
  const tested: TestFileResult[] = []
  const sources: Source[] = []
  for (const file of files) {
    const reply = await readSource(host, file, { what: 'test' })
    if (!reply.ok) return reply
    sources.push(reply.value)
    tested.push(await runTests(reply.value, running))
  }
  return { ok: true, value: { tested, sources } }
}

/** Ranks unreadable files above failed expectations. */
function toExitCode(files: readonly TestFileResult[]): ExitCode {
  if (files.some(({ diagnostics }) => diagnostics.length > 0)) return exitCodes.invalid
  return countTests(files).failed > 0 ? exitCodes.changes : exitCodes.done
}

/**
 * Finds the test files of these words, and the reason that some cannot be run; `none` is the message if there are none.
 * In folders and by patterns, only files with the name of a test count.
 */
async function findTestFiles(words: readonly string[]) {
  const places = words.length === 0 ? ['.'] : words
  const { candidates, problem, isEmpty = false } = await expandFiles(places)
  const isMeant = ({ file, how }: Candidate) => how === 'named' || isTestFile(file)
  const files = candidates.filter(isMeant).map(({ file }) => file)
  const where = places.map(one => resolve(one)).join(', ')
  const none = files.length === 0 ? `no test file such as \`site.test.yaml\` in ${where}` : undefined
  return { files, problem: isEmpty ? undefined : problem, none }
}

/** Formats the results in one format. */
type Report = (
  files: readonly TestFileResult[],
  view: DiagnosticsView & { readonly verbose: boolean },
) => string

/** GitHub keeps only the first ten of each kind anyway. */
const maxCommands = 100

/** The reports of `landform test`, by format. */
const testReports: Readonly<Record<(typeof testFormats)[number], Report>> = {
  text: formatTests,
  json: files => jsonText(testsDocument(files)),
  junit: files => formatTestsJunit(files.map(forCi)),
  github: files => formatGithubCommands(collectFindings(files.map(forCi)), maxCommands),
}

/** Renames the files for CI systems. */
function forCi(tested: TestFileResult): TestFileResult {
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

export const command = pair(declaration, test)
