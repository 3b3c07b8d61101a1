import fc from 'fast-check'
import {
  type CredentialTypeName,
  connectionFields,
  credentialTypes,
  isCredentialType,
  replacedCredential,
} from '../../src/contract/cloud.js'
import {
  operatorsWithoutValues,
  operatorsWithValues,
  operatorWithoutValue,
} from '../../src/contract/placement.js'
import { manifestVersions } from '../../src/contract/versions.js'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../src/schema/json-schema.js'
import { buildManifestSchema } from '../../src/schema/manifest-schema.js'

/** Generators that replace those of the schema, by definition and name of the field. */
type Fields = { readonly [definitionAndName: string]: fc.Arbitrary<JsonValue | undefined> }

/**
 * Generates any valid manifest from its published schema: optional fields, branches of unions, references, lists, sizes and
 * characters. `rules` adds the conditions that the schema does not express. `loadManifest` rejects the rare manifests that
 * still break one.
 */
export function someManifest(fields: Fields = {}): fc.Arbitrary<JsonObject> {
  return fc.oneof(
    ...manifestVersions.map(chosen => {
      const { definitions = {}, ...whole } = buildManifestSchema(chosen)
      const settled = { ...rules, 'Site/version': fc.constant(chosen), ...fields }
      return new Maker(definitions, settled).value(whole, '') as fc.Arbitrary<JsonObject>
    }),
  )
}

/** Any text of a field: all scripts, and characters that YAML and JSON must quote. */
const someText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('a', 'Ünïcode', '日本', '👩‍👩‍👧', 'no', '~', '1e3', '0x10', '12', '# x'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom("it's", '"', "'", '\\', ' lead', 'trail ', 'a: b', '- a', '{', '%', '&a'),
  },
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
)

const name = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/)
const variable = fc.stringMatching(/^LANDFORM_[A-Z][A-Z0-9_]{0,8}$/)
const path = fc
  .array(fc.oneof(name, fc.constantFrom('.', 'ä b', 'x.json', 'lic.ECP')), { minLength: 1, maxLength: 3 })
  .map(parts => [...parts, 'file'].join('/'))

/** JSON of any form, as in `systemProperties` and `extra`. */
const someJson = fc.letrec<{ any: JsonValue }>(tie => ({
  any: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    someText,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(number => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constantFrom<JsonValue>({}, [], '', 0, { file: 'a' }, { env: 'LANDFORM_X' }),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(name, tie('any'), { maxKeys: 3 }),
  ),
})).any

const nothing = fc.constant(undefined)
const oneOrNone = (...texts: readonly string[]) => fc.constantFrom(...texts, undefined)

/** Fields that a rule restricts further than the schema. */
const rules: Fields = {
  '/extends': nothing,
  // The spelling of a request makes no difference between manifests.
  'Site/cloudSpelling': nothing,
  'Spec/state': fc.constantFrom('git:origin', 'file:.landform/{name}', 'postgres:env:LANDFORM_DATABASE_URL'),
  'Site/url': fc.constantFrom('https://gis.example.org/arcgis/admin', 'http://127.0.0.1:7443/x/admin'),
  'License/file': path,
  'License/serverFile': fc.option(path, { nil: undefined }),
  'Tls/caFile': fc.option(path, { nil: undefined }),
  'ClientCertificate/certificate': path,
  'Connection/bucketName': fc.constantFrom('gis-objects', 'gis.objects', 'b01'),
  'Connection/containerName': fc.constantFrom('gis-objects', '1-2-3', 'c01'),
  'Connection/region': oneOrNone('eu-west-1', 'us-gov-west-1'),
  'Connection/rootDir': oneOrNone('prod', 'Größe/a b', '日本'),
  'Connection/regionEndpointUrl': oneOrNone('https://storage.example.org', 'http://minio:9000'),
  'Connection/accountEndpointUrl': oneOrNone('https://gis.blob.core.windows.net'),
  'Credential/managedIdentityClientId': fc.constant('00000000-0000-0000-0000-000000000001'),
  'Credential/secret/storageAccountName': fc.oneof(
    fc.constantFrom('gis', 'gisobjects2'),
    variable.map(env => ({ env })),
  ),
  'Administrator/email': fc.constantFrom('admin@example.org', 'å@ex.org', 'a+b@c.d'),
  'Administrator/username': fc.oneof(
    fc.constantFrom('siteadmin', 'admin@site', 'Ädministratör'),
    fc.stringMatching(/^[A-Za-z0-9@._-]{6,20}$/),
  ),
}

/** Generators for fields of a map that depend on each other. */
type FixedValues = { readonly [name: string]: fc.Arbitrary<JsonValue | undefined> }

class Maker {
  readonly #definitions: { readonly [name: string]: JsonSchema }
  readonly #fields: Fields

  constructor(definitions: { readonly [name: string]: JsonSchema }, fields: Fields) {
    this.#definitions = definitions
    this.#fields = fields
  }

  value(schema: JsonSchema, definition: string): fc.Arbitrary<JsonValue> {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.slice('#/definitions/'.length)
      return this.#defined(this.#definitions[name] ?? {}, name)
    }
    const { type, const: only, enum: options } = schema
    if (only !== undefined) return fc.constant(only)
    if (options !== undefined) return fc.constantFrom(...options)
    if (schema['x-reference'] !== undefined) return this.#reference(schema)
    const kinds = [type ?? 'object'].flat()
    return fc.oneof(...kinds.map(kind => this.#ofKind(kind, schema, definition)))
  }

  #ofKind(kind: string, schema: JsonSchema, definition: string): fc.Arbitrary<JsonValue> {
    if (kind === 'string') return textOf(schema)
    if (kind === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 100 })
    if (kind === 'array') return this.#list(schema, definition)
    if (schema.additionalProperties === true)
      return fc.dictionary(
        fc.oneof(name, fc.constantFrom('a/b', 'c~d', 'ключ')).map(key => `x ${key}`),
        someJson,
        { maxKeys: 3 },
      )
    if (typeof schema.additionalProperties === 'object')
      return fc.dictionary(
        fc.constantFrom('tier', 'app', 'example.org/tier', 'A.b_c-d'),
        textOf(schema.additionalProperties),
        { maxKeys: 3 },
      )
    return this.record(schema, definition)
  }

  /** Generates a map with all required fields and any others. */
  record(schema: JsonSchema, definition: string, settled: FixedValues = {}): fc.Arbitrary<JsonObject> {
    const { properties = {}, required = [], allOf = [] } = schema
    const must = [
      ...required,
      // Fields that only some values of another field make required are always included.
      ...(schema.then?.required ?? []),
      ...allOf.flatMap(part => (part.oneOf === undefined ? (part.required ?? []) : [])),
    ]
    const fields = Object.entries(properties).flatMap(([name, part]) => {
      if (part === false) return []
      const own = settled[name] ?? this.#fields[`${definition}/${name}`]
      const value = own ?? this.value(part, `${definition}/${name}`)
      return [
        [name, own === undefined && !must.includes(name) ? fc.option(value, { nil: undefined }) : value],
      ]
    })
    return fc
      .record<JsonObject>(Object.fromEntries(fields))
      .map(
        made =>
          Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as JsonObject,
      )
  }

  #list(schema: JsonSchema, definition: string): fc.Arbitrary<JsonValue> {
    const { items = {}, minItems = 0, 'x-merge-by': keys, 'x-compare': comparison } = schema
    const element = this.value(items, `${definition}/0`)
    const minLength = definition.endsWith('/nodeSelectorTerms') ? 1 : minItems
    const identity = (value: JsonValue) =>
      JSON.stringify(keys === undefined || !isObject(value) ? value : keys.map(key => value[key] ?? null))
    const limits = { minLength, maxLength: 4 }
    return keys !== undefined || comparison === 'set'
      ? fc.uniqueArray(element, { ...limits, selector: identity })
      : fc.array(element, limits)
  }

  #reference(schema: JsonSchema): fc.Arbitrary<JsonValue> {
    const references = fc.oneof(
      variable.map(env => ({ env })),
      path.map(file => ({ file })),
    )
    return schema['x-reference'] === 'secret' ? references : fc.oneof(references, someText)
  }

  /** Generates a value of a definition, including those whose fields depend on each other. */
  #defined(schema: JsonSchema, definition: string): fc.Arbitrary<JsonValue> {
    const record = (settled: FixedValues, named = definition) => this.record(schema, named, settled)
    if (definition === 'SignIn') {
      const { as = {}, username = {}, password = {} } = schema.properties ?? {}
      const another = { username: this.value(username || {}, ''), password: this.value(password || {}, '') }
      return fc.oneof(
        record({ as: this.value(as || {}, ''), username: nothing, password: nothing }),
        record({ as: nothing, ...another }),
      )
    }
    if (definition === 'SecurityQuestion') {
      const { question = {}, index = {} } = schema.properties ?? {}
      return fc.oneof(
        record({ question: this.value(question || {}, ''), index: nothing }),
        record({ question: nothing, index: this.value(index || {}, '') }),
      )
    }
    if (definition === 'CloudProvider')
      return fc.oneof(
        ...this.#credentialTypes().map(type =>
          record({ credential: this.#credential(type), cloudServices: this.#services(schema, type) }),
        ),
      )
    if (definition === 'MatchExpression') {
      const values = this.value(schema.properties?.['values'] || {}, '')
      const compared = values.filter(made => Array.isArray(made) && made.length > 0)
      const none = fc.constantFrom<JsonValue | undefined>([], undefined)
      return fc.oneof(
        record({ operator: fc.constantFrom(...operatorsWithValues), values: compared }),
        record({ operator: fc.constantFrom(...operatorsWithoutValues), values: none }),
      )
    }
    if (definition === 'Toleration')
      return fc.oneof(
        record({ operator: fc.constant(operatorWithoutValue), value: nothing }),
        record({ operator: fc.constantFrom('Equal', undefined), key: labelKey }),
      )
    return this.value(schema, definition)
  }

  #credentialTypes(): readonly CredentialTypeName[] {
    const { type } = this.#definitions['Credential']?.properties ?? {}
    const options = type ? (type.enum ?? []) : []
    // Newer versions have replacements for this type, and warn about it.
    const isReplaced = options.some(name => name === replacedCredential.by[0])
    return options.filter(isCredentialType).filter(name => !isReplaced || name !== replacedCredential.type)
  }

  #credential(type: CredentialTypeName): fc.Arbitrary<JsonValue> {
    const branches = this.#definitions['Credential']?.allOf?.flatMap(part => part.oneOf ?? []) ?? []
    const branch = branches.find(
      ({ properties }) => properties?.['type'] && properties['type'].const === type,
    )
    return this.record(branch ?? {}, 'Credential')
  }

  #services(schema: JsonSchema, type: CredentialTypeName): fc.Arbitrary<JsonValue> {
    const allowed = Object.keys(this.#definitions['Connection']?.properties ?? {})
    const [first, ...rest] = connectionFields[credentialTypes[type].provider]
    const others = rest.filter(({ name }) => allowed.includes(name))
    const connection = this.record(
      {
        properties: Object.fromEntries([first, ...others].map(field => [field.name, text])),
        required: [first.name],
      },
      'Connection',
    )
    const service = this.record(this.#definitions['CloudService'] ?? {}, 'CloudService', { connection })
    const { minItems = 1 } = schema.properties?.['cloudServices'] || {}
    return fc.array(service, { minLength: minItems, maxLength: 2 })
  }
}

const text: JsonSchema = { type: 'string', minLength: 1 }
const labelKey = fc.constantFrom('dedicated', 'spot', 'example.org/pool', 'A.b_c-d')

const byPattern = new Map<string, fc.Arbitrary<string>>()

/** Generates text that matches a pattern. Cached, because creating a generator is slow and many fields share a pattern. */
function matching(pattern: string): fc.Arbitrary<string> {
  const made = byPattern.get(pattern) ?? fc.stringMatching(new RegExp(pattern), { size: 'small' })
  byPattern.set(pattern, made)
  return made
}

/** Generates text that matches the schema and its `allOf`. */
function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  const parts = [schema, ...(schema.allOf ?? [])]
  const patterns = parts.flatMap(({ pattern }) => pattern ?? [])
  const refused = parts.flatMap(({ not }) => not?.pattern ?? [])
  const longest = Math.min(...parts.map(({ maxLength = 40 }) => maxLength), 40)
  const [pattern] = patterns
  const shapes = pattern === undefined ? someText : matching(pattern)
  const empty = parts.some(({ minLength = 0 }) => minLength > 0) ? [] : [fc.constant('')]
  const usual = schema.examples?.filter(example => typeof example === 'string') ?? []
  const choices = [...empty, ...(usual.length > 0 ? [fc.constantFrom(...usual)] : [])]
  const fits = (made: string) =>
    made.length <= longest &&
    patterns.every(one => new RegExp(one).test(made)) &&
    !refused.some(one => new RegExp(one).test(made))
  return fc.oneof(shapes, shapes, ...choices).filter(fits)
}
