import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { appendSegment, formatIndices, type JsonPointer, splitPointer } from '../diagnostics/pointer.js'
import { findSimilar } from '../manifest/did-you-mean.js'
import { findFieldSchema } from '../schema/field-schema.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { evaluateRule, findViolations } from './judge.js'
import { isFree } from './parse-path.js'
import type { PolicyRule, PolicyTest } from './policy.js'

/** Finds the tests of a rule whose result is not the expected one. */
export function* findTestProblems(
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
 * Finds fields in the manifest of a test that no manifest has, so that the test would test nothing. `above` is the number
 * of segments in the pointer to that manifest.
 */
export function* findUnknownFields(
  value: JsonValue,
  pointer: JsonPointer,
  above: number,
): Generator<Diagnostic> {
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
