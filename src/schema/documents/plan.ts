import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, digest, formatVersion, jsonValue, pointer, said, text, textOrNull, time } from './parts.js'
import { placement, storage } from './previews.js'

const siteStates = ['not-configured', 'in-progress', 'ready', 'failed', 'unrecognized'] as const
export const siteState: JsonSchema = { enum: [...siteStates] }
export const operation: JsonSchema = { enum: ['configure', 'update'] }
export const change: JsonSchema = { enum: ['create', 'attach', 'update', 'no-op'] }
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
export const policy = record({ nodeAffinity: { type: 'object' }, tolerations: { type: 'array' } }, [
  'nodeAffinity',
  'tolerations',
])

const field = {
  pointer: said('The field, as a JSON pointer into the manifest', pointer),
  parameter: said('The request parameter that carries it', text),
  file: said('The file of the field', text),
  line: said('The line in the file, from 1', { type: 'integer', minimum: 1 }),
} as const satisfies JsonSchema['properties']
const ofField = ['pointer', 'parameter', 'file', 'line'] as const

const values = {
  before: said('The known current value; absent if unknown', jsonValue),
  after: said('The value in the manifest; absent if the field was removed', jsonValue),
}

const fieldChange = record({ ...field, ...values }, ofField)

const action = record(
  {
    operation: said('Operation of the service', operation),
    change: said('Kind of the action; `no-op` sends nothing', change),
    reason: said('Reason of the action', reason),
    irreversible: said('True if the action cannot be undone', flag),
    fields: said('The fields that the action sets, one for each line of the manifest', {
      type: 'array',
      items: fieldChange,
    }),
    organization: said('Of `create`: the settings of the organization; secrets are references', {
      type: 'object',
    }),
    undocumented: said(
      'Of `create`: the version, if the service document does not cover it',
      record({ version: text, reportedBy: { type: ['string', 'null'] } }, ['version', 'reportedBy']),
    ),
    licenses: said('Of `create`: the digest of each license file, by its pointer', digests),
    policy: said('Of `update`: the placement policy, with explicit defaults', policy),
    upgradeConfig: said('Of `update`: the sent configuration, including other settings of the site', {
      type: 'object',
    }),
    kept: said('Of `update`: other settings of the site that are preserved', texts),
    emptied: said(
      'Of `update`: settings that are sent empty because the manifest has none, although the site may have some',
      {
        type: 'array',
        items: pointer,
      },
    ),
    token: said('Of `update`: the reference to the token', { type: 'object' }),
  },
  ['operation', 'change', 'reason', 'irreversible', 'fields'],
)

const immutableEdit = record(
  {
    ...field,
    ...values,
    because: said(
      '`no-operation` if no operation can change it, `another-operation` if one does that Landform does not perform',
      {
        enum: ['no-operation', 'another-operation'],
      },
    ),
    ignored: said('True if `--ignore-immutable` names the field', flag),
  },
  [...ofField, 'because', 'ignored'],
)

/** The status of one field. */
export const fieldVerdict = record(
  {
    ...field,
    value: said('The value in the manifest', jsonValue),
    verdict: said('Status of the field', { enum: ['equal', 'different', 'recorded', 'unknowable'] }),
    source: said('Of `different`: the source of the other value', { enum: ['site', 'record'] }),
    found: said('Of `different`: the other value', jsonValue),
    appliedAt: said('Of `recorded`: time of the last apply', time),
    because: said('Of `unknowable`: the reason why the value cannot be verified', {
      enum: [
        'secret',
        'never-recorded',
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
export const coverage = record(
  {
    equal: said('Fields that match the site', count),
    different: said('Fields that differ from the site or the record', count),
    recorded: said('Fields that match the last apply; the site does not report them', count),
    unknowable: said('Fields that cannot be verified', count),
    total: said('All fields', count),
  },
  ['equal', 'different', 'recorded', 'unknowable', 'total'],
)

const digestOrNull: JsonSchema = { type: ['string', 'null'], pattern: digest.pattern ?? '' }
const settings = record(
  {
    upgradeConfig: digestOrNull,
    profile: digestOrNull,
    logLevel: digestOrNull,
    systemProperties: digestOrNull,
  },
  ['upgradeConfig', 'profile', 'logLevel', 'systemProperties'],
)

/** The facts that a plan is valid for. */
export const binds = record(
  {
    manifest: said('Digest of the manifest, with its bases', digest),
    files: said('Digest of each referenced file', digests),
    origin: said('Origin of the site', text),
    site: said(
      'The observed site',
      record(
        {
          state: said(
            'State of the site; `not-observed` if the site was not observed, and then nothing can be applied',
            {
              enum: [...siteStates, 'not-observed'],
            },
          ),
          version: said('Version of the site, if reported', textOrNull),
          build: said('Build of the site, if reported', text),
          settings: said('Digest of each setting; null if the site does not report it', settings),
        },
        ['state', 'version', 'settings'],
      ),
    ),
    state: said('State location', text),
    record: said('Number of the record of the last apply; 0 for none', count),
    recorded: said('Digest of that record', digest),
    tool: said('Landform and its version', text),
    schema: said('Version of the manifest format', text),
  },
  ['manifest', 'files', 'origin', 'site', 'record', 'recorded', 'tool', 'schema'],
)

/** A plan, printed or saved. */
export const plan = record(
  {
    formatVersion: said('Version of the document format', formatVersion),
    id: said('Digest of the actions and the facts of the plan; equal plans have equal digests', digest),
    name: said('Name of the site', text),
    manifest: said('The manifest file', text),
    url: said('URL of the site', text),
    createdAt: said('Time of creation', time),
    expiresAt: said('Expiry; an expired plan is rejected', time),
    binds: said(
      'The facts that the plan is valid for; if one changed, the plan is stale and is rejected',
      binds,
    ),
    settles: said('Decisions that are immutable after creation', {
      type: 'array',
      items: record(
        {
          pointer: said('Place in the manifest', pointer),
          what: said('The decision', text),
        },
        ['pointer', 'what'],
      ),
    }),
    actions: said('Actions, in order', { type: 'array', items: action }),
    immutable: said('Edits of immutable fields', { type: 'array', items: immutableEdit }),
    fields: said('Of a ready site: the status of each field', { type: 'array', items: fieldVerdict }),
    coverage: said('Number of fields by status', coverage),
    summary: said(
      'Number of actions by kind',
      record({ create: count, update: count, attach: count, noOp: count }, [
        'create',
        'update',
        'attach',
        'noOp',
      ]),
    ),
    placement: said('With `--nodes`: preview of the placement policy on the nodes', placement),
    storage: said('With `--storage-classes`: preview of the volumes with the storage classes', storage),
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
