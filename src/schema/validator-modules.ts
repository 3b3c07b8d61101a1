import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { newestReportedVersion } from '../contract/versions.js'
import { documentSchemas } from './document-schemas.js'
import type { JsonSchema } from './json-schema.js'
import { manifestSchema } from './manifest-schema.js'
import { policySchema } from './policy-schema.js'
import { responseSchemas } from './response-schemas.js'
import { rewrite, withShapes } from './rewrite.js'
import { scenarioSchema } from './scenario-schema.js'
import { testSchema } from './test-schema.js'

/**
 * What is checked at run time, by module: each is loaded only by who needs it, for the check of one manifest takes less
 * time than loading them all. Manifests of every version go through the newest schema; the rule
 * `version/field-too-new` words what an older one would refuse.
 */
const checked: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  manifest: { manifest: withShapes(manifestSchema(newestReportedVersion)) },
  answers: responseSchemas,
  state: { state: documentSchemas.state },
  plan: { plan: documentSchemas.plan },
  scenario: { scenario: scenarioSchema },
  policy: { policy: policySchema() },
  test: { test: testSchema() },
}

/** Compiled code by the name of its module. */
export function validatorModules(): ReadonlyMap<string, string> {
  const modules = new Map<string, string>()
  for (const [name, schemas] of Object.entries(checked)) modules.set(name, withoutCopies(compiled(schemas)))
  return modules
}

/** A module with a function for each of these schemas. */
function compiled(schemas: Readonly<Record<string, JsonSchema>>): string {
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    code: { source: true, esm: true },
    inlineRefs: false,
    logger: false,
    messages: false,
    strictRequired: false,
    // Lengths in UTF-16 units, which needs no helper at run time; the limits here are caps, not rules.
    unicode: false,
  })
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(forValidator(schema), name)
  const code = standaloneCode.default(ajv, Object.fromEntries(Object.keys(schemas).map(name => [name, name])))
  if (code.includes('require(')) throw new Error('a validator needs a module of ajv at run time')
  return code
}

/** For every element of a list all errors so far would be copied: a list of some ten thousand took many seconds. */
function withoutCopies(code: string): string {
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
])

/** Leaves what the validator decides: no descriptions, and nothing that a rule says better (`saidByRule`). */
function forValidator(schema: JsonSchema): object {
  return rewrite(schema, node =>
    Object.fromEntries(Object.entries(node).filter(([keyword]) => !annotations.has(keyword))),
  ) as object
}
