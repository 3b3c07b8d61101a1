import type { PolicyValueProblem } from '../diagnostics/catalog/policy-wording.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { findSimilar } from '../diagnostics/did-you-mean.js'
import { computeDigest } from '../manifest/digest.js'
import { placeDiagnostics, readSmallFile } from '../manifest/small-file.js'
import type { Source } from '../manifest/source.js'
import type { YamlDocument } from '../manifest/yaml-document.js'
import { yamlLimits } from '../manifest/yaml-limits.js'
import type { Result } from '../result.js'
import { checkPolicy } from '../schema/check.js'
import { findFieldSchema } from '../schema/field-schema.js'
import { longestText } from '../schema/fields.js'
import type { Conditions, Rule, SitePolicy } from '../schema/generated/policy.js'
import { isObject, type JsonSchema, type JsonValue } from '../schema/json-schema.js'
import { appendSegment, formatIndices, type JsonPointer, splitPointer } from '../schema/pointer.js'
import { buildPolicySchema } from '../schema/policy-schema.js'
import { evaluateRule, findViolations } from './judge.js'
import { findOperandMistake, type OperatorName } from './operators.js'
import { findPlanRuleMistakes, parsePlanRules } from './plan-rules.js'
import type { Condition, Policy, PolicyPath, PolicyRule, PolicyTest } from './policy.js'

/**
 * Reads a policy: YAML, its schema, the paths and values in its rules, and then their tests. Returns every problem of the
 * first of these stages that has any, with its place. Nothing in a policy is ever executed.
 */
export function loadPolicy(source: Source): Result<Policy, readonly Diagnostic[]> {
  const read = readSmallFile(source, policyFile)
  if (!read.ok) return read
  const { value: document } = read
  const { rules = [], plans } = document.value as unknown as SitePolicy
  const mistakes = [
    ...[...findPlanRuleMistakes(plans ?? {})].map(mistake => diagnoseValue(...mistake)),
    ...findDuplicateNames(rules),
    ...rules.flatMap((rule, index) => [...findMistakes(rule, buildRulePointer(index))]),
  ]
  if (mistakes.length > 0) return { ok: false, error: placeDiagnostics(document, mistakes) }
  const checked = rules.map((rule, index) => buildRule(rule, buildRulePointer(index), document))
  const failures = checked.flatMap((rule, index) => [
    ...findTestProblems(rule, rules[index]?.tests ?? [], appendSegment(buildRulePointer(index), 'tests')),
  ])
  if (failures.length > 0) return { ok: false, error: placeDiagnostics(document, failures) }
  const digest = computeDigest(source.bytes)
  const policy = { file: source.name, digest, rules: checked }
  return { ok: true, value: plans === undefined ? policy : { ...policy, plans: parsePlanRules(plans) } }
}

const policyFile = {
  area: 'policy',
  example: 'rules',
  schema: buildPolicySchema,
  check: checkPolicy,
} as const

function buildRulePointer(index: number): JsonPointer {
  return appendSegment('/rules', index)
}

function buildRule(rule: Rule, pointer: JsonPointer, { place }: YamlDocument): PolicyRule {
  const { name, level = 'error', message, when = {}, require } = rule
  return {
    name,
    level,
    message,
    when: parseConditions(when),
    require: parseConditions(require),
    place: place(appendSegment(pointer, 'name'), 'value'),
  }
}

function parseConditions(conditions: Conditions): readonly Condition[] {
  return Object.entries(conditions).flatMap(([text, check]) => {
    const parsed = parsePath(text)
    return parsed.ok
      ? [{ path: parsed.value, operands: typeof check === 'object' ? check : { is: check } }]
      : []
  })
}

/** Finds names that two rules share: messages could not say which one they mean. */
function* findDuplicateNames(rules: readonly Rule[]): Generator<Diagnostic> {
  const seen = new Set<string>()
  for (const [index, { name }] of rules.entries()) {
    if (seen.has(name))
      yield diagnoseValue(appendSegment(buildRulePointer(index), 'name'), { kind: 'duplicate-rule', name })
    seen.add(name)
  }
}

function* findMistakes(rule: Rule, pointer: JsonPointer): Generator<Diagnostic> {
  for (const part of ['when', 'require'] as const)
    for (const [text, check] of Object.entries(rule[part] ?? {})) {
      const place = appendSegment(appendSegment(pointer, part), text)
      const parsed = parsePath(text)
      if (!parsed.ok) {
        yield diagnose('policy/path', place, parsed.error)
        continue
      }
      const operands = Object.entries(typeof check === 'object' ? check : { is: check })
      for (const [name, operand] of operands) {
        const found = findOperandMistake(name as OperatorName, operand as never, parsed.value.spots)
        if (found === undefined) continue
        const { suggestion } = found
        const problem = { kind: 'operand', path: text, problem: found.problem } as const
        const where = name === 'is' ? place : appendSegment(place, name)
        yield diagnose('policy/value', where, { problem, suggestion })
      }
    }
  for (const [index, test] of (rule.tests ?? []).entries()) {
    const manifest = ['tests', index, 'manifest'].reduce<JsonPointer>(appendSegment, pointer)
    yield* findUnknownFields(test.manifest as JsonValue, manifest, splitPointer(manifest).length)
  }
}

function diagnoseValue(pointer: JsonPointer, problem: PolicyValueProblem): Diagnostic {
  return diagnose('policy/value', pointer, { problem, suggestion: undefined })
}

/** Finds the tests of a rule whose result is not the expected one. */
function* findTestProblems(
  rule: PolicyRule,
  tests: readonly PolicyTest[],
  pointer: JsonPointer,
): Generator<Diagnostic> {
  for (const [index, { manifest, expect }] of tests.entries()) {
    const actual = evaluateRule(rule, manifest)
    if (actual === expect) continue
    const [violation] = actual === 'violation' ? findViolations(rule, manifest) : []
    const facts = { rule: rule.name, expected: expect, actual, unmet: violation?.unmet }
    yield diagnose('policy/test', appendSegment(appendSegment(pointer, index), 'expect'), facts)
  }
}

/**
 * Finds fields in the manifest of a test that no manifest has: the test would check nothing. `above` is the number of
 * segments in the pointer to that manifest.
 */
function* findUnknownFields(value: JsonValue, pointer: JsonPointer, above: number): Generator<Diagnostic> {
  if (typeof value !== 'object' || value === null) return
  const path = splitPointer(pointer).slice(above)
  const owner = findFieldSchema(path.reduce<JsonPointer>(appendSegment, ''))
  if (isFree(owner)) return
  const allowed = Object.keys(owner.properties ?? {})
  for (const [name, member] of Object.entries(value)) {
    const isMember = isObject(value)
      ? allowed.includes(name) || typeof owner.additionalProperties === 'object'
      : owner.items !== undefined
    const at = appendSegment(pointer, name)
    if (isMember) yield* findUnknownFields(member, at, above)
    else {
      const near = isObject(value) ? findSimilar(name, allowed) : undefined
      const spelt = (last: string) => formatIndices([...path, last].join('.'))
      const suggestion = near && spelt(near)
      yield diagnose('policy/path', at, { path: spelt(name), suggestion, allowed: allowed.map(spelt) })
    }
  }
}

type ParsedPath = Result<PolicyPath, UnknownPath>

interface UnknownPath {
  /** The path up to and including the first name that no manifest has. */
  readonly path: string
  readonly suggestion: string | undefined
  readonly allowed: readonly string[]
}

/**
 * Parses a path such as `spec.volumes.*.size` and finds it in the schema of manifests. The rest of a path after `labels`
 * is one key, with its dots.
 */
function parsePath(text: string): ParsedPath {
  const words = text.split('.')
  if (text.length > longestText || words.length > yamlLimits.depth)
    return { ok: false, error: { path: `${text.slice(0, 60)}…`, suggestion: undefined, allowed: [] } }
  let spots: readonly JsonPointer[] = ['']
  for (const [index, word] of words.entries()) {
    const owners = spots.map(findFieldSchema)
    if (word !== '' && owners.some(isFree)) return { ok: true, value: { steps: words, spots: [] } }
    if (word !== '' && owners.every(isLabels)) {
      const steps = [...words.slice(0, index), words.slice(index).join('.')]
      return { ok: true, value: { steps, spots: spots.map(spot => appendSegment(spot, word)) } }
    }
    const next = spots.flatMap(spot => findMembers(spot, word))
    if (next.length === 0) return rejectPath(words, index, owners)
    spots = next
  }
  return { ok: true, value: { steps: words, spots } }
}

/** True if a field may have members of any name and kind. */
function isFree({ additionalProperties }: JsonSchema): boolean {
  return additionalProperties === true
}

function isLabels({ additionalProperties }: JsonSchema): boolean {
  return typeof additionalProperties === 'object' && additionalProperties.type === 'string'
}

function findMembers(owner: JsonPointer, word: string): readonly JsonPointer[] {
  const { properties = {}, items } = findFieldSchema(owner)
  if (word === '*' && items !== undefined) return [appendSegment(owner, 0)]
  if (word === '*') {
    // `*` is for members with the same fields only: volumes, and the kinds of affinity.
    const members = Object.keys(properties).map(name => appendSegment(owner, name))
    const [fields = '', ...others] = new Set(
      members.map(member => Object.keys(findFieldSchema(member).properties ?? {}).join()),
    )
    return fields !== '' && others.length === 0 ? members : []
  }
  return Object.hasOwn(properties, word) ? [appendSegment(owner, word)] : []
}

function rejectPath(words: readonly string[], index: number, owners: readonly JsonSchema[]): ParsedPath {
  const [word = '', ...rest] = words.slice(index)
  const before = words.slice(0, index)
  const spelt = (...names: readonly string[]) => [...before, ...names].join('.')
  const isList = owners.some(({ items, properties }) => items !== undefined && properties === undefined)
  const allowed = isList
    ? ['*']
    : [...new Set(owners.flatMap(({ properties = {} }) => Object.keys(properties)))]
  const inSpec = index === 0 && Object.hasOwn(findFieldSchema('/spec').properties ?? {}, word)
  const near = isList ? '*' : findSimilar(word, allowed)
  const after = isList && !/^\d*$/.test(word) ? [word, ...rest] : rest
  const candidate = inSpec ? `spec.${words.join('.')}` : near && spelt(near, ...after)
  const again = candidate === undefined ? undefined : parsePath(candidate)
  return {
    ok: false,
    error: {
      path: spelt(word),
      // Later names may be misspelt as well.
      suggestion: again?.ok === false ? (again.error.suggestion ?? (near && spelt(near))) : candidate,
      allowed: allowed.map(name => spelt(name)),
    },
  }
}
