import { parseVersion } from '../contract/version.js'
import { type Checked, type Diagnostic, type DiagnosticCode, diagnose } from '../diagnostics/diagnostic.js'
import { child, type JsonPointer, nameOf, segments } from '../diagnostics/pointer.js'
import { parseRule } from '../emulator/faults/notation.js'
import type { Parsed } from '../emulator/faults/words.js'
import type { Scenario } from '../emulator/scenarios/scenario.js'
import { didYouMean } from '../manifest/did-you-mean.js'
import type { Source } from '../manifest/source.js'
import { parseYaml } from '../manifest/yaml-document.js'
import { checkScenario, type SchemaError } from '../schema/check.js'
import { type ScenarioDocument, scenarioSchema } from '../schema/scenario-schema.js'
import { emulatedVersion, emulatedVersions, parseStageTimes } from './emulator-options.js'
import { UsageError } from './usage-error.js'

/** Reads a scenario file; every mistake comes back at once, with its place. */
export function loadScenario(source: Source): Checked<Scenario> {
  const { document, diagnostics } = parseYaml(source)
  if (document === undefined || diagnostics.length > 0) return { ok: false, diagnostics }
  const placed = (one: Diagnostic): Diagnostic => ({
    ...one,
    place: document.place(
      one.pointer,
      one.code === ('scenario/field' satisfies DiagnosticCode) ? 'key' : 'value',
    ),
  })
  const misfits = checkScenario(document.value).map(misfit)
  // Each place once: text of the wrong type has no form either.
  if (misfits.length > 0) return { ok: false, diagnostics: misfits.map(placed).toSorted(byPlace) }
  const fitting = document.value as unknown as ScenarioDocument
  const mistakes = [...mistakesIn(fitting)]
  if (mistakes.length > 0) return { ok: false, diagnostics: mistakes.map(placed).toSorted(byPlace) }
  const { stageTimes = [], version, upgrading, securityFrom, ...rest } = fitting
  const known = version === undefined ? undefined : parseVersion(version)
  const value = {
    ...rest,
    field: { ...(upgrading !== undefined && { upgrading }), ...(securityFrom && { securityFrom }) },
    ...(stageTimes.length > 0 && { stageMs: parseStageTimes(stageTimes) }),
    ...(known !== undefined && { version: known }),
  }
  return { ok: true, value, diagnostics: [] }
}

function byPlace({ place: a }: Diagnostic, { place: b }: Diagnostic): number {
  if (a === undefined || b === undefined) return 0
  return a.start.line - b.start.line || a.start.column - b.start.column
}

/** What is wrong with a rule as a person reads it, and what was meant. */
export function complaintOf(parsed: Parsed<unknown> & { readonly ok: false }) {
  const { problem, near } = parsed
  const suggestion = near === undefined ? undefined : didYouMean(near.written, near.choices)
  const choices = near === undefined ? '' : `; there is ${near.choices.join(', ')}`
  return { problem: suggestion === undefined ? `${problem}${choices}` : problem, suggestion }
}

function* mistakesIn(scenario: ScenarioDocument): Generator<Diagnostic> {
  const { faults = [], stageTimes = [], version, fidelity = 'document' } = scenario
  for (const [index, word] of faults.entries()) {
    const parsed = parseRule(word)
    if (!parsed.ok) yield diagnose('scenario/value', child('/faults', index), complaintOf(parsed))
  }
  for (const [index, word] of stageTimes.entries()) {
    const problem = refusalOf(() => parseStageTimes([word]))
    if (problem !== undefined) yield wrong(child('/stageTimes', index), problem)
  }
  if (version !== undefined && emulatedVersion(version, fidelity) === undefined)
    yield wrong('/version', `\`version\` is ${emulatedVersions(fidelity, '`fidelity: field`')}`)
  for (const name of ['upgrading', 'securityFrom'] as const)
    if (scenario[name] !== undefined && fidelity === 'document')
      yield wrong(`/${name}`, `\`${name}\` counts with \`fidelity: field\` only`)
}

/** A mistake that the schema finds. */
function misfit({ instancePath, keyword, params }: SchemaError): Diagnostic {
  const pointer = instancePath as JsonPointer
  const allowed = Object.keys(scenarioSchema.properties ?? {})
  if (keyword === 'additionalProperties') {
    const field = String(params['additionalProperty'])
    const facts = { field, suggestion: didYouMean(field, allowed), allowed }
    return diagnose('scenario/field', child(pointer, field), facts)
  }
  if (pointer === '') return wrong(pointer, `a scenario is a map with fields such as \`faults\``)
  const [field = '', index] = segments(pointer)
  const name = index === undefined ? `\`${field}\`` : `an element of \`${field}\``
  return wrong(
    pointer,
    `${name} ${keyword === 'type' ? `is ${typeWords[String(params['type'])]}` : formOf(pointer)}`,
  )
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text, in quotes where YAML would make a number of it',
  array: 'a list',
  object: 'a map',
  integer: 'a whole number',
  boolean: '`true` or `false`',
}

function formOf(pointer: JsonPointer): string {
  const [field = ''] = segments(pointer)
  const { items, enum: choices, additionalProperties, ...own } = scenarioSchema.properties?.[field] || {}
  if (choices !== undefined) return `is ${choices.map(choice => `\`${choice}\``).join(' or ')}`
  const maximum = typeof additionalProperties === 'object' ? additionalProperties.maximum : own.maximum
  if (maximum !== undefined) return `is a number from 0 to ${maximum}`
  return `has a form such as ${(items?.examples ?? []).map(String).join(' or ') || nameOf(pointer)}`
}

function wrong(pointer: JsonPointer, problem: string): Diagnostic {
  return diagnose('scenario/value', pointer, { problem, suggestion: undefined })
}

function refusalOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof UsageError) return error.message.replace(/^--/, '')
    throw error
  }
}
