import { stageNames } from '../contract/responses.js'
import { buildRecord, describeField, durationPattern } from './fields.js'
import { dialect, type JsonSchema, markAsRule } from './json-schema.js'

const buildText = (description: string, pattern: string, examples: readonly string[]): JsonSchema => ({
  type: 'array',
  items: {
    type: 'string',
    minLength: 1,
    maxLength: 200_000,
    examples,
    allOf: [markAsRule('scenario/value', { pattern })],
  },
  ...describeField(description, 'Landform', {}),
})

/** Repeated here, because a schema must not import the emulator. */
const fidelities = ['document', 'field'] as const

/** The suggestions for editors. A test verifies that they are the emulator's. */
export const scenarioNames: readonly string[] = [
  'slow-relational-store',
  'stuck',
  'stage-fails',
  'goes-backwards',
  'unknown-state',
  'unknown-stages',
  'already-configured',
  'upgrade-in-progress',
  'license-refused',
  'drop-before-accept',
  'drop-after-accept',
  'balancer-duplicates',
  'gateway-timeout-after-accept',
  'html-login',
  'flaky-polls',
  'rate-limited',
  'redirects',
  'garbage',
  'huge-answer',
  'truncated',
  'token-expires',
  'clock-skew',
  'site-replaced',
  'falls-back',
  'webhooks-listed',
  'export-warns',
  'export-refused',
  'one-shot-answers-lost',
  'hostile-texts',
]

/** The schema of a scenario file: the options of `landform emulate` with other names. */
export const scenarioSchema: JsonSchema = {
  $schema: dialect,
  title: 'Scenario',
  description: 'These are faults of the emulator, in a file for --scenario.',
  ...buildRecord(
    {
      summary: describeField('This is the summary of the scenario, in one line.', 'Landform', {
        type: 'string',
      }),
      faults: buildText(
        'The first of these faults that matches applies: `WHERE[@WHEN]=WHAT`, as `landform emulate --help` lists them.',
        '^(any|site|root|configure|update|exportSite|deleteAll)(@[^=@]+)*=',
        ['configure@1=drop-after', 'root@2-4=status:503,retry-after:1', 'site@Queue store=stall:10m'],
      ),
      stageTimes: buildText(
        'Every stage takes this time, or one of them: `TIME` or `STAGE=TIME`.',
        `^([^=]+=)?${durationPattern}$`,
        ['2s', `${stageNames[2]}=10m`],
      ),
      seed: describeField('The random numbers have this seed, so that runs are repeatable.', 'Landform', {
        type: 'integer',
        minimum: 0,
        maximum: 2 ** 32 - 1,
      }),
      version: describeField('The emulated service has this version.', 'Landform', {
        type: 'string',
        examples: ['11.2'],
      }),
      configured: describeField('This is true for a site that is already configured.', 'Landform', {
        type: 'boolean',
      }),
      fidelity: describeField(
        'The emulator follows this source where the service document shows nothing.',
        'Landform',
        {
          type: 'string',
          enum: fidelities,
        },
      ),
      webhooks: describeField(
        'Each service has this number of webhooks, `NAME.TYPE: COUNT`; no other service exists then. Only `fidelity: field` lists them.',
        'Landform',
        { type: 'object', additionalProperties: { type: 'integer', minimum: 0, maximum: 10_000 } },
      ),
      missingItems: describeField('This is true if every export ends with a warning.', 'Service §2.1', {
        type: 'boolean',
      }),
      unwritableLocations: describeField(
        'Exports cannot be written to these folders, buckets and containers.',
        'Service §4.1',
        { type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024, examples: ['/backups'] } },
      ),
      upgrading: describeField(
        'This is true during an upgrade. Only `fidelity: field` has upgrades.',
        'Landform',
        {
          type: 'boolean',
        },
      ),
      securityFrom: describeField(
        'Every request requires a token after this stage. Only `fidelity: field` asks for tokens.',
        'Landform',
        { type: 'string', enum: ['never', ...stageNames] },
      ),
    },
    [],
  ),
}
