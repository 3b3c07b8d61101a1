import { catalog } from '../diagnostics/catalog.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { child, type JsonPointer, nameOf, parentOf } from '../diagnostics/pointer.js'
import { quoted } from '../diagnostics/words.js'
import type { SchemaError } from '../schema/check.js'
import { schemaAt } from '../schema/field-schema.js'
import type { JsonSchema, JsonValue } from '../schema/json-schema.js'
import { didYouMean } from './did-you-mean.js'
import type { Source } from './source.js'
import { parseYaml, type YamlDocument } from './yaml-document.js'

/** A kind of file beside manifests, with the codes `AREA/field` and `AREA/value`. */
export interface SmallFile {
  readonly area: 'scenario' | 'policy' | 'test'
  /** A field that says what the file is about. */
  readonly example: string
  schema(): JsonSchema
  check(value: JsonValue): readonly SchemaError[]
}

/** A file that fits its schema, or everything that is wrong with it. */
export type SmallFileReply =
  | { readonly ok: true; readonly document: YamlDocument }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** Reads a file of that kind: YAML, then its schema. Every mistake comes back at once, with its place. */
export function readSmallFile(source: Source, file: SmallFile): SmallFileReply {
  const { document, diagnostics } = parseYaml(source)
  if (document === undefined || diagnostics.length > 0) return { ok: false, diagnostics }
  const errors = file.check(document.value)
  const misfits = errors.filter(error => !isMisspelt(error, errors, file)).map(error => misfit(error, file))
  return misfits.length > 0 ? { ok: false, diagnostics: inPlace(document, misfits) } : { ok: true, document }
}

/** Diagnostics where they belong in a file, in the order of its lines. */
export function inPlace(document: YamlDocument, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics
    .map(one => ({ ...one, place: document.place(one.pointer, catalog[one.code].marks) }))
    .toSorted(({ place: { start: a } }, { place: { start: b } }) => a.line - b.line || a.column - b.column)
}

/** True where a field is missing because a stranger beside it is that field: it is said once. */
function isMisspelt(error: SchemaError, errors: readonly SchemaError[], { schema }: SmallFile): boolean {
  if (error.keyword !== 'required') return false
  const allowed = Object.keys(schemaAt(schema(), error.instancePath as JsonPointer).properties ?? {})
  return errors.some(
    ({ keyword, instancePath, params }) =>
      keyword === 'additionalProperties' &&
      instancePath === error.instancePath &&
      didYouMean(String(params['additionalProperty']), allowed) === error.params['missingProperty'],
  )
}

function misfit(error: SchemaError, { area, example, schema }: SmallFile): Diagnostic {
  const pointer = error.instancePath as JsonPointer
  const [root, own] = [schema(), schemaAt(schema(), pointer)]
  if (error.keyword === 'additionalProperties') {
    const field = String(error.params['additionalProperty'])
    const allowed = Object.keys(own.properties ?? {})
    const facts = { field, suggestion: didYouMean(field, allowed), allowed }
    return diagnose(`${area}/field`, child(pointer, field), facts)
  }
  const problem =
    pointer === '' && error.keyword === 'type'
      ? `a ${area} is a map with fields such as ${quoted(example)}`
      : `${spoken(root, pointer, area)} ${problemOf(error, own)}`
  return diagnose(`${area}/value`, pointer, { problem, suggestion: undefined })
}

/** The name of a field; of an element, that of its list. */
function spoken(root: JsonSchema, pointer: JsonPointer, area: string): string {
  if (pointer === '') return `a ${area}`
  const list = parentOf(pointer)
  return schemaAt(root, list).items === undefined
    ? quoted(nameOf(pointer))
    : `an element of ${quoted(nameOf(list))}`
}

function problemOf({ keyword, params }: SchemaError, schema: JsonSchema): string {
  switch (keyword) {
    case 'type': {
      const types = [params['type']].flat().map(String)
      return types.length === 1
        ? `is ${typeWords[types[0] ?? '']}`
        : `is ${types.map(type => (type === 'string' ? 'text' : typeWords[type])).join(', or ')}`
    }
    case 'required':
      return `lacks ${quoted(String(params['missingProperty']))}`
    case 'enum':
    case 'const':
      return `is ${(schema.enum ?? [schema.const ?? null]).map(one => quoted(String(one))).join(' or ')}`
    case 'minimum':
    case 'maximum':
      return `is a number from ${schema.minimum ?? 0} to ${schema.maximum}`
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return 'is not empty'
    case 'maxItems':
      return `has at most ${schema.maxItems} elements`
    case 'maxLength':
      return `has at most ${schema.maxLength} characters`
    default:
      return `has a form such as ${(schema.examples ?? []).map(String).join(' or ')}`
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text, in quotes where YAML would make a number of it',
  array: 'a list',
  object: 'a map',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
}
