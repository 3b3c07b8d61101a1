import { findStage, type StageName, stageNames } from '../../contract/responses.js'
import {
  includes,
  newestReportedVersion,
  newestVersion,
  oldestVersion,
  parseVersion,
  type ServiceVersion,
} from '../../contract/versions.js'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { findSimilar } from '../../diagnostics/did-you-mean.js'
import type { EmulatedSite, EmulatorOptions } from '../../emulator/emulated-site.js'
import type { FaultRule } from '../../emulator/faults/fault.js'
import { parseBuiltInRules, parseRule } from '../../emulator/faults/notation.js'
import type { Misspelling } from '../../emulator/faults/words.js'
import type { Fidelity } from '../../emulator/field/field-world.js'
import {
  mergeScenarios,
  type Scenario,
  type ScenarioName,
  scenarioNames,
  scenarios,
} from '../../emulator/scenarios/scenarios.js'
import type { StageTimes } from '../../emulator/service/timeline.js'
import type { WorldOptions } from '../../emulator/service/world.js'
import { placeDiagnostics, readSmallFile } from '../../manifest/small-file.js'
import type { Source } from '../../manifest/source.js'
import { display } from '../../report/display.js'
import { exitCodes, isUsageError, UsageError } from '../../report/exit-code.js'
import type { Result } from '../../result.js'
import { checkScenario } from '../../schema/check.js'
import type { ScenarioDocument } from '../../schema/generated/scenario.js'
import { appendSegment, type JsonPointer } from '../../schema/pointer.js'
import { scenarioSchema } from '../../schema/scenario-schema.js'
import { readSource, redactLines } from '../check/read-source.js'
import type { Host } from '../host.js'
import { parseDuration, parseWhole } from '../options.js'
import type { OpenFailure } from '../terminal/output.js'

/** Parses `TIME` for all stages, or `STAGE=TIME` for some; stage names as in responses, in any case. */
export function parseStageTimes(words: readonly string[]): StageTimes {
  const entries = words.flatMap((word): readonly (readonly [StageName, number])[] => {
    const [text = '', ...names] = word.split('=').reverse()
    const ms = parseDuration('stage-time', text)
    if (names.length === 0) return stageNames.map(name => [name, ms])
    const stage = findStage(names.reverse().join('='))
    if (stage === undefined) {
      const meant = findSimilar(names.join('='), stageNames)
      const choices = meant === undefined ? `stages: ${stageNames.join(', ')}` : `did you mean ${meant}?`
      throw new UsageError(`--stage-time ${JSON.stringify(word)}: unknown stage; ${choices}`)
    }
    return [[stage, ms]]
  })
  return Object.fromEntries(entries) as StageTimes
}

/** Parses a factor such as `60x`, from a thousandth to a million. */
export function parseSpeed(text: string): number {
  const speed = /^\d{1,7}(?:\.\d{1,3})?x?$/.test(text) ? Number.parseFloat(text) : 0
  if (speed < 0.001 || speed > 1_000_000)
    throw new UsageError(`--speed must be a factor such as 60x, not ${JSON.stringify(text)}`)
  return speed
}

/** Parses a version that the emulator supports; field fidelity adds the reported ones. */
function findEmulatedVersion(text: string, fidelity: Fidelity): ServiceVersion | undefined {
  const version = parseVersion(text)
  if (version === undefined || !includes(version, oldestVersion)) return undefined
  return includes(findNewestVersion(fidelity), version) ? version : undefined
}

/** Describes the range of these versions; `remedy` says how to enable field fidelity. */
function describeEmulatedVersions(fidelity: Fidelity, remedy: string): string {
  const further = fidelity === 'field' ? '' : `, or to ${newestReportedVersion} with ${remedy}`
  return `from ${oldestVersion} to ${findNewestVersion(fidelity)}${further}`
}

/** Parses the value of `--service-version`. */
export function parseEmulatedVersion(text: string, fidelity: Fidelity): ServiceVersion {
  const version = findEmulatedVersion(text, fidelity)
  if (version !== undefined) return version
  throw new UsageError(
    `--service-version must be a version ${describeEmulatedVersions(fidelity, '--fidelity field')}`,
  )
}

function findNewestVersion(fidelity: Fidelity): ServiceVersion {
  return fidelity === 'field' ? newestReportedVersion : newestVersion
}

/** Reads the scenarios of `--scenario`, by name or from files, and appends the rules of `--fault`. */
export async function selectScenarios(
  words: readonly string[],
  faults: readonly string[],
  host: Host,
): Promise<Result<WorldOptions & Pick<EmulatorOptions, 'scenario'>, OpenFailure>> {
  for (const word of faults) checkFault(word)
  const chosen: Scenario[] = []
  for (const word of words) {
    if (!isFile(word)) {
      chosen.push(findScenario(word))
      continue
    }
    const reply = await readSource(host, word, { what: 'scenario' })
    if (!reply.ok) return { ok: false, error: { failure: reply.error } }
    const { value: source } = reply
    const loaded = loadScenario(source)
    if (!loaded.ok) {
      const message = `the scenario ${source.name} is not valid`
      const failure = { exitCode: exitCodes.invalid, message, diagnostics: loaded.error }
      return { ok: false, error: { failure, readLines: redactLines([source]) } }
    }
    chosen.push(loaded.value)
  }
  const options = mergeScenarios([...chosen, { faults }])
  return { ok: true, value: { ...options, ...(words.length > 0 && { scenario: words.join(', ') }) } }
}

/** Formats a line for each fault that occurred on no site: the rehearsal tested less than intended. */
export function formatUnmetFaults(sites: readonly Pick<EmulatedSite, 'unmet' | 'world'>[]): string {
  const known = sites.map(site => ({ rules: site.world().rules, unmet: site.unmet() }))
  const met = new Set(known.flatMap(({ rules, unmet }) => rules.filter(rule => !unmet.includes(rule))))
  const all = new Set(known.flatMap(({ rules }) => rules))
  const unmet = [...all].filter(rule => !met.has(rule))
  return unmet.map(({ word = '' }) => `warning: the fault ${display(word)} never occurred\n`).join('')
}

/** Tests whether a word is the path of a file, not the name of a scenario. */
export function isFile(word: string): boolean {
  return /[/\\]|\.(?:ya?ml|json)$/.test(word)
}

function findScenario(word: string): Scenario {
  const name = scenarioNames.find(candidate => candidate === word)
  if (name !== undefined) return scenarios[name satisfies ScenarioName]
  const meant = findSimilar(word, scenarioNames)
  const remedy = meant === undefined ? `use one of ${scenarioNames.join(', ')}` : `did you mean ${meant}?`
  throw new UsageError(`unknown scenario ${JSON.stringify(word)}; ${remedy}`)
}

/** Checks the notation of a fault. Throws a `UsageError`. */
function checkFault(word: string): void {
  const parsed = parseRule(word)
  if (parsed.ok) return
  const { problem, suggestion } = describeMisspelling(parsed.error)
  const remedy = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
  throw new UsageError(`--fault ${JSON.stringify(word)}: ${problem}${remedy}`)
}

/**
 * Reads faults such as `configure=html` for all sites, as written, and `3:configure=html` or `3-7:configure=html` for
 * some, by the number of the site.
 */
export function parseFaults(words: readonly string[], sites: number) {
  const ofAll: string[] = []
  const ofSites = new Map<number, FaultRule[]>()
  for (const word of words) {
    const [, first, last = first, fault = ''] = /^(\d+)(?:-(\d+))?:(.*)$/.exec(word) ?? []
    if (first === undefined || last === undefined) {
      ofAll.push(word)
      continue
    }
    const from = parseWhole('fault', first, { from: 1, to: sites })
    const to = parseWhole('fault', last, { from, to: sites })
    checkFault(fault)
    const rules = parseBuiltInRules([fault]).map(rule => ({ ...rule, word }))
    for (let site = from; site <= to; site += 1) ofSites.set(site, [...(ofSites.get(site) ?? []), ...rules])
  }
  return { ofAll, ofSites }
}

/** Reads a scenario file. Returns every mistake at once, with its place. */
export function loadScenario(source: Source): Result<Scenario, readonly Diagnostic[]> {
  const read = readSmallFile(source, scenarioFile)
  if (!read.ok) return read
  const { value: document } = read
  const fitting = document.value as unknown as ScenarioDocument
  const mistakes = [...findMistakes(fitting)]
  if (mistakes.length > 0) return { ok: false, error: placeDiagnostics(document, mistakes) }
  return { ok: true, value: buildScenario(fitting) }
}

/** Builds the scenario of a document without mistakes. */
export function buildScenario(document: ScenarioDocument): Scenario {
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

/** Describes the problem of a rule, and suggests a correction. */
function describeMisspelling({ problem, near }: Misspelling) {
  const suggestion = near === undefined ? undefined : findSimilar(near.written, near.choices)
  const choices = near === undefined ? '' : `; use one of ${near.choices.join(', ')}`
  return { problem: suggestion === undefined ? `${problem}${choices}` : problem, suggestion }
}

/** Finds the mistakes of a scenario that its schema cannot express; the scenario begins at `owner`. */
export function* findMistakes(scenario: ScenarioDocument, owner: JsonPointer = ''): Generator<Diagnostic> {
  const at = (name: string, index?: number) => {
    const pointer = appendSegment(owner, name)
    return index === undefined ? pointer : appendSegment(pointer, index)
  }
  const { faults = [], stageTimes = [], version, fidelity = 'document' } = scenario
  for (const [index, word] of faults.entries()) {
    const parsed = parseRule(word)
    if (!parsed.ok) yield diagnose('scenario/value', at('faults', index), describeMisspelling(parsed.error))
  }
  for (const [index, word] of stageTimes.entries()) {
    const problem = catchUsageError(() => parseStageTimes([word]))
    if (problem !== undefined) yield diagnoseValue(at('stageTimes', index), problem)
  }
  if (version !== undefined && findEmulatedVersion(version, fidelity) === undefined)
    yield diagnoseValue(
      at('version'),
      `\`version\` must be a version ${describeEmulatedVersions(fidelity, '`fidelity: field`')}`,
    )
  for (const name of ['upgrading', 'securityFrom'] as const)
    if (scenario[name] !== undefined && fidelity === 'document')
      yield diagnoseValue(at(name), `\`${name}\` needs \`fidelity: field\``)
}

function diagnoseValue(pointer: JsonPointer, problem: string): Diagnostic {
  return diagnose('scenario/value', pointer, { problem, suggestion: undefined })
}

function catchUsageError(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (isUsageError(error)) return error.message.replace(/^--/, '')
    throw error
  }
}
