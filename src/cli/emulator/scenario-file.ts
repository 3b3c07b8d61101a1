import { parseVersion } from '../../contract/version.js'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { child, type JsonPointer } from '../../diagnostics/pointer.js'
import { parseRule } from '../../emulator/faults/notation.js'
import type { Misspelling } from '../../emulator/faults/words.js'
import type { Scenario } from '../../emulator/scenarios/scenario.js'
import { didYouMean } from '../../manifest/did-you-mean.js'
import { inPlace, readSmallFile } from '../../manifest/small-file.js'
import type { Source } from '../../manifest/source.js'
import type { Result } from '../../result.js'
import { checkScenario } from '../../schema/check-scenario.js'
import { type ScenarioDocument, scenarioSchema } from '../../schema/scenario-schema.js'
import { isUsageError } from '../usage-error.js'
import { emulatedVersion, emulatedVersions, parseStageTimes } from './emulator-options.js'

/** Reads a scenario file; every mistake comes back at once, with its place. */
export function loadScenario(source: Source): Result<Scenario, readonly Diagnostic[]> {
  const read = readSmallFile(source, scenarioFile)
  if (!read.ok) return read
  const { value: document } = read
  const fitting = document.value as unknown as ScenarioDocument
  const mistakes = [...mistakesIn(fitting)]
  if (mistakes.length > 0) return { ok: false, error: inPlace(document, mistakes) }
  return { ok: true, value: scenarioOf(fitting) }
}

/** The scenario that a document without mistakes describes. */
export function scenarioOf(document: ScenarioDocument): Scenario {
  const { stageTimes = [], version, upgrading, securityFrom, ...rest } = document
  const known = version === undefined ? undefined : parseVersion(version)
  return {
    ...rest,
    field: { ...(upgrading !== undefined && { upgrading }), ...(securityFrom && { securityFrom }) },
    ...(stageTimes.length > 0 && { stageMs: parseStageTimes(stageTimes) }),
    ...(known !== undefined && { version: known }),
  }
}

const scenarioFile = {
  area: 'scenario',
  example: 'faults',
  schema: () => scenarioSchema,
  check: checkScenario,
} as const

/** What is wrong with a rule as a person reads it, and what was meant. */
export function complaintOf({ problem, near }: Misspelling) {
  const suggestion = near === undefined ? undefined : didYouMean(near.written, near.choices)
  const choices = near === undefined ? '' : `; there is ${near.choices.join(', ')}`
  return { problem: suggestion === undefined ? `${problem}${choices}` : problem, suggestion }
}

/** What its schema cannot say of a scenario that begins at `owner`. */
export function* mistakesIn(scenario: ScenarioDocument, owner: JsonPointer = ''): Generator<Diagnostic> {
  const at = (name: string, index?: number) => {
    const pointer = child(owner, name)
    return index === undefined ? pointer : child(pointer, index)
  }
  const { faults = [], stageTimes = [], version, fidelity = 'document' } = scenario
  for (const [index, word] of faults.entries()) {
    const parsed = parseRule(word)
    if (!parsed.ok) yield diagnose('scenario/value', at('faults', index), complaintOf(parsed.error))
  }
  for (const [index, word] of stageTimes.entries()) {
    const problem = refusalOf(() => parseStageTimes([word]))
    if (problem !== undefined) yield wrong(at('stageTimes', index), problem)
  }
  if (version !== undefined && emulatedVersion(version, fidelity) === undefined)
    yield wrong(at('version'), `\`version\` is ${emulatedVersions(fidelity, '`fidelity: field`')}`)
  for (const name of ['upgrading', 'securityFrom'] as const)
    if (scenario[name] !== undefined && fidelity === 'document')
      yield wrong(at(name), `\`${name}\` counts with \`fidelity: field\` only`)
}

function wrong(pointer: JsonPointer, problem: string): Diagnostic {
  return diagnose('scenario/value', pointer, { problem, suggestion: undefined })
}

function refusalOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (isUsageError(error)) return error.message.replace(/^--/, '')
    throw error
  }
}
