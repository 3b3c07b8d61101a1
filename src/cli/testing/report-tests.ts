import { resolve } from 'node:path'
import { policyReader } from '../../library/policies.js'
import { policyFinder } from '../../library/policy-files.js'
import type { Source } from '../../manifest/source.js'
import { githubCommands } from '../../report/findings/diagnostics-github.js'
import { findingsOf, sumsOf, type TestedFile } from '../../report/testing/tested.js'
import { testsDocument } from '../../report/testing/tests-json.js'
import { testsJunit } from '../../report/testing/tests-junit.js'
import { formatTests } from '../../report/testing/tests-text.js'
import { isTestFile } from '../../testing/file-name.js'
import { type ExitCode, exitCodes } from '../exit-code.js'
import { type Candidate, expandFiles } from '../expand-files.js'
import { fromWorkingFolder } from '../from-working-folder.js'
import type { Host } from '../host.js'
import { parseTargets, type Target } from '../options.js'
import {
  type ColorChoice,
  checkReportPaths,
  checkReports,
  emit,
  type Failure,
  fail,
  jsonText,
  paintFor,
} from '../output.js'
import { namedPolicies } from '../policy/named-policies.js'
import { readSource } from '../read-source.js'
import { shownLines } from '../shown-lines.js'
import { type StopSignal, stopSignal } from '../stop-signal.js'
import { UsageError } from '../usage-error.js'
import { runTests } from './run-tests.js'
import { testFormats } from './test-options.js'

/** The values of the options of `landform test`. */
export interface TestArguments {
  readonly tests: readonly string[]
  readonly format: readonly string[]
  readonly filter: string | undefined
  readonly policy: readonly string[]
  readonly watch: boolean
  readonly verbose: boolean
  readonly color: ColorChoice
}

type Targets = readonly Target<(typeof testFormats)[number]>[]

/** Runs the tests that the words name, and writes how they came out in every format asked for. */
export async function reportTests(argv: TestArguments, host: Host): Promise<ExitCode> {
  const targets = parseTargets(argv.format, testFormats)
  if (argv.tests.includes('-'))
    throw new UsageError('tests name other files by where they lie; - has no folder')
  if (argv.watch && argv.format.join() !== 'text')
    throw new UsageError('--watch writes text; leave --format out')
  const stop = stopSignal(host, () => 'stopping')
  try {
    const once = await testOnce(argv, host, { targets, stop })
    if (!argv.watch || stop.signal.aborted) return stop.signal.aborted ? stop.exitCode() : once.exitCode
    const { watchTests } = await import('./watch-tests.js')
    await watchTests(once.tested, stop.signal, {
      list: async () => (await filesOf(argv.tests)).files,
      again: files =>
        testOnce({ ...argv, tests: files }, host, { targets, stop }).then(({ tested }) => tested),
      say: text => host.stderr.write(text),
    })
    return stop.exitCode()
  } finally {
    stop.forget()
  }
}

interface Way {
  readonly targets: Targets
  readonly stop: StopSignal
}

interface Once {
  readonly exitCode: ExitCode
  readonly tested: readonly TestedFile[]
}

async function testOnce(argv: TestArguments, host: Host, { targets, stop }: Way): Promise<Once> {
  const { color, filter = '', policy, verbose } = argv
  const reports = targets.map(({ file }) => file)
  const found = await filesOf(argv.tests)
  const inputs = [...found.files, ...policy]
  const failed = async (failure: Failure): Promise<Once> => {
    await checkReports(reports, inputs)
    const exitCode = await fail(host, failure, { targets, color, linesOf: () => undefined })
    return { exitCode, tested: [] }
  }
  await checkReportPaths(reports, inputs)
  if (found.problem !== undefined) return failed({ exitCode: exitCodes.missing, message: found.problem })
  const running = {
    policiesFor: policyReader(namedPolicies(policy), policyFinder()),
    isWanted: (name: string) => name.includes(filter),
    isOver: () => stop.signal.aborted,
  }
  const tested: TestedFile[] = []
  const sources: Source[] = []
  for (const file of found.files) {
    const reply = await readSource(host, file, { what: 'test' })
    if (!reply.ok) return failed(reply.failure)
    sources.push(reply.source)
    tested.push(await runTests(reply.source, running))
  }
  await checkReports(reports, [...new Set([...policy, ...tested.flatMap(({ files }) => files)])])
  const shown = tested.filter(
    ({ tests, diagnostics }) => filter === '' || tests.length + diagnostics.length > 0,
  )
  if (shown.length === 0 && !stop.signal.aborted)
    return failed({
      exitCode: exitCodes.missing,
      message: `no test has ${JSON.stringify(filter)} in its name`,
    })
  const linesOf = shownLines(sources)
  const written = await emit(host, targets, (format, toFile) => {
    const findings = fromWorkingFolder(findingsOf(shown))
    switch (format) {
      case 'text':
        return formatTests(shown, { linesOf, verbose, paint: paintFor('stdout', toFile ? 'never' : color) })
      case 'json':
        return jsonText(testsDocument(shown))
      case 'junit':
        return testsJunit(shown)
      case 'github':
        return githubCommands(findings, 100)
      default:
        return format satisfies never
    }
  })
  return { exitCode: written ? exitCodeOf(shown) : exitCodes.state, tested }
}

/** What cannot be read counts more than what came out otherwise. */
function exitCodeOf(files: readonly TestedFile[]): ExitCode {
  if (files.some(({ diagnostics }) => diagnostics.length > 0)) return exitCodes.invalid
  return sumsOf(files).failed > 0 ? exitCodes.changes : exitCodes.done
}

/** The files that words stand for: of those found in folders or by patterns, the ones that are called as tests are. */
async function filesOf(words: readonly string[]) {
  const places = words.length === 0 ? ['.'] : words
  const expanded = await expandFiles(places)
  const isMeant = ({ file, how }: Candidate) => how === 'named' || isTestFile(file)
  const files = expanded.candidates.filter(isMeant).map(({ file }) => file)
  const none = `there is no file of tests such as \`site.test.yaml\` in ${places.map(one => resolve(one)).join(', ')}`
  const problem = expanded.ok ? (files.length === 0 ? none : undefined) : expanded.problem
  return { files, problem }
}
