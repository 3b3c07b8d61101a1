import { segments } from '../diagnostics/pointer.js'
import { apiVersion, policyKind } from './envelope.js'
import { field, longestText, record, reference } from './fields.js'
import { dialect, type JsonObject, type JsonSchema } from './json-schema.js'
import { fieldPointers, fieldSchema } from './manifest-schema.js'

const text: JsonSchema = { type: 'string', minLength: 1, maxLength: longestText }
const scalarTypes = ['string', 'number', 'boolean'] as const
const scalar: JsonSchema = { type: scalarTypes, maxLength: longestText }
const scalars: JsonSchema = { type: 'array', minItems: 1, maxItems: 200, items: scalar }
const limit: JsonSchema = { type: ['string', 'number'], maxLength: longestText }

/** The operators of a check, each with its operand. */
const operators: JsonSchema['properties'] & {} = {
  in: field('One of these values.', 'Landform', scalars),
  not: field('Any value except this one, or no value.', 'Landform', scalar),
  notIn: field('None of these values.', 'Landform', scalars),
  atLeast: field('No less than this: a quantity such as `32Gi`, a number, or a version.', 'Landform', {
    ...limit,
    examples: ['32Gi'],
  }),
  atMost: field('No more than this: a quantity such as `1Ti`, a number, or a version.', 'Landform', {
    ...limit,
    examples: ['1Ti'],
  }),
  exists: field(
    'True if the field must be set, false if it must not; a default does not count.',
    'Landform',
    { type: 'boolean' },
  ),
  contains: field(
    'A list with this element, or with a map that has these members; `{}` matches any element.',
    'Landform',
    { type: [...scalarTypes, 'object'], maxLength: longestText, additionalProperties: scalar },
  ),
  like: field('Text that matches this pattern; `*` matches any characters.', 'Landform', {
    ...text,
    examples: ['*.example.org'],
  }),
  origin: field('An address at one of these origins.', 'Landform', {
    type: 'array',
    minItems: 1,
    maxItems: 200,
    items: { ...text, examples: ['https://gis.example.org'] },
  }),
}

/** The meaning of each result of a policy test. */
export const verdicts = {
  pass: 'The rule applies and holds.',
  violation: 'The rule is violated.',
  'not-applicable': 'The conditions in `when` do not hold.',
} as const

export type Verdict = keyof typeof verdicts

const levels = { error: 'Stops plan and apply.', warning: 'Is only reported.' } as const

const definitions: { readonly [name: string]: JsonSchema } = {
  Rule: record(
    {
      name: field('Name of the rule in messages.', 'Landform', {
        type: 'string',
        maxLength: 63,
        pattern: '^[a-z0-9]([a-z0-9]|-+[a-z0-9])*$',
        examples: ['enough-space'],
      }),
      level: field('What a violation is.', 'Landform', {
        enum: Object.keys(levels),
        enumDescriptions: Object.values(levels),
        default: 'error',
      }),
      message: field('Message for the author of a manifest.', 'Landform', { ...text, maxLength: 300 }),
      when: field('The rule applies only if all of these hold; with `*`, for at least one.', 'Landform', {
        allOf: [reference('Conditions')],
      }),
      require: field('Requirements, all of which must hold; with `*`, for every existing one.', 'Landform', {
        allOf: [reference('Conditions')],
      }),
      tests: field('Manifests, or the relevant parts of them, with the expected results.', 'Landform', {
        type: 'array',
        maxItems: 100,
        items: reference('Test'),
      }),
    },
    ['name', 'require'],
  ),
  Test: record(
    {
      manifest: field('Parts of a manifest; all other fields are absent.', 'Landform', {
        type: 'object',
        additionalProperties: true,
      }),
      expect: field('What the rule says.', 'Landform', {
        enum: Object.keys(verdicts),
        enumDescriptions: Object.values(verdicts),
      }),
    },
    ['manifest', 'expect'],
  ),
  Conditions: { type: 'object', minProperties: 1, additionalProperties: reference('Check') },
  Check: {
    type: [...scalarTypes, 'object'],
    maxLength: longestText,
    minProperties: 1,
    properties: operators,
    additionalProperties: false,
  },
}

/** The schema for validating a policy file; `parsePath` checks its paths, because it can suggest corrections. */
export function policySchema(): JsonSchema {
  const { Rule = {}, ...others } = definitions
  const conditions = reference('Conditions')
  const properties = { ...Rule.properties, when: conditions, require: conditions }
  return { ...whole, definitions: { Rule: { ...Rule, properties }, ...others } }
}

/** The schema for editors, which also completes the paths. */
export function editorPolicySchema(): JsonSchema {
  return {
    ...whole,
    definitions: { ...definitions, Conditions: { ...definitions['Conditions'], properties: paths() } },
  }
}

const whole: JsonSchema = {
  $schema: dialect,
  title: 'SitePolicy',
  description: 'Rules that a team keeps next to its Landform manifests.',
  ...record(
    {
      apiVersion: field('Group and version of the format.', 'Landform', { const: apiVersion }),
      kind: field('Kind of the document: rules for manifests.', 'Landform', { const: policyKind }),
      rules: field('Rules for manifests.', 'Landform', {
        type: 'array',
        minItems: 1,
        maxItems: 500,
        items: reference('Rule'),
      }),
    },
    ['apiVersion', 'kind', 'rules'],
  ),
}

/** Lists every path that a rule can use, except the keys of labels and of free-form maps. */
function paths(): JsonSchema['properties'] & {} {
  const named = fieldPointers().flatMap(pointer => {
    const path = segments(pointer).map(name => (name === '0' ? '*' : name))
    const { description, markdownDescription, enum: options, examples = options } = fieldSchema(pointer)
    const schema = {
      ...(description !== undefined && { description, markdownDescription }),
      ...(examples !== undefined && typeof examples[0] !== 'object' && { examples }),
      allOf: [reference('Check')],
    }
    const [spec, volumes, , ...rest] = path
    const ofAll = [spec, volumes, '*', ...rest].join('.')
    const isOfVolume = volumes === 'volumes' && path.length > 3
    return [...(isOfVolume ? [[ofAll, schema] as const] : []), [path.join('.'), schema] as const]
  })
  return Object.fromEntries(named)
}

/** A valid policy file. */
export interface PolicyDocument {
  readonly rules: readonly RuleDocument[]
}

export type Scalar = string | number | boolean

export interface RuleDocument {
  readonly name: string
  readonly level?: keyof typeof levels
  readonly message?: string
  readonly when?: ConditionsDocument
  readonly require: ConditionsDocument
  readonly tests?: readonly { readonly manifest: JsonObject; readonly expect: Verdict }[]
}

export type ConditionsDocument = Readonly<Record<string, Scalar | Partial<Operands>>>

/** The operand of each operator; `is` is a plain value. */
export interface Operands {
  readonly is: Scalar
  readonly in: readonly Scalar[]
  readonly not: Scalar
  readonly notIn: readonly Scalar[]
  readonly atLeast: string | number
  readonly atMost: string | number
  readonly exists: boolean
  readonly contains: Scalar | Readonly<Record<string, Scalar>>
  readonly like: string
  readonly origin: readonly string[]
}
