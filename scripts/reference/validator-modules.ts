import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { documentSchemas } from '../../src/schema/document-schemas.js'
import { type JsonSchema, mergeShapes, rewrite } from '../../src/schema/json-schema.js'
import { newestSchema } from '../../src/schema/manifest-schema.js'
import { buildPolicySchema } from '../../src/schema/policy-schema.js'
import { responseSchemas } from '../../src/schema/response-schemas.js'
import { scenarioSchema } from '../../src/schema/scenario-schema.js'
import { buildTestSchema } from '../../src/schema/test-schema.js'

/**
 * The schemas validated at run time, by module. Modules are loaded separately, because loading all takes longer than
 * checking a manifest. Manifests of every version are validated with the newest schema; the rule `version/field-too-new`
 * reports fields that an older version does not have.
 */
const checked: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  manifest: { manifest: mergeShapes(newestSchema()) },
  answers: responseSchemas,
  state: { state: documentSchemas.state },
  plan: { plan: documentSchemas.plan },
  scenario: { scenario: scenarioSchema },
  policy: { policy: buildPolicySchema() },
  test: { test: buildTestSchema() },
}

/** Compiles the validators, by the name of their module. */
export function compileValidatorModules(): ReadonlyMap<string, string> {
  const modules = new Map<string, string>()
  for (const [name, schemas] of Object.entries(checked))
    modules.set(name, avoidCopies(compileModule(schemas)))
  return modules
}

/** Compiles a module with a function for each of these schemas. */
function compileModule(schemas: Readonly<Record<string, JsonSchema>>): string {
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    code: { source: true, esm: true },
    inlineRefs: false,
    logger: false,
    messages: false,
    strictRequired: false,
    // Lengths in UTF-16 units, which need no helper at run time; the limits are caps, not rules.
    unicode: false,
  })
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(prepareForValidator(schema), name)
  const code = standaloneCode.default(ajv, Object.fromEntries(Object.keys(schemas).map(name => [name, name])))
  if (code.includes('require(')) throw new Error('a validator needs a module of ajv at run time')
  return code
}

/** Avoids copying all errors for every element of a list, which took many seconds for ten thousand elements. */
function avoidCopies(code: string): string {
  const joined = 'const joined = (all, more) => { for (const one of more) all.push(one); return all };'
  return code
    .replace('"use strict";', `$&${joined}`)
    .replaceAll(/vErrors\.concat\((\w+\.errors)\)/g, 'joined(vErrors, $1)')
}

const annotations = new Set([
  '$comment',
  'allOf',
  'default',
  'defaultSnippets',
  'description',
  'doNotSuggest',
  'enumDescriptions',
  'examples',
  'format',
  'markdownDescription',
  'patternErrorMessage',
  'title',
  'x-compare',
  'x-merge-by',
  'x-open',
  'x-reference',
  'x-source',
])

/**
 * Removes everything that does not affect validation: descriptions, and parts that a rule reports better. A structure with a
 * type becomes one function, which validates it in every place.
 */
function prepareForValidator(schema: JsonSchema): object {
  const shared: Record<string, object> = {}
  const { definitions, ...whole } = rewrite(schema, ({ 'x-type': [name = ''] = [], ...node }) => {
    const bare = Object.fromEntries(Object.entries(node).filter(([keyword]) => !annotations.has(keyword)))
    if (name === '' || Object.keys(bare).length === 0) return bare
    shared[name] = bare
    return { $ref: `#/definitions/${name}` }
  }) as JsonSchema
  return { ...whole, definitions: { ...definitions, ...shared } }
}
