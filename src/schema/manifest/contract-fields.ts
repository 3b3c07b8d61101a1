import type { FieldShape, LimitedText } from '../../contract/field-row.js'
import { type Field, type FieldPointer, fieldAt, fields } from '../../contract/fields.js'
import { limits } from '../../contract/limits.js'
import { newestVersion, type ServiceVersion } from '../../contract/versions.js'
import { nameOf, parentOf } from '../../diagnostics/pointer.js'
import { anyMap, anyText, choiceOf, field, listOf, longestSentText, reference } from '../fields.js'
import { type JsonSchema, type Snippet, saidByRule } from '../json-schema.js'
import { providerSnippets } from './cloud-snippets.js'
import { filePath, secretReference } from './references.js'
import { dataStoreSnippet } from './snippets.js'

type NameBelow<Owner extends string, Pointer = FieldPointer> = Pointer extends `${Owner}/${infer Name}`
  ? Name extends `${string}/${string}`
    ? never
    : Name
  : never

/** Builds the schemas of the fields directly in a map of the manifest. Service §4.3, §4.4. */
export function fieldsBelow<const Owner extends `/spec${string}`>(
  owner: Owner,
  version: ServiceVersion = newestVersion,
) {
  return Object.fromEntries(
    fieldsIn(owner).map(field => [nameOf(field.pointer), schemaOf(field, version)]),
  ) as {
    readonly [N in NameBelow<Owner>]: JsonSchema
  }
}

/** Builds the schema of a field that is one request parameter, from its row. */
export function parameterField(pointer: FieldPointer, schema: JsonSchema): JsonSchema {
  const { operation, parameter, ...row } = fieldAt(pointer)
  const { name, section, since } = parameter
  return field(
    row.meaning,
    row.source === 'reported'
      ? row.origin
      : `Service §${section}, parameter \`${name}\` of \`${operation}\`, since ${since}`,
    schema,
  )
}

/** Lists the names of the required fields. Service §4.3. */
export function requiredBelow(owner: `/spec${string}`): readonly string[] {
  return fieldsIn(owner)
    .filter(({ required }) => required === 'yes')
    .map(({ pointer }) => nameOf(pointer))
}

/** Lists the fields of a map, those with their own definition last. */
function fieldsIn(owner: string): readonly Field[] {
  const below = fields.filter(({ pointer }) => parentOf(pointer) === owner)
  const isPlain = ({ shape }: Field) => shape.kind !== 'defined'
  return [...below.filter(isPlain), ...below.filter(field => !isPlain(field))]
}

function schemaOf({ shape, pointer }: Field, version: ServiceVersion): JsonSchema {
  // Wrapped, because a description beside a reference would be ignored.
  if (shape.kind === 'defined') return reference(shape.definition)
  return parameterField(pointer as FieldPointer, shapeSchema(shape, version))
}

function shapeSchema(
  shape: Exclude<FieldShape, { readonly kind: 'defined' }>,
  version: ServiceVersion,
): JsonSchema {
  switch (shape.kind) {
    case 'text': {
      const { limit, example, examples = [example] } = shape
      return limit === undefined
        ? { ...anyText, examples }
        : { type: 'string', maxLength: longestSentText, examples, allOf: rules[limit] }
    }
    case 'choice':
      return { 'x-open': 'text', ...choiceOf(shape.options), default: shape.default }
    case 'secret':
      return secretReference
    case 'file':
      return { ...filePath, examples: [shape.example] }
    case 'map':
      return anyMap
    case 'texts':
      return {
        type: ['string', 'array'],
        'x-compare': 'set',
        minLength: 1,
        items: anyText,
        examples: shape.examples,
      }
    case 'list':
      return { 'x-merge-by': shape.mergeBy, ...listOf(shape.of, snippets[shape.of](version)) }
    default:
      return shape satisfies never
  }
}

/** The limits, worded like the rules of the manifest. */
const rules: Readonly<Record<LimitedText, readonly JsonSchema[]>> = {
  username: [
    saidByRule('administrator/username', { minLength: limits.usernameCharacters }),
    saidByRule('administrator/username-space', { pattern: '^\\S*$' }),
  ],
  email: [saidByRule('administrator/email', { format: 'email' })],
}

const snippets: Readonly<
  Record<'CloudProvider' | 'DataStore', (version: ServiceVersion) => readonly Snippet[]>
> = {
  CloudProvider: providerSnippets,
  DataStore: () => [dataStoreSnippet],
}
