import { hasForm, labelKeyForm } from '../contract/kubernetes.js'
import { findRelease, isDocumented, type ServiceVersion } from '../contract/versions.js'
import type { Rewriting } from '../diagnostics/catalog/manifest-help.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { findCertainMatch, findSimilar, hasOtherShape } from '../diagnostics/did-you-mean.js'
import { formatShortList } from '../diagnostics/words.js'
import { checkManifest, type SchemaError } from '../schema/check.js'
import { findFieldSchema, findMemberSchema } from '../schema/field-schema.js'
import { longestText } from '../schema/fields.js'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../schema/json-schema.js'
import {
  appendSegment,
  type JsonPointer,
  readLastSegment,
  readParent,
  splitPointer,
} from '../schema/pointer.js'
import { formatFieldName } from './field-path.js'
import { formatShape } from './field-shape.js'
import { diagnoseLiteralSecret, diagnoseVariable, isConfidential, isVariable } from './secret-diagnostics.js'
import { diagnoseUnknownFields } from './unknown-fields.js'

/**
 * Turns the schema errors of a value into diagnostics, one for each mistake. For a version after the service document, an
 * unreported name or value is only a warning, because the reports may be behind the service.
 */
export function diagnoseSchemaErrors(
  value: JsonValue,
  written: (pointer: JsonPointer) => string | undefined,
  version?: ServiceVersion,
): readonly Diagnostic[] {
  const isOpen = version !== undefined && !isDocumented(version)
  if (isForeign(value)) return [diagnose('manifest/foreign-file', '', {})]
  const errors = checkManifest(value)
  const unknown = groupNamesByOwner(errors, { keyword: 'additionalProperties', param: 'additionalProperty' })
  const missing = groupNamesByOwner(errors, { keyword: 'required', param: 'missingProperty' })
  const diagnostics: Diagnostic[] = []
  // Maps that are empty only because their content is not indented.
  const emptied = new Set<JsonPointer>()
  for (const [owner, fields] of unknown) {
    // A literal in place of `env` or `file` may be the secret itself, so it is not repeated.
    if (isConfidential(owner)) {
      const problem = 'has fields other than `env` and `file`'
      diagnostics.push(diagnose('secret/reference', owner, { field: readLastSegment(owner), problem }))
      continue
    }
    const map = readValueAt(value, owner) as JsonObject
    if (isOpen && findFieldSchema(owner)['x-open'] === 'text') {
      const known = Object.keys(findFieldSchema(owner).properties ?? {})
      for (const field of fields)
        diagnostics.push(diagnoseUnreportedField(appendSegment(owner, field), map[field] ?? null, known))
      continue
    }
    const allowed = Object.keys(findFieldSchema(owner).properties ?? {})
    const found = diagnoseUnknownFields({ owner, map, fields: [...fields], allowed, version })
    const isKnown = found.some(({ known, parameterPath }) => known !== undefined && parameterPath !== owner)
    if (!isKnown && hasOtherShape(map, allowed)) {
      missing.delete(owner)
      diagnostics.push(diagnoseOtherShape(owner, allowed))
      continue
    }
    for (const { diagnostic, suggestion, parameterPath, known } of found) {
      // A misspelled or misplaced field is also a missing one: report it once.
      if (suggestion !== undefined) missing.get(owner)?.delete(suggestion)
      if (parameterPath !== undefined)
        missing.get(readParent(parameterPath))?.delete(readLastSegment(parameterPath))
      // An undocumented name in place of a documented field, which is then not reported as missing.
      if (known?.kind === 'undocumented') missing.delete(owner)
      if (known?.kind === 'inside' && known.isEmpty) emptied.add(appendSegment(owner, known.member))
      diagnostics.push(diagnostic)
    }
  }
  for (const [owner, names] of missing) {
    if (names.size === 0) continue
    const facts = { owner: formatFieldName(owner), missing: [...names] }
    diagnostics.push(diagnose('manifest/missing-field', owner, facts))
  }
  for (const error of errors) {
    const at = error.instancePath as JsonPointer
    if (emptied.has(at)) continue
    const found = readValueAt(value, at)
    if (
      isOpen &&
      error.keyword === 'enum' &&
      findFieldSchema(at)['x-open'] !== undefined &&
      typeof found === 'string' &&
      found !== ''
    ) {
      const allowed = (findFieldSchema(at).enum ?? []).map(String)
      const facts = { field: readLastSegment(at), found, suggestion: findSimilar(found, allowed), allowed }
      diagnostics.push(diagnose('version/value-unknown', at, facts))
      continue
    }
    const diagnostic = diagnoseValue(error, found, written)
    if (diagnostic !== undefined) diagnostics.push(diagnostic)
  }
  return diagnostics
}

/** Diagnoses a map with none of its fields. */
function diagnoseOtherShape(pointer: JsonPointer, allowed: readonly string[]): Diagnostic {
  return diagnose('manifest/wrong-type', pointer, {
    field: formatFieldName(pointer),
    expected: `a map with ${formatShortList(allowed)}`,
    found: 'a map with other keys',
    rewriting: { kind: 'shape', yaml: formatShape(findFieldSchema(pointer)) },
  })
}

/** Diagnoses an unreported field of a connection, which must be text. */
function diagnoseUnreportedField(
  pointer: JsonPointer,
  value: JsonValue,
  allowed: readonly string[],
): Diagnostic {
  const field = readLastSegment(pointer)
  return typeof value === 'string' && value !== ''
    ? diagnose('version/field-unknown', pointer, { field, suggestion: findSimilar(field, allowed), allowed })
    : diagnose('manifest/malformed-value', pointer, { field, rule: 'be text' })
}

/** True for a map in which no key resembles a field of a manifest or of its `spec`. */
function isForeign(value: JsonValue): boolean {
  if (!isObject(value) || Object.keys(value).length === 0) return false
  const fields = (['', '/spec'] as const).flatMap(owner =>
    Object.keys(findFieldSchema(owner).properties ?? {}),
  )
  return Object.keys(value).every(name => findSimilar(name, fields) === undefined)
}

/** Collects the fields named by errors of one kind, by the map that has or lacks them. */
function groupNamesByOwner(
  errors: readonly SchemaError[],
  { keyword, param }: { readonly keyword: string; readonly param: string },
): Map<JsonPointer, Set<string>> {
  const owners = new Map<JsonPointer, Set<string>>()
  for (const error of errors.filter(candidate => candidate.keyword === keyword)) {
    const owner = error.instancePath as JsonPointer
    const names = owners.get(owner) ?? new Set()
    names.add(String(error.params[param]))
    owners.set(owner, names)
  }
  return owners
}

/** Diagnoses an error about one value; `undefined` for errors about the fields of a map, which are handled together. */
function diagnoseValue(
  error: SchemaError,
  value: JsonValue,
  written: (pointer: JsonPointer) => string | undefined,
): Diagnostic | undefined {
  const pointer = error.instancePath as JsonPointer
  const schema = findFieldSchema(pointer)
  const field = formatFieldName(pointer)
  const malformed = (rule: string, help?: string, meant?: string) =>
    diagnose('manifest/malformed-value', pointer, { field, rule, help, meant })
  switch (error.keyword) {
    case 'additionalProperties':
    case 'required':
    case 'if':
      return undefined
    case 'type':
      // A key such as `tier=storage` contains its value: the rule about keys reports it.
      if (
        value === null &&
        readLastSegment(readParent(pointer)) === 'labels' &&
        !hasForm(readLastSegment(pointer), labelKeyForm)
      )
        return undefined
      return schema['x-reference'] === 'secret'
        ? diagnoseLiteralSecret(pointer, value)
        : diagnoseWrongType(error, pointer, {
            value,
            text: isConfidential(pointer) ? undefined : written(pointer),
          })
    case 'enum':
    case 'const':
      // The value of an alias may be a secret, so it is not repeated.
      return diagnoseNotAllowed(pointer, written(pointer) === undefined ? 'this alias' : value, [
        ...(schema.enum ?? []),
        ...(schema.const === undefined ? [] : [schema.const]),
      ])
    case 'minProperties':
    case 'maxProperties':
      return diagnose('secret/reference', pointer, {
        field,
        problem: 'must have exactly one of `env` and `file`',
      })
    case 'pattern':
      return isVariable(pointer)
        ? diagnoseVariable(pointer, value)
        : malformed(
            schema.patternErrorMessage ?? 'have a valid form',
            suggestSpelling(value, schema),
            findMeantVersion(pointer, value),
          )
    case 'minLength':
      return malformed('not be empty')
    case 'maxLength':
      return malformed(
        `have at most ${schema.maxLength} characters${isLandformLimit(schema) ? ' (a limit of Landform)' : ''}`,
      )
    case 'minimum':
    case 'maximum':
      return malformed(
        `be a number from ${schema.minimum} to ${schema.maximum}`,
        pointer.endsWith('/securityQuestion/index')
          ? 'list the questions: `landform explain spec.administrator.securityQuestion.question`'
          : undefined,
      )
    case 'minItems':
      return malformed('not be empty')
    default:
      return malformed('have a valid form')
  }
}

/** Returns the release of a build number, such as `12.1` for `12.1.0.8325`. */
function findMeantVersion(pointer: JsonPointer, value: JsonValue): string | undefined {
  if (pointer !== '/spec/site/version' || typeof value !== 'string') return undefined
  return /^v?\d+(?:\.\d+)+(?:[-+]\d+)?$/.test(value) ? findRelease(value.replace(/^v/, '')) : undefined
}

function diagnoseWrongType(
  error: SchemaError,
  pointer: JsonPointer,
  { value, text }: { readonly value: JsonValue; readonly text: string | undefined },
): Diagnostic {
  const types = [error.params['type']].flat().map(String)
  const scalar = typeof value === 'number' || typeof value === 'boolean'
  const schema = findFieldSchema(pointer)
  const isNested = types.includes('object') || types.includes('array')
  const shape = isNested ? suggestShape(schema, value) : undefined
  const quotable = types.includes('string') && scalar && text !== undefined
  return diagnose('manifest/wrong-type', pointer, {
    field: formatFieldName(pointer),
    expected: types.map(type => typeWords[type] ?? type).join(' or '),
    found: text === undefined && typeof value === 'number' ? 'a number' : describeFound(value),
    rewriting: quotable ? suggestText(text, schema) : (shape ?? suggestNumber(value, types)),
  })
}

/** Suggests a list with the written map if that has fields of its elements, and otherwise an example. */
function suggestShape(schema: JsonSchema, value: JsonValue): Rewriting {
  const fields = schema.items === undefined ? {} : (findMemberSchema(schema, 0).properties ?? {})
  const isElement = isObject(value) && Object.keys(value).some(name => Object.hasOwn(fields, name))
  return isElement ? { kind: 'list' } : { kind: 'shape', yaml: formatShape(schema) }
}

function diagnoseNotAllowed(
  pointer: JsonPointer,
  value: JsonValue,
  options: readonly JsonValue[],
): Diagnostic {
  const allowed = options.map(String)
  const written = typeof value === 'object' ? describeFound(value) : String(value)
  return diagnose('manifest/value-not-allowed', pointer, {
    field: formatFieldName(pointer),
    found: written,
    suggestion: findSimilar(written, allowed),
    certain: typeof value === 'string' && findCertainMatch(value, allowed) !== undefined,
    allowed,
  })
}

/** Suggests the written text in quotes if that is valid; otherwise with a unit; otherwise a valid example. */
function suggestText(text: string, schema: JsonSchema): Rewriting | undefined {
  const parts = [schema, ...(schema.allOf ?? [])]
  const fits = (candidate: string) =>
    parts.every(
      ({ pattern = '', not }) =>
        new RegExp(pattern).test(candidate) &&
        (not?.pattern === undefined || !new RegExp(not.pattern).test(candidate)),
    )
  if (fits(text)) return { kind: 'quotes', text }
  const [example] = schema.examples ?? []
  if (example === undefined) return undefined
  const [, unit] = /^[0-9]+([A-Za-z]+)$/.exec(String(example)) ?? []
  return unit !== undefined && fits(text + unit)
    ? { kind: 'unit', text: text + unit }
    : { kind: 'example', text: String(example) }
}

/** Suggests a number that is written as text, such as `"13"`. */
function suggestNumber(value: JsonValue, types: readonly string[]): Rewriting | undefined {
  const isNumber = types.includes('integer') && typeof value === 'string' && /^\d{1,9}$/.test(value)
  return isNumber ? { kind: 'number', text: value } : undefined
}

/** Suggests the text in lower case, with a hyphen for each run of other characters, if that is valid. */
function suggestSpelling(value: JsonValue, { pattern = '' }: JsonSchema): string | undefined {
  if (typeof value !== 'string') return undefined
  const spelled = value
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
  return new RegExp(pattern).test(spelled) ? `write \`${spelled}\`` : undefined
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
  object: 'a map',
  array: 'a list',
}

function describeFound(value: JsonValue): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'a map'
  return typeof value === 'string' ? 'text' : `the ${typeof value} ${value}`
}

function readValueAt(root: JsonValue, pointer: JsonPointer): JsonValue {
  return splitPointer(pointer).reduce<JsonValue>((value, segment) => {
    if (Array.isArray(value)) return (value as readonly JsonValue[])[Number(segment)] ?? null
    return isObject(value) ? (value[segment] ?? null) : null
  }, root)
}

/** True for a limit set by Landform. Shorter limits belong to an external format, such as a Kubernetes name. */
function isLandformLimit({ maxLength = 0 }: JsonSchema): boolean {
  return maxLength >= longestText
}
