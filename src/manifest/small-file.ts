import { catalog, type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { findSimilar } from '../diagnostics/did-you-mean.js'
import { quote } from '../diagnostics/words.js'
import type { Result } from '../result.js'
import type { SchemaError } from '../schema/check.js'
import { findSchema } from '../schema/field-schema.js'
import type { JsonSchema, JsonValue } from '../schema/json-schema.js'
import { appendSegment, type JsonPointer, readLastSegment, readParent } from '../schema/pointer.js'
import { readValue } from '../schema/select.js'
import type { Source } from './source.js'
import { parseYaml, type YamlDocument } from './yaml-document.js'

/** A kind of file other than a manifest, with the codes `AREA/field` and `AREA/value`. */
interface SmallFile {
  readonly area: 'scenario' | 'policy' | 'test'
  /** A typical field of such a file. */
  readonly example: string
  schema(): JsonSchema
  check(value: JsonValue): readonly SchemaError[]
}

/** Reads a file of that kind: parses YAML and checks it against the schema. Returns every mistake at once, with its place. */
export function readSmallFile(source: Source, file: SmallFile): Result<YamlDocument, readonly Diagnostic[]> {
  const { document, diagnostics: said } = parseYaml(source)
  if (document === undefined || said.length > 0)
    return { ok: false, error: said.map(one => (one.code === 'yaml/empty' ? diagnoseEmpty(one, file) : one)) }
  const errors = file.check(document.value)
  const misfits = errors
    .filter(error => !isRepeated(error, errors, file))
    .map(error => diagnoseMisfit(error, document, file))
  return misfits.length > 0
    ? { ok: false, error: placeDiagnostics(document, misfits) }
    : { ok: true, value: document }
}

/** Adds places to diagnostics, and sorts them by line. */
export function placeDiagnostics(
  document: YamlDocument,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  return diagnostics
    .map(one => ({ ...one, place: document.place(one.pointer, catalog[one.code].marks) }))
    .toSorted(({ place: { start: a } }, { place: { start: b } }) => a.line - b.line || a.column - b.column)
}

/** True if another error reports the same mistake: a condition that failed, or the wrong spelling of a missing field. */
function isRepeated(error: SchemaError, errors: readonly SchemaError[], { schema }: SmallFile): boolean {
  if (error.keyword === 'if') return true
  if (error.keyword !== 'required') return false
  const allowed = Object.keys(findSchema(schema(), error.instancePath as JsonPointer).properties ?? {})
  return errors.some(
    ({ keyword, instancePath, params }) =>
      keyword === 'additionalProperties' &&
      instancePath === error.instancePath &&
      findSimilar(String(params['additionalProperty']), allowed) === error.params['missingProperty'],
  )
}

/** Replaces the diagnostic of an empty manifest, which would name the wrong kind of file. */
function diagnoseEmpty({ place }: Diagnostic, file: SmallFile): Diagnostic {
  const problem = `the file is empty; ${describeNoMap(file)}`
  return {
    ...diagnose(`${file.area}/value`, '', { problem, suggestion: undefined }),
    ...(place && { place }),
  }
}

function describeNoMap({ area, example }: SmallFile): string {
  return `${nouns[area]} must be a map with fields such as ${quote(example)}`
}

const nouns = { scenario: 'a scenario', policy: 'a policy', test: 'a test file' } as const

function diagnoseMisfit(error: SchemaError, document: YamlDocument, file: SmallFile): Diagnostic {
  const { area, schema } = file
  const pointer = error.instancePath as JsonPointer
  const [root, own] = [schema(), findSchema(schema(), pointer)]
  if (error.keyword === 'additionalProperties') {
    const field = String(error.params['additionalProperty'])
    const allowed = Object.keys(own.properties ?? {})
    const facts = { field, suggestion: findSimilar(field, allowed), allowed }
    return diagnose(`${area}/field`, appendSegment(pointer, field), facts)
  }
  const problem =
    pointer === '' && error.keyword === 'type'
      ? describeNoMap(file)
      : `${formatSubject(root, pointer, file)} ${describeProblem(error, own)}`
  const choices = error.keyword === 'enum' ? (own.enum ?? []).map(String) : []
  const written = readValue(document.value, pointer)
  const suggestion = typeof written === 'object' ? undefined : findSimilar(`${written}`, choices)
  return diagnose(`${area}/value`, pointer, { problem, suggestion })
}

/** Formats the name of a field; for an element, the name of its list. */
function formatSubject(root: JsonSchema, pointer: JsonPointer, { area }: SmallFile): string {
  if (pointer === '') return nouns[area]
  const list = readParent(pointer)
  return findSchema(root, list).items === undefined
    ? quote(readLastSegment(pointer))
    : `an element of ${quote(readLastSegment(list))}`
}

function describeProblem({ keyword, params }: SchemaError, schema: JsonSchema): string {
  switch (keyword) {
    case 'type': {
      const types = [params['type']].flat().map(String)
      return types.length === 1
        ? `must be ${typeWords[types[0] ?? '']}`
        : `must be ${types.map(type => (type === 'string' ? 'text' : typeWords[type])).join(', or ')}`
    }
    case 'required':
      return `is missing ${quote(String(params['missingProperty']))}`
    case 'enum':
    case 'const':
      return `must be ${(schema.enum ?? [schema.const ?? null]).map(one => quote(String(one))).join(' or ')}`
    case 'minimum':
    case 'maximum':
      return `must be a number from ${schema.minimum ?? 0} to ${schema.maximum}`
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return 'must not be empty'
    case 'maxItems':
      return `must have at most ${schema.maxItems} elements`
    case 'maxLength':
      return `must have at most ${schema.maxLength} characters`
    default:
      return `must have a valid form, such as ${(schema.examples ?? []).map(String).join(' or ')}`
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text (quote text that YAML would read as a number)',
  array: 'a list',
  object: 'a map',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
}
