import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import {
  count,
  describe,
  digest,
  formatVersion,
  jsonValue,
  pointer,
  text,
  textOrNull,
  time,
} from './parts.js'
import { placement, storage } from './previews.js'

const siteStates = ['not-configured', 'in-progress', 'ready', 'failed', 'unrecognized'] as const
export const siteState: JsonSchema = { enum: [...siteStates] }
export const operation: JsonSchema = { enum: ['configure', 'update'] }
export const change: JsonSchema = { enum: ['create', 'resume', 'update', 'no-op'] }
export const reason: JsonSchema = {
  enum: [
    'not-configured',
    'rejected-before',
    'configuration-in-progress',
    'submitted-before',
    'already-configured',
    'never-applied',
    'policy-changed',
    'cannot-be-read',
    'policy-unchanged',
  ],
}

const digests: JsonSchema = { type: 'object', additionalProperties: digest }
const flag: JsonSchema = { type: 'boolean' }
const texts: JsonSchema = { type: 'array', items: text }

/** A placement policy with explicit defaults. Service §2.7. */
export const policy = buildRecord({ nodeAffinity: { type: 'object' }, tolerations: { type: 'array' } }, [
  'nodeAffinity',
  'tolerations',
])

const field = {
  pointer: describe('The field, as a JSON pointer into the manifest', pointer),
  parameter: describe('The request parameter that carries it', text),
  file: describe('The file of the field', text),
  line: describe('The line in the file, from 1', { type: 'integer', minimum: 1 }),
  default: describe('True for a default; the line is that of its parent', flag),
} as const satisfies JsonSchema['properties']
const ofField = ['pointer', 'parameter', 'file', 'line'] as const

const values = {
  before: describe('The known current value; absent if unknown', jsonValue),
  after: describe('The value in the manifest; absent if the field was removed', jsonValue),
}

const fieldChange = buildRecord({ ...field, ...values }, ofField)

const action = buildRecord(
  {
    operation: describe('Operation of the service', operation),
    change: describe('Kind of the action; `no-op` sends nothing', change),
    reason: describe('Reason of the action', reason),
    irreversible: describe('True if the action cannot be undone', flag),
    fields: describe('The fields that the action sets, one for each line of the manifest', {
      type: 'array',
      items: fieldChange,
    }),
    organization: describe('Of `create`: the settings of the organization; secrets are references', {
      type: 'object',
    }),
    undocumented: describe(
      'Of `create`: the version, if the service document does not cover it',
      buildRecord({ version: text, reportedBy: { type: ['string', 'null'] } }, ['version', 'reportedBy']),
    ),
    licenses: describe('Of `create`: the digest of each license file, by its pointer', digests),
    policy: describe('Of `update`: the placement policy, with explicit defaults', policy),
    upgradeConfig: describe('Of `update`: the sent configuration, including other settings of the site', {
      type: 'object',
    }),
    kept: describe('Of `update`: other settings of the site that are preserved', texts),
    emptied: describe(
      'Of `update`: settings that are sent empty because the manifest has none, although the site may have some',
      {
        type: 'array',
        items: pointer,
      },
    ),
    token: describe('Of `update`: the reference to the token', { type: 'object' }),
  },
  ['operation', 'change', 'reason', 'irreversible', 'fields'],
)

const immutableEdit = buildRecord(
  {
    ...field,
    ...values,
    because: describe(
      '`no-operation` if no operation can change it, `another-operation` if one does that Landform does not perform',
      {
        enum: ['no-operation', 'another-operation'],
      },
    ),
    asserted: describe('True if the value before is one that a person asserted', { const: true }),
    ignored: describe('True if `--ignore-immutable` names the field', flag),
  },
  [...ofField, 'because', 'ignored'],
)

/** The status of one field. */
export const fieldStatus = buildRecord(
  {
    ...field,
    value: describe('The value in the manifest', jsonValue),
    verdict: describe('Status of the field', {
      enum: ['equal', 'different', 'recorded', 'asserted', 'unknowable'],
    }),
    source: describe('Of `different`: the source of the other value', {
      enum: ['site', 'record', 'assertion'],
    }),
    found: describe('Of `different`: the other value', jsonValue),
    appliedAt: describe('Of `recorded`: time of the last apply', time),
    assertedAt: describe('Of `asserted`: time at which a person asserted the value', time),
    because: describe('Of `unknowable`: the reason why the value cannot be verified', {
      enum: [
        'secret',
        'never-recorded',
        'never-asserted',
        'no-token',
        'not-allowed',
        'upgrading',
        'not-understood',
        'no-answer',
      ],
    }),
  },
  [...ofField, 'verdict'],
)

/** The number of fields by status. */
export const coverage = buildRecord(
  {
    equal: describe('Fields that match the site', count),
    different: describe('Fields that differ from the site or the record', count),
    recorded: describe('Fields that match the last apply; the site does not report them', count),
    asserted: describe('Fields that match what a person asserted; the site does not report them', count),
    unknowable: describe('Fields that cannot be verified', count),
    total: describe('All fields', count),
  },
  ['equal', 'different', 'recorded', 'asserted', 'unknowable', 'total'],
)

const digestOrNull: JsonSchema = { type: ['string', 'null'], pattern: digest.pattern ?? '' }
const settings = buildRecord(
  {
    upgradeConfig: digestOrNull,
    profile: digestOrNull,
    logLevel: digestOrNull,
    systemProperties: digestOrNull,
  },
  ['upgradeConfig', 'profile', 'logLevel', 'systemProperties'],
)

/** The facts that a plan is valid for. */
export const binds = buildRecord(
  {
    manifest: describe('Digest of the manifest, with its bases', digest),
    files: describe('Digest of each referenced file', digests),
    origin: describe('Origin of the site', text),
    site: describe(
      'The observed site',
      buildRecord(
        {
          state: describe(
            'State of the site; `not-observed` if the site was not observed, and then nothing can be applied',
            {
              enum: [...siteStates, 'not-observed'],
            },
          ),
          version: describe('Version of the site, if reported', textOrNull),
          build: describe('Build of the site, if reported', text),
          settings: describe('Digest of each setting; null if the site does not report it', settings),
        },
        ['state', 'version', 'settings'],
      ),
    ),
    state: describe('State location', text),
    record: describe('Number of the record of the last apply; 0 for none', count),
    recorded: describe('Digest of that record', digest),
    tool: describe('Landform and its version', text),
    schema: describe('Version of the manifest format', text),
  },
  ['manifest', 'files', 'origin', 'site', 'record', 'recorded', 'tool', 'schema'],
)

/** A plan, printed or saved. */
export const plan = buildRecord(
  {
    formatVersion: describe('Version of the document format', formatVersion),
    id: describe('Digest of the actions and the facts of the plan; equal plans have equal digests', digest),
    name: describe('Name of the site', text),
    manifest: describe('The manifest file', text),
    url: describe('URL of the site', text),
    createdAt: describe('Time of creation', time),
    expiresAt: describe('Expiry; an expired plan is rejected', time),
    binds: describe(
      'The facts that the plan is valid for; if one changed, the plan is stale and is rejected',
      binds,
    ),
    settles: describe('Decisions that are immutable after creation', {
      type: 'array',
      items: buildRecord(
        {
          pointer: describe('Place in the manifest', pointer),
          what: describe('The decision', text),
        },
        ['pointer', 'what'],
      ),
    }),
    actions: describe('Actions, in order', { type: 'array', items: action }),
    immutable: describe('Edits of immutable fields', { type: 'array', items: immutableEdit }),
    fields: describe('Of a ready site: the status of each field', { type: 'array', items: fieldStatus }),
    coverage: describe('Number of fields by status', coverage),
    summary: describe(
      'Number of actions by kind',
      buildRecord({ create: count, update: count, resume: count, noOp: count }, [
        'create',
        'update',
        'resume',
        'noOp',
      ]),
    ),
    placement: describe('With `--nodes`: preview of the placement policy on the nodes', placement),
    storage: describe('With `--storage-classes`: preview of the volumes with the storage classes', storage),
  },
  [
    'formatVersion',
    'id',
    'name',
    'manifest',
    'url',
    'createdAt',
    'expiresAt',
    'binds',
    'settles',
    'actions',
    'immutable',
    'fields',
    'coverage',
    'summary',
  ],
)
