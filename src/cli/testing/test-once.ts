import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { policyReader } from '../../library/policies.js'
import { policyFinder } from '../../library/policy-files.js'
import type { Source } from '../../manifest/source.js'
import { display } from '../../report/display.js'
import { sumsOf, type TestedFile } from '../../report/testing/tested.js'
import type { Result } from '../../result.js'
import { isTestFile } from '../../testing/file-name.js'
import { type Candidate, expandFiles } from '../check/expand-files.js'
import { namedPolicies } from '../check/named-policies.js'
import { readSource } from '../check/read-source.js'
import { shownLines } from '../check/shown-lines.js'
import type { testFormats } from '../declarations/options.js'
import { type ExitCode, exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import type { Target } from '../options.js'
import {
  type ColorChoice,
  checkReportPaths,
  checkReports,
  emit,
  type Failure,
  fail,
  paintFor,
} from '../terminal/output.js'
import { runTests } from './run-tests.js'
import { testReports } from './test-reports.js'

/** What one run of tests is asked for. */
export interface TestRequest {
  readonly tests: readonly string[]
  readonly filter: string | undefined
  readonly policy: readonly string[]
  readonly verbose: boolean
  readonly color: ColorChoice
}

/** Where reports go, and what ends the run before all tests were run. */
export interface TestWay {
  readonly targets: readonly Target<(typeof testFormats)[number]>[]
  readonly signal: AbortSignal
}

/** How the tests came out that were run. */
export interface TestedOnce {
  readonly exitCode: ExitCode
  readonly tested: readonly TestedFile[]
}

/** Runs tests, and writes how they came out; no report takes the place of what was read. */
export async function testOnce(asked: TestRequest, host: Host, way: TestWay): Promise<TestedOnce> {
  const { targets, signal } = way
  const { color, filter = '', policy } = asked
  const reports = targets.map(({ file }) => file)
  const found = await testFilesOf(asked.tests)
  const inputs = [...found.files, ...policy]
  const failed = async (failure: Failure): Promise<TestedOnce> => {
    await checkReports(reports, inputs)
    const exitCode = await fail(host, failure, { targets, color, linesOf: () => undefined })
    return { exitCode, tested: [] }
  }
  await checkReportPaths(reports, inputs)
  if (found.problem !== undefined) return failed({ exitCode: exitCodes.missing, message: found.problem })
  // It has no place in a file of tests. What is there may be a pipe, which is read once.
  const absent = policy.find(file => !existsSync(file))
  if (absent !== undefined)
    return failed({ exitCode: exitCodes.missing, message: `the policy ${display(absent)} does not exist` })
  const all = await runAll(found.files, asked, { host, signal })
  if (!all.ok) return failed(all.error)
  const { tested, sources } = all.value
  await checkReports(reports, [...new Set([...policy, ...tested.flatMap(({ files }) => files)])])
  const shown = tested.filter(
    ({ tests, diagnostics }) => filter === '' || tests.length + diagnostics.length > 0,
  )
  if (shown.length === 0 && !signal.aborted) {
    const message = `no test has ${JSON.stringify(filter)} in its name`
    return failed({ exitCode: exitCodes.missing, message })
  }
  const view = { linesOf: shownLines(sources), verbose: asked.verbose }
  const written = await emit(host, targets, (format, toFile) =>
    testReports[format](shown, { ...view, paint: paintFor('stdout', toFile ? 'never' : color) }),
  )
  return { exitCode: written ? exitCodeOf(shown) : exitCodes.state, tested }
}

type AllTested = Result<
  { readonly tested: readonly TestedFile[]; readonly sources: readonly Source[] },
  Failure
>

async function runAll(
  files: readonly string[],
  { filter = '', policy }: TestRequest,
  { host, signal }: { readonly host: Host; readonly signal: AbortSignal },
): Promise<AllTested> {
  const running = {
    policiesFor: policyReader(namedPolicies(policy), policyFinder()),
    isWanted: (name: string) => name.includes(filter),
    signal,
  }
  const tested: TestedFile[] = []
  const sources: Source[] = []
  for (const file of files) {
    const reply = await readSource(host, file, { what: 'test' })
    if (!reply.ok) return reply
    sources.push(reply.value)
    tested.push(await runTests(reply.value, running))
  }
  return { ok: true, value: { tested, sources } }
}

/** What cannot be read counts more than what came out otherwise. */
function exitCodeOf(files: readonly TestedFile[]): ExitCode {
  if (files.some(({ diagnostics }) => diagnostics.length > 0)) return exitCodes.invalid
  return sumsOf(files).failed > 0 ? exitCodes.changes : exitCodes.done
}

/** Files of tests, and why they cannot be run as they were named. */
export interface TestFiles {
  readonly files: readonly string[]
  readonly problem: string | undefined
}

/** The files that words stand for: of those found in folders or by patterns, the ones that are called as tests are. */
export async function testFilesOf(words: readonly string[]): Promise<TestFiles> {
  const places = words.length === 0 ? ['.'] : words
  const { candidates, problem } = await expandFiles(places)
  const isMeant = ({ file, how }: Candidate) => how === 'named' || isTestFile(file)
  const files = candidates.filter(isMeant).map(({ file }) => file)
  if (problem !== undefined) return { files, problem }
  const where = places.map(one => resolve(one)).join(', ')
  const none = `there is no file of tests such as \`site.test.yaml\` in ${where}`
  return { files, problem: files.length === 0 ? none : undefined }
}
