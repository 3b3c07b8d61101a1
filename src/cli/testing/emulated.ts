import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { child } from '../../diagnostics/pointer.js'
import { allOf, quoted } from '../../diagnostics/words.js'
import type { Scenario } from '../../emulator/scenarios/scenario.js'
import { type ScenarioName, scenarioNames, scenarios } from '../../emulator/scenarios/scenarios.js'
import { readBeside } from '../../library/read-beside.js'
import { didYouMean } from '../../manifest/did-you-mean.js'
import { inPlace } from '../../manifest/small-file.js'
import type { Result } from '../../result.js'
import type { SiteTest, TestFile } from '../../testing/site-test.js'
import { loadScenario, mistakesIn, scenarioOf } from '../emulator/scenario-file.js'
import { isFile } from '../emulator/scenario-options.js'

/** What a test says of the emulated site; a mistake stands at its place in the file of tests, or of the scenario. */
export async function emulatedBy(
  file: TestFile,
  test: SiteTest,
): Promise<Result<readonly Scenario[], readonly Diagnostic[]>> {
  const { scenario: word, ...own } = test.site
  const owner = child(test.pointer, 'site')
  const wrong = (diagnostics: readonly Diagnostic[]) =>
    ({ ok: false, error: inPlace(file.document, diagnostics) }) as const
  const mistakes = [...mistakesIn(own, owner)]
  if (mistakes.length > 0) return wrong(mistakes)
  const rest = scenarioOf(own)
  if (word === undefined) return { ok: true, value: [rest] }
  const refused = (problem: string, suggestion?: string) =>
    wrong([diagnose('test/value', child(owner, 'scenario'), { problem, suggestion })])
  if (!isFile(word)) {
    const name = scenarioNames.find(candidate => candidate === word)
    if (name === undefined) {
      const meant = didYouMean(word, scenarioNames)
      const choices = meant === undefined ? `; there is ${allOf(scenarioNames)}` : ''
      return refused(`there is no scenario ${quoted(word)}${choices}`, meant)
    }
    return { ok: true, value: [scenarios[name satisfies ScenarioName], rest] }
  }
  const reply = await readBeside(file.source.name, word)
  if (!reply.ok) return refused(`the scenario ${quoted(word)} ${reply.error}`)
  const loaded = loadScenario(reply.value)
  return loaded.ok ? { ok: true, value: [loaded.value, rest] } : loaded
}
