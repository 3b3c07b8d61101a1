import { type StageName, stageNames } from '../contract/stages.js'
import { durationPattern } from './duration.js'
import { field, record } from './fields.js'
import { dialect, type JsonSchema, saidByRule } from './json-schema.js'

const words = (description: string, pattern: string, examples: readonly string[]): JsonSchema => ({
  type: 'array',
  items: {
    type: 'string',
    minLength: 1,
    maxLength: 200_000,
    examples,
    allOf: [saidByRule('scenario/value', { pattern })],
  },
  ...field(description, 'Landform', {}),
})

/** As the emulator has them, which no schema may import. */
const fidelities = ['document', 'field'] as const

/** What editors offer; a test holds that the emulator has the same. */
export const scenarioNames: readonly string[] = [
  'slow-relational-store',
  'stuck',
  'stage-fails',
  'goes-backwards',
  'unknown-state',
  'unknown-stages',
  'already-configured',
  'upgrade-in-progress',
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

/** A scenario file of the emulator: the options of `landform emulate` under other names. */
export const scenarioSchema: JsonSchema = {
  $schema: dialect,
  title: 'Scenario',
  description: 'What goes wrong in the emulator: a file for --scenario.',
  ...record(
    {
      summary: field('What happens, in one line.', 'Landform', { type: 'string' }),
      faults: words(
        'What goes wrong, the first that counts: `WHERE[@WHEN]=WHAT`, as `landform emulate --help` lists it.',
        '^(any|site|root|configure|update|exportSite|deleteAll)(@[^=@]+)*=',
        ['configure@1=drop-after', 'root@2-4=status:503,retry-after:1', 'site@Queue store=stall:10m'],
      ),
      stageTimes: words(
        'How long each stage takes, or one of them: `TIME` or `STAGE=TIME`.',
        `^([^=]+=)?${durationPattern}$`,
        ['2s', `${stageNames[2]}=10m`],
      ),
      seed: field('What decides what chance does, the same way each time.', 'Landform', {
        type: 'integer',
        minimum: 0,
        maximum: 2 ** 32 - 1,
      }),
      version: field('The service version that is emulated.', 'Landform', {
        type: 'string',
        examples: ['11.2'],
      }),
      configured: field('True for a site that was configured long ago.', 'Landform', { type: 'boolean' }),
      fidelity: field('Whom the emulator follows where the service document is silent.', 'Landform', {
        type: 'string',
        enum: fidelities,
      }),
      webhooks: field(
        'How many webhooks each service has, `NAME.TYPE: COUNT`; no other service exists then. Only `fidelity: field` lists them.',
        'Landform',
        { type: 'object', additionalProperties: { type: 'integer', minimum: 0, maximum: 10_000 } },
      ),
      missingItems: field('True where every export ends with a warning.', 'Service §2.1', {
        type: 'boolean',
      }),
      unwritableLocations: field(
        'Folders, buckets and containers that no export can be written to.',
        'Service §4.1',
        { type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024, examples: ['/backups'] } },
      ),
      upgrading: field('True while an upgrade is under way. With `fidelity: field` only.', 'Landform', {
        type: 'boolean',
      }),
      securityFrom: field(
        'The stage after which everything asks for a token. With `fidelity: field` only.',
        'Landform',
        { type: 'string', enum: ['never', ...stageNames] },
      ),
    },
    [],
  ),
}

/** A scenario file that fits its schema. */
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
