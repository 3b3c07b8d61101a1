import { parseRule } from '../../emulator/faults/notation.js'
import { type Scenario, worldOptionsOf } from '../../emulator/scenarios/scenario.js'
import { type ScenarioName, scenarioNames, scenarios } from '../../emulator/scenarios/scenarios.js'
import type { EmulatorOptions } from '../../emulator/server.js'
import type { WorldOptions } from '../../emulator/service/world.js'
import type { EmulatedSite } from '../../emulator/site.js'
import { didYouMean } from '../../manifest/did-you-mean.js'
import { display } from '../../report/display.js'
import type { Result } from '../../result.js'
import { readSource } from '../check/read-source.js'
import { shownLines } from '../check/shown-lines.js'
import { exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import type { Refusal } from '../terminal/output.js'
import { UsageError } from '../usage-error.js'
import { complaintOf, loadScenario } from './scenario-file.js'

export type ChosenScenarios = Result<WorldOptions & Pick<EmulatorOptions, 'scenario'>, Refusal>

/** The scenarios of `--scenario`, by name or from files, and the rules of `--fault` after them. */
export async function chosenScenarios(
  words: readonly string[],
  faults: readonly string[],
  host: Host,
): Promise<ChosenScenarios> {
  for (const word of faults) checkFault(word)
  const chosen: Scenario[] = []
  for (const word of words) {
    if (!isFile(word)) {
      chosen.push(named(word))
      continue
    }
    const reply = await readSource(host, word, { what: 'scenario' })
    if (!reply.ok) return { ok: false, error: { failure: reply.error, linesOf: () => undefined } }
    const { value: source } = reply
    const loaded = loadScenario(source)
    if (!loaded.ok) {
      const message = `the scenario ${source.name} is not valid`
      const failure = { exitCode: exitCodes.invalid, message, diagnostics: loaded.error }
      return { ok: false, error: { failure, linesOf: shownLines([source]) } }
    }
    chosen.push(loaded.value)
  }
  const options = worldOptionsOf([...chosen, { faults }])
  return { ok: true, value: { ...options, ...(words.length > 0 && { scenario: words.join(', ') }) } }
}

/** A line for each fault that no site met: a rehearsal without it showed less than it was meant to. */
export function unmetWarnings(sites: readonly Pick<EmulatedSite, 'unmet' | 'world'>[]): string {
  const known = sites.map(site => ({ rules: site.world().rules, unmet: site.unmet() }))
  const met = new Set(known.flatMap(({ rules, unmet }) => rules.filter(rule => !unmet.includes(rule))))
  const all = new Set(known.flatMap(({ rules }) => rules))
  const unmet = [...all].filter(rule => !met.has(rule))
  return unmet.map(({ word = '' }) => `warning: nothing met the fault ${display(word)}\n`).join('')
}

/** True for a word that names a file, and no scenario. */
export function isFile(word: string): boolean {
  return /[/\\]|\.(?:ya?ml|json)$/.test(word)
}

function named(word: string): Scenario {
  const name = scenarioNames.find(candidate => candidate === word)
  if (name !== undefined) return scenarios[name satisfies ScenarioName]
  const meant = didYouMean(word, scenarioNames)
  const remedy = meant === undefined ? `there is ${scenarioNames.join(', ')}` : `did you mean ${meant}?`
  throw new UsageError(`there is no scenario ${JSON.stringify(word)}; ${remedy}`)
}

/** Makes sure that a fault is written as faults are. */
export function checkFault(word: string): void {
  const parsed = parseRule(word)
  if (parsed.ok) return
  const { problem, suggestion } = complaintOf(parsed.error)
  const remedy = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
  throw new UsageError(`--fault ${JSON.stringify(word)}: ${problem}${remedy}`)
}
