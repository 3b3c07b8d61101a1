import { type StageName, stageNames } from '../contract/stages.js'
import { durationPattern } from './duration.js'
import { buildRecord, describeField } from './fields.js'
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

/** The values of the emulator, which a schema must not import. */
const fidelities = ['document', 'field'] as const

/** The suggestions for editors; a test verifies that the emulator has the same. */
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
  description: 'Faults of the emulator: a file for --scenario.',
  ...buildRecord(
    {
      summary: describeField('Summary of the scenario, in one line.', 'Landform', { type: 'string' }),
      faults: buildText(
        'Faults; the first match applies: `WHERE[@WHEN]=WHAT`, as `landform emulate --help` lists them.',
        '^(any|site|root|configure|update|exportSite|deleteAll)(@[^=@]+)*=',
        ['configure@1=drop-after', 'root@2-4=status:503,retry-after:1', 'site@Queue store=stall:10m'],
      ),
      stageTimes: buildText(
        'Duration of every stage, or of one: `TIME` or `STAGE=TIME`.',
        `^([^=]+=)?${durationPattern}$`,
        ['2s', `${stageNames[2]}=10m`],
      ),
      seed: describeField('Seed of the random numbers, for repeatable runs.', 'Landform', {
        type: 'integer',
        minimum: 0,
        maximum: 2 ** 32 - 1,
      }),
      version: describeField('Emulated service version.', 'Landform', {
        type: 'string',
        examples: ['11.2'],
      }),
      configured: describeField('True for a site that is already configured.', 'Landform', {
        type: 'boolean',
      }),
      fidelity: describeField(
        'Source that the emulator follows where the service document shows nothing.',
        'Landform',
        {
          type: 'string',
          enum: fidelities,
        },
      ),
      webhooks: describeField(
        'Number of webhooks of each service, `NAME.TYPE: COUNT`; no other service exists then. Only `fidelity: field` lists them.',
        'Landform',
        { type: 'object', additionalProperties: { type: 'integer', minimum: 0, maximum: 10_000 } },
      ),
      missingItems: describeField('True if every export ends with a warning.', 'Service §2.1', {
        type: 'boolean',
      }),
      unwritableLocations: describeField(
        'Folders, buckets and containers that exports cannot be written to.',
        'Service §4.1',
        { type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024, examples: ['/backups'] } },
      ),
      upgrading: describeField('True during an upgrade. Only with `fidelity: field`.', 'Landform', {
        type: 'boolean',
      }),
      securityFrom: describeField(
        'Stage after which every request requires a token. Only with `fidelity: field`.',
        'Landform',
        { type: 'string', enum: ['never', ...stageNames] },
      ),
    },
    [],
  ),
}

/** A valid scenario file. */
export interface ScenarioDocument {
  readonly summary?: string
  readonly faults?: readonly string[]
  readonly stageTimes?: readonly string[]
  readonly seed?: number
  readonly version?: string
  readonly configured?: boolean
  readonly fidelity?: (typeof fidelities)[number]
  readonly webhooks?: Readonly<Record<string, number>>
  readonly missingItems?: boolean
  readonly unwritableLocations?: readonly string[]
  readonly upgrading?: boolean
  readonly securityFrom?: StageName | 'never'
}
