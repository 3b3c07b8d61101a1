import { findFieldSchema, listFieldPointers } from './field-schema.js'
import { buildRecord, buildReference, describeField, durationPattern, longestText } from './fields.js'
import { apiVersion, buildCondition, dialect, type JsonSchema, policyKind } from './json-schema.js'
import { splitPointer } from './pointer.js'

const text: JsonSchema = { type: 'string', minLength: 1, maxLength: longestText }
const scalarTypes = ['string', 'number', 'boolean'] as const
const scalar: JsonSchema = { type: scalarTypes, maxLength: longestText }
const scalars: JsonSchema = { type: 'array', minItems: 1, maxItems: 200, items: scalar }
const limit: JsonSchema = { type: ['string', 'number'], maxLength: longestText }

/** The operators of a check, each with its operand. */
const operators: JsonSchema['properties'] & {} = {
  in: describeField('The value is one of these.', 'Landform', scalars),
  not: describeField('The value is any other, or there is none.', 'Landform', scalar),
  notIn: describeField('The value is none of these.', 'Landform', scalars),
  atLeast: describeField(
    'The value is no less than this quantity, such as `32Gi`, number or version.',
    'Landform',
    {
      ...limit,
      examples: ['32Gi'],
    },
  ),
  atMost: describeField(
    'The value is no more than this quantity, such as `1Ti`, number or version.',
    'Landform',
    {
      ...limit,
      examples: ['1Ti'],
    },
  ),
  exists: describeField(
    'With true the field must be set, with false it must not; a default does not count.',
    'Landform',
    { type: 'boolean' },
  ),
  contains: describeField(
    'The list has this element, or a map with these members; `{}` matches any element.',
    'Landform',
    { type: [...scalarTypes, 'object'], maxLength: longestText, additionalProperties: scalar },
  ),
  like: describeField('The text matches this pattern; `*` matches any characters.', 'Landform', {
    ...text,
    examples: ['*.example.org'],
  }),
  origin: describeField('The address is at one of these origins.', 'Landform', {
    type: 'array',
    minItems: 1,
    maxItems: 200,
    items: { ...text, examples: ['https://gis.example.org'] },
  }),
}

/** The meaning of each result of a policy test. */
const policyTestResults = {
  pass: 'The rule applies and holds.',
  violation: 'The rule is violated.',
  'not-applicable': 'The conditions in `when` do not hold.',
} as const

const timeOfDay: JsonSchema = {
  type: 'string',
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  examples: ['08:00'],
}

const levels = {
  error: 'A violation stops plan and apply.',
  warning: 'A violation is only reported.',
} as const

const definitions: { readonly [name: string]: JsonSchema } = {
  Rule: buildRecord(
    {
      name: describeField('The rule has this name in messages.', 'Landform', {
        type: 'string',
        maxLength: 63,
        pattern: '^[a-z0-9]([a-z0-9]|-+[a-z0-9])*$',
        examples: ['enough-space'],
      }),
      level: describeField('A violation is of this severity.', 'Landform', {
        enum: Object.keys(levels),
        enumDescriptions: Object.values(levels),
        default: 'error',
      }),
      message: describeField('This message is for the author of a manifest.', 'Landform', {
        ...text,
        maxLength: 300,
      }),
      when: describeField(
        'The rule applies only if all of these hold; with `*`, for at least one.',
        'Landform',
        {
          allOf: [buildReference('Conditions')],
        },
      ),
      require: describeField(
        'All of these requirements must hold; with `*`, for every existing one.',
        'Landform',
        {
          allOf: [buildReference('Conditions')],
        },
      ),
      tests: describeField(
        'These are manifests, or the relevant parts of them, with the expected results.',
        'Landform',
        {
          type: 'array',
          maxItems: 100,
          items: buildReference('Test'),
        },
      ),
    },
    ['name', 'require'],
  ),
  Plans: {
    ...buildRecord(
      {
        signedBy: describeField(
          'Creating an organization takes a saved plan that one of these keys signed: public Ed25519 keys in PEM.',
          'Landform',
          { type: 'array', minItems: 1, maxItems: 100, items: text },
        ),
        hours: describeField('Nothing is sent to a site at any other time.', 'Landform', {
          allOf: [buildReference('Hours')],
        }),
        maxAge: describeField('A plan that is applied has at most this age.', 'Landform', {
          type: 'string',
          pattern: `^${durationPattern}$`,
          examples: ['8h'],
        }),
        licenseListsUserType: describeField(
          'Nothing is sent if the service lists the user types of the license without that of the administrator.',
          'Landform',
          { const: true },
        ),
      },
      [],
    ),
    minProperties: 1,
  },
  Hours: buildRecord(
    {
      days: describeField('The hours are on these days of the week.', 'Landform', {
        type: 'array',
        minItems: 1,
        maxItems: 7,
        items: { enum: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] },
      }),
      start: describeField('The hours start at this time, such as `08:00`.', 'Landform', timeOfDay),
      end: describeField('The hours end at this time, later on the same day.', 'Landform', timeOfDay),
      timeZone: describeField('These times are in this time zone.', 'Landform', {
        ...text,
        examples: ['Europe/Zurich'],
      }),
    },
    ['days', 'start', 'end', 'timeZone'],
  ),
  Test: buildRecord(
    {
      manifest: describeField('These are the parts of a manifest; all other fields are absent.', 'Landform', {
        type: 'object',
        additionalProperties: true,
      }),
      expect: describeField('The rule has this result.', 'Landform', {
        enum: Object.keys(policyTestResults),
        enumDescriptions: Object.values(policyTestResults),
      }),
    },
    ['manifest', 'expect'],
  ),
  Conditions: { type: 'object', minProperties: 1, additionalProperties: buildReference('Check') },
  Check: {
    type: [...scalarTypes, 'object'],
    maxLength: longestText,
    minProperties: 1,
    properties: operators,
    additionalProperties: false,
  },
}

/** Builds the schema for validating a policy file. `parsePath` checks the paths, because it can suggest corrections. */
export function buildPolicySchema(): JsonSchema {
  const { Rule = {}, Plans = {}, ...others } = definitions
  const conditions = buildReference('Conditions')
  const properties = { ...Rule.properties, when: conditions, require: conditions }
  const requirements = { ...Plans.properties, hours: buildReference('Hours') }
  return {
    ...whole,
    properties: { ...whole.properties, plans: buildReference('Plans') },
    definitions: { Rule: { ...Rule, properties }, Plans: { ...Plans, properties: requirements }, ...others },
  }
}

/** Builds the schema for editors, which also completes the paths. */
export function buildEditorPolicySchema(): JsonSchema {
  return {
    ...whole,
    definitions: { ...definitions, Conditions: { ...definitions['Conditions'], properties: listPaths() } },
  }
}

const whole: JsonSchema = {
  $schema: dialect,
  title: 'SitePolicy',
  description: 'These are rules that a team keeps next to its Landform manifests.',
  ...buildRecord(
    {
      apiVersion: describeField('The format has this group and version.', 'Landform', { const: apiVersion }),
      kind: describeField('The document is of this kind: rules for manifests.', 'Landform', {
        const: policyKind,
      }),
      rules: describeField('Every manifest must follow these rules.', 'Landform', {
        type: 'array',
        minItems: 1,
        maxItems: 500,
        items: buildReference('Rule'),
      }),
      plans: describeField('Every plan that is applied must meet these requirements.', 'Landform', {
        allOf: [buildReference('Plans')],
      }),
    },
    ['apiVersion', 'kind'],
  ),
  // A policy without any requirement is a mistake.
  ...buildCondition({ not: { required: ['plans'] } }, { required: ['rules'] }),
}

/** Lists every path that a rule can use, except the keys of labels and of free-form maps. */
function listPaths(): JsonSchema['properties'] & {} {
  const named = listFieldPointers().flatMap(pointer => {
    const path = splitPointer(pointer).map(name => (name === '0' ? '*' : name))
    const { description, markdownDescription, enum: options, examples = options } = findFieldSchema(pointer)
    const schema = {
      ...(description !== undefined && { description, markdownDescription }),
      ...(examples !== undefined && typeof examples[0] !== 'object' && { examples }),
      allOf: [buildReference('Check')],
    }
    const [spec, volumes, , ...rest] = path
    const ofAll = [spec, volumes, '*', ...rest].join('.')
    const isOfVolume = volumes === 'volumes' && path.length > 3
    return [...(isOfVolume ? [[ofAll, schema] as const] : []), [path.join('.'), schema] as const]
  })
  return Object.fromEntries(named)
}
