import { emailForm, type FieldShape, type LimitedText, limits } from '../../contract/field-row.js'
import { type Field, type FieldPointer, fields, findField } from '../../contract/fields.js'
import { newestVersion, type ServiceVersion } from '../../contract/versions.js'
import {
  anyMap,
  anyText,
  buildChoice,
  buildList,
  buildReference,
  describeField,
  filePath,
  secretReference,
  sentText,
} from '../fields.js'
import { type JsonSchema, markAsRule, type Snippet } from '../json-schema.js'
import { readLastSegment, readParent } from '../pointer.js'
import { buildProviderSnippets, dataStoreSnippet } from './snippets.js'

type NameBelow<Owner extends string, Pointer = FieldPointer> = Pointer extends `${Owner}/${infer Name}`
  ? Name extends `${string}/${string}`
    ? never
    : Name
  : never

/** Builds the schemas of the fields directly in a map of the manifest. Service §4.3, §4.4. */
export function buildFieldsBelow<const Owner extends `/spec${string}`>(
  owner: Owner,
  version: ServiceVersion = newestVersion,
) {
  return Object.fromEntries(
    listFieldsIn(owner).map(field => [readLastSegment(field.pointer), buildFieldSchema(field, version)]),
  ) as {
    readonly [N in NameBelow<Owner>]: JsonSchema
  }
}

/** Builds the schema of a field that is one request parameter, from its row. */
export function buildParameterField(pointer: FieldPointer, schema: JsonSchema): JsonSchema {
  const { operation, parameter, ...row } = findField(pointer)
  const { name, section, since } = parameter
  return row.source === 'reported'
    ? describeField(row.meaning, row.origin, schema)
    : describeField(
        row.meaning,
        `Service §${section}`,
        schema,
        `\`${name}\` of \`${operation}\`, since ${since}`,
      )
}

/** Lists the names of the required fields. Service §4.3. */
export function listRequiredBelow(owner: `/spec${string}`): readonly string[] {
  return listFieldsIn(owner)
    .filter(({ required }) => required === 'yes')
    .map(({ pointer }) => readLastSegment(pointer))
}

/** Lists the fields of a map, those with their own definition last. */
function listFieldsIn(owner: string): readonly Field[] {
  const below = fields.filter(({ pointer }) => readParent(pointer) === owner)
  const isPlain = ({ shape }: Field) => shape.kind !== 'defined'
  return [...below.filter(isPlain), ...below.filter(field => !isPlain(field))]
}

function buildFieldSchema({ shape, pointer, required, sent }: Field, version: ServiceVersion): JsonSchema {
  // Wrapped, because a description beside a reference would be ignored.
  if (shape.kind === 'defined') return buildReference(shape.definition)
  // An optional text may be empty: in the document it is a plain string, and it is sent as it is.
  const plainText = required === 'no' && sent === 'text' ? sentText : anyText
  return buildParameterField(pointer as FieldPointer, buildShapeSchema(shape, plainText, version))
}

function buildShapeSchema(
  shape: Exclude<FieldShape, { readonly kind: 'defined' }>,
  plainText: JsonSchema,
  version: ServiceVersion,
): JsonSchema {
  switch (shape.kind) {
    case 'text': {
      const { limit, example, examples = [example] } = shape
      return limit === undefined ? { ...plainText, examples } : { ...sentText, examples, allOf: rules[limit] }
    }
    case 'choice':
      return { 'x-open': 'text', ...buildChoice(shape.options), default: shape.default }
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
      return { 'x-merge-by': shape.mergeBy, ...buildList(shape.of, snippets[shape.of](version)) }
    default:
      return shape satisfies never
  }
}

/** The limits, worded like the rules of the manifest. */
const rules: Readonly<Record<LimitedText, readonly JsonSchema[]>> = {
  username: [
    markAsRule('administrator/username', { minLength: limits.usernameCharacters }),
    markAsRule('administrator/username-space', { pattern: '^\\S*$' }),
  ],
  // No format: validators differ, and reject addresses such as admin@localhost.
  email: [
    markAsRule('administrator/email', {
      pattern: emailForm.source,
      patternErrorMessage: 'be one address, such as admin@example.org',
    }),
  ],
}

const snippets: Readonly<
  Record<'CloudProvider' | 'DataStore', (version: ServiceVersion) => readonly Snippet[]>
> = {
  CloudProvider: buildProviderSnippets,
  DataStore: () => [dataStoreSnippet],
}
