import { operations } from '../contract/operations.js'
import { eventTypes, outcomes } from './documents/event.js'
import { change, reason } from './documents/plan.js'
import { buildRecord, buildReference, describeField, durationPattern, longestText } from './fields.js'
import { apiVersion, dialect, type JsonSchema, testKind } from './json-schema.js'
import { buildOverlaySchema } from './published-schema.js'
import { scenarioNames, scenarioSchema } from './scenario-schema.js'

const text: JsonSchema = { type: 'string', minLength: 1, maxLength: longestText }
const duration: JsonSchema = {
  type: 'string',
  pattern: `^${durationPattern}$`,
  examples: ['90s', '20m', '24h'],
}
const count: JsonSchema = { type: 'integer', minimum: 0, maximum: 1000 }
const operation: JsonSchema = { enum: Object.keys(operations) }

/** Creates a part of a test with its description for editors. */
function describePart(meaning: string, schema: JsonSchema): JsonSchema {
  return describeField(meaning, 'Landform', schema)
}

function buildList(items: JsonSchema): JsonSchema {
  return { type: 'array', maxItems: 200, items }
}

const overlay = describePart(
  'These changes to the manifest are for this run; they are merged like an overlay.',
  {
    type: 'object',
    additionalProperties: true,
  },
)
const apply = describePart(
  'These are options of the apply, which runs only if `expect` needs more than a plan.',
  {
    allOf: [buildReference('Apply')],
  },
)
const expectation = describePart('These results are expected. Only the named fields are compared.', {
  allOf: [buildReference('Expect')],
})
const { summary: _, ...ofScenario } = scenarioSchema.properties ?? {}

const definitions: JsonSchema['definitions'] & {} = {
  Test: buildRecord(
    {
      name: describePart('The test has this name, a sentence.', text),
      with: overlay,
      site: describePart('This is the emulated site, with its version and its faults.', {
        allOf: [buildReference('Emulated')],
      }),
      apply,
      expect: expectation,
      next: describePart(
        'These runs follow on the same site, one after the other.',
        buildList(buildReference('Step')),
      ),
    },
    ['name', 'expect'],
  ),
  Step: buildRecord(
    {
      after: describePart('The run is this much later.', duration),
      with: overlay,
      apply,
      expect: expectation,
    },
    ['expect'],
  ),
  Emulated: buildRecord(
    {
      scenario: describePart(
        'This is a scenario by name, or a file; `landform emulate --help` lists the names.',
        {
          ...text,
          examples: [...scenarioNames, 'scenarios/bad-day.yaml'],
        },
      ),
      ...ofScenario,
    },
    [],
  ),
  Apply: buildRecord(
    {
      timeout: describePart('The apply waits at most this long for the site [default: 3h].', duration),
      poll: describePart('The site is polled after each such time [default: 5s].', duration),
      detach: describePart('If true, the apply returns as soon as the configuration is accepted.', {
        type: 'boolean',
      }),
    },
    [],
  ),
  Expect: {
    ...buildRecord(
      {
        diagnostics: describePart(
          'These are all diagnostics of the manifest, in any order.',
          buildList(buildReference('Finding')),
        ),
        policy: describePart(
          'These are the names of all violated policy rules, in any order.',
          buildList(text),
        ),
        plan: describePart('This is the plan of the apply.', { allOf: [buildReference('Plan')] }),
        requests: describePart(
          'These are all requests that write, in order.',
          buildList(buildReference('Request')),
        ),
        outcome: describePart('The apply ends in this way.', { enum: outcomes }),
        exitCode: describePart('This is the exit code of `landform apply`.', {
          type: 'integer',
          minimum: 0,
          maximum: 255,
        }),
        configured: describePart(
          'The site accepted this number of `configure` requests, in all runs of the test so far.',
          count,
        ),
        events: describePart(
          'These events occur in this order; others may occur between them.',
          buildList({ enum: eventTypes }),
        ),
        within: describePart('The apply takes at most this long, on the clock of the emulator.', duration),
      },
      [],
    ),
    minProperties: 1,
  },
  Finding: buildRecord(
    {
      code: describePart('The diagnostic has this code.', text),
      at: describePart('The diagnostic is at this path, such as `spec.profile`.', {
        type: 'string',
        maxLength: longestText,
      }),
      severity: describePart('The diagnostic has this severity.', { enum: ['error', 'warning', 'note'] }),
    },
    ['code'],
  ),
  Plan: {
    ...buildRecord(
      {
        actions: describePart('These are all actions, in order.', buildList(buildReference('Action'))),
        immutable: describePart('These are the paths of all edits of immutable fields.', buildList(text)),
        obstacle: describePart('There is no plan for this reason.', text),
      },
      [],
    ),
    minProperties: 1,
  },
  Action: buildRecord(
    {
      operation: describePart('This is the operation of the service.', operation),
      change: describePart('The action is of this kind.', change),
      reason: describePart('The action has this reason.', reason),
    },
    ['operation'],
  ),
  Request: buildRecord(
    {
      operation: describePart('This is the operation of the service.', operation),
      parameters: describePart(
        'The request has parameters with these values, or these members; secrets are redacted.',
        {
          type: 'object',
          additionalProperties: true,
        },
      ),
      accepted: describePart('This is true if the service accepted the request, whatever it responded.', {
        type: 'boolean',
      }),
    },
    ['operation'],
  ),
}

/** Builds the schema for validating a test file. The merged manifest is validated separately. */
export function buildTestSchema(): JsonSchema {
  const checked = Object.entries(definitions).map(([name, { properties = {}, ...schema }]) => [
    name,
    { ...schema, properties: Object.fromEntries(Object.entries(properties).map(stripDescription)) },
  ])
  return { ...whole, definitions: Object.fromEntries(checked) }
}

/** Reduces a described reference to the reference itself; the description is for editors. */
function stripDescription([name, schema]: readonly [string, JsonSchema | false]) {
  return [name, (typeof schema === 'object' && schema.allOf?.[0]) || schema] as const
}

/** Builds the schema for editors, which also completes manifests and the codes of diagnostics. */
export function buildEditorTestSchema(codes: readonly string[]): JsonSchema {
  const { properties = {}, definitions: ofManifest = {} } = buildOverlaySchema()
  const { metadata = {}, spec = {} } = properties
  const { Test = {}, Step = {}, Finding = {}, ...others } = definitions
  const changed = { ...overlay, additionalProperties: false, properties: { metadata, spec } }
  const code = { ...Finding.properties?.['code'], enum: codes }
  return {
    ...whole,
    definitions: {
      ...ofManifest,
      ...others,
      Test: { ...Test, properties: { ...Test.properties, with: changed } },
      Step: { ...Step, properties: { ...Step.properties, with: changed } },
      Finding: { ...Finding, properties: { ...Finding.properties, code } },
    },
  }
}

const whole: JsonSchema = {
  $schema: dialect,
  title: 'SiteTest',
  description: 'These are tests of a Landform manifest.',
  ...buildRecord(
    {
      apiVersion: describePart('The format has this group and version.', { const: apiVersion }),
      kind: describePart('The document is of this kind: tests of a manifest.', { const: testKind }),
      manifest: describePart('This is the manifest [default: the name of this file without `.test`].', text),
      tests: describePart('The tests run one after the other, each on its own site.', {
        type: 'array',
        minItems: 1,
        maxItems: 1000,
        items: buildReference('Test'),
        defaultSnippets: [
          {
            label: 'a test of the plan',
            description: 'The test compares the plan of the first apply.',
            type: 'array',
            body: {
              name: `\${1:the first apply creates the site}`,
              expect: { plan: { actions: [{ operation: 'configure', change: `\${2:create}` }] } },
            },
          },
          {
            label: 'a test under a fault',
            description: 'The test has a fault, the result of the run, and the next run that continues.',
            type: 'array',
            body: {
              name: `\${1:a store that stalls is waited for by the next run}`,
              site: { faults: [`\${2:site@Relational store=stall:30m}`] },
              apply: { timeout: `\${3:20m}` },
              expect: { exitCode: `\${4:3}`, configured: 1 },
              next: [{ expect: { exitCode: 0, configured: 1 } }],
            },
          },
        ],
      }),
    },
    ['apiVersion', 'kind', 'tests'],
  ),
}
