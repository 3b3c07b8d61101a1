import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { findSimilar } from '../../diagnostics/did-you-mean.js'
import { formatAll, quote } from '../../diagnostics/words.js'
import {
  type Scenario,
  type ScenarioName,
  scenarioNames,
  scenarios,
} from '../../emulator/scenarios/scenarios.js'
import type { ReadPolicies } from '../../library/policies.js'
import { readBases } from '../../library/read-bases.js'
import { readBeside } from '../../library/read-files.js'
import { placeDiagnostics } from '../../manifest/small-file.js'
import type { Source } from '../../manifest/source.js'
import { parseYaml } from '../../manifest/yaml-document.js'
import type { SiteTest, TestFile } from '../../manifest-tests/load-tests.js'
import type { Policy } from '../../policy/policy.js'
import { describeProblem } from '../../report/endings/problems.js'
import { describeNamedFileDefect } from '../../report/file-problem.js'
import type { Result } from '../../result.js'
import { appendSegment } from '../../schema/pointer.js'
import { buildScenario, findMistakes, isFile, loadScenario } from '../emulator/emulator-options.js'

/** The inputs that all tests of a file share. */
export interface TestContext {
  readonly manifest: Source
  /** The bases of the manifest, nearest first. */
  readonly bases: readonly Source[]
  /** The reason why some of them could not be read. */
  readonly problem: Diagnostic | undefined
  readonly policies: readonly Policy[]
  /** Every file that was read, for `--watch`. */
  readonly files: readonly string[]
}

/** Reads the manifest of a test file, its bases and its policies. */
export async function readTestContext(
  file: TestFile,
  policiesFor: ReadPolicies,
): Promise<Result<TestContext, readonly Diagnostic[]>> {
  const reject = (problem: string) => {
    const pointer = file.document.spans.has('/manifest') ? '/manifest' : ''
    const diagnostic = diagnose('test/value', pointer, { problem, suggestion: undefined })
    return { ok: false, error: placeDiagnostics(file.document, [diagnostic]) } as const
  }
  const reply = await readBeside(file.source.name, file.manifest)
  if (!reply.ok)
    return reject(
      `the manifest ${quote(file.manifest)} ${describeNamedFileDefect(reply.error, 'manifest')}; \`manifest\` is a path from this folder`,
    )
  const { value: manifest } = reply
  const { bases: parsed, problem } = await readBases(parseYaml(manifest), manifest.name)
  const bases = parsed.map(({ source }) => source)
  const around = await policiesFor(manifest.name)
  if (!around.ok) return reject(describeProblem(around.error))
  const wrong = around.value.policies.flatMap(({ loaded }) => (loaded.ok ? [] : loaded.error))
  if (wrong.length > 0) return { ok: false, error: wrong }
  const policies = around.value.policies.flatMap(({ loaded }) => (loaded.ok ? loaded.value : []))
  const files = [manifest, ...bases].map(({ name }) => name)
  return {
    ok: true,
    value: { manifest, bases, problem, policies, files: [...files, ...policies.map(one => one.file)] },
  }
}

/** Reads the scenarios of a test. Diagnostics have a place in the test file or the scenario file. */
export async function readScenarios(
  file: TestFile,
  test: SiteTest,
): Promise<Result<readonly Scenario[], readonly Diagnostic[]>> {
  const { scenario: word, ...own } = test.site
  const owner = appendSegment(test.pointer, 'site')
  const wrong = (diagnostics: readonly Diagnostic[]) =>
    ({ ok: false, error: placeDiagnostics(file.document, diagnostics) }) as const
  const reject = (problem: string, suggestion?: string) =>
    wrong([diagnose('test/value', appendSegment(owner, 'scenario'), { problem, suggestion })])
  const mistakes = [...findMistakes(own, owner)]
  if (mistakes.length > 0) return wrong(mistakes)
  const rest = buildScenario(own)
  if (word === undefined) return { ok: true, value: [rest] }
  if (!isFile(word)) {
    const name = scenarioNames.find(candidate => candidate === word)
    if (name === undefined) {
      const meant = findSimilar(word, scenarioNames)
      const choices = meant === undefined ? `; use one of ${formatAll(scenarioNames)}` : ''
      return reject(`unknown scenario ${quote(word)}${choices}`, meant)
    }
    return { ok: true, value: [scenarios[name satisfies ScenarioName], rest] }
  }
  const reply = await readBeside(file.source.name, word)
  if (!reply.ok)
    return reject(`the scenario ${quote(word)} ${describeNamedFileDefect(reply.error, 'scenario')}`)
  const loaded = loadScenario(reply.value)
  return loaded.ok ? { ok: true, value: [loaded.value, rest] } : loaded
}
