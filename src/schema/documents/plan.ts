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

/** A placement policy with nothing left to defaults. Service §2.7. */
export const policy = record({ nodeAffinity: { type: 'object' }, tolerations: { type: 'array' } }, [
  'nodeAffinity',
  'tolerations',
])

const field = {
  pointer: said('The field, as a JSON pointer into the manifest', pointer),
  parameter: said('The request parameter that carries it', text),
  file: said('The file that it is written in', text),
  line: said('The line there, from 1', { type: 'integer', minimum: 1 }),
} as const satisfies JsonSchema['properties']
const ofField = ['pointer', 'parameter', 'file', 'line'] as const

const values = {
  before: said('The value that is known; absent where none is', jsonValue),
  after: said('The value that the manifest has; absent where it has none any more', jsonValue),
}

const fieldChange = record({ ...field, ...values }, ofField)

const action = record(
  {
    operation: said('Which operation of the service', operation),
    change: said('What it does; `no-op` sends nothing', change),
    reason: said('Why', reason),
    irreversible: said('True where nothing takes it back', flag),
    fields: said('The fields that it sets, one a line of the manifest', {
      type: 'array',
      items: fieldChange,
    }),
    organization: said('Of `create`: what the organization is made from; secrets are references', {
      type: 'object',
    }),
    undocumented: said(
      'Of `create`: the version, where the service document does not cover it',
      record({ version: text, reportedBy: { type: ['string', 'null'] } }, ['version', 'reportedBy']),
    ),
    licenses: said('Of `create`: the digest of each license file, by its pointer', digests),
    policy: said('Of `update`: the placement policy, with nothing left to defaults', policy),
    upgradeConfig: said('Of `update`: what is sent, with what the site has besides', { type: 'object' }),
    kept: said('Of `update`: what the site has besides, and keeps', texts),
    emptied: said(
      'Of `update`: what is sent empty, though the manifest names none and the site may have some',
      {
        type: 'array',
        items: pointer,
      },
    ),
    token: said('Of `update`: where the token comes from, as a reference', { type: 'object' }),
  },
  ['operation', 'change', 'reason', 'irreversible', 'fields'],
)

const immutableEdit = record(
  {
    ...field,
    ...values,
    because: said('Whether no operation can change it, or one that Landform does not perform', {
      enum: ['no-operation', 'another-operation'],
    }),
    ignored: said('True where `--ignore-immutable` names it', flag),
  },
  [...ofField, 'because', 'ignored'],
)

/** What can be said of one field. */
export const fieldVerdict = record(
  {
    ...field,
    value: said('The value that the manifest has', jsonValue),
    verdict: said('What can be said of it', { enum: ['equal', 'different', 'recorded', 'unknowable'] }),
    source: said('Of `different`: who says so', { enum: ['site', 'record'] }),
    found: said('Of `different`: the value there', jsonValue),
    appliedAt: said('Of `recorded`: when it was applied', time),
    because: said('Of `unknowable`: why nobody can know', {
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

/** How much of a manifest is known to be as it says. */
export const coverage = record(
  {
    equal: said('As the site tells', count),
    different: said('Otherwise than the site or the record tells', count),
    recorded: said('As the last apply left them; the site does not tell', count),
    unknowable: said('Nobody can know', count),
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

/** The facts that a plan is bound to. */
export const binds = record(
  {
    manifest: said('Digest of what the manifest says, with its bases', digest),
    files: said('Digest of each file that it names', digests),
    origin: said('Origin of the site', text),
    site: said(
      'What the site said',
      record(
        {
          state: said('Its state; `not-observed` where nobody looked, and then nothing can be applied', {
            enum: [...siteStates, 'not-observed'],
          }),
          version: said('Its version, where it tells', textOrNull),
          build: said('Its build, where it tells', text),
          settings: said('Digest of each setting that it tells; null where it does not', settings),
        },
        ['state', 'version', 'settings'],
      ),
    ),
    state: said('Where state is kept', text),
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
    formatVersion: said('The format of this document; another number is another format', formatVersion),
    id: said('Digest of what the plan does and is bound to; two plans that do the same have one', digest),
    name: said('Name of the site', text),
    manifest: said('The file that it was made from', text),
    url: said('Address of the site', text),
    createdAt: said('When it was made', time),
    expiresAt: said('After that it is refused', time),
    binds: said('The facts that it holds for; where one moved, it is refused', binds),
    settles: said('What creating the organization decides for good', {
      type: 'array',
      items: record(
        {
          pointer: said('Where the manifest says it', pointer),
          what: said('What is decided', text),
        },
        ['pointer', 'what'],
      ),
    }),
    actions: said('What is done, in this order', { type: 'array', items: action }),
    immutable: said('Edits that nothing can carry out', { type: 'array', items: immutableEdit }),
    fields: said('Of a ready site, what can be said of each field', { type: 'array', items: fieldVerdict }),
    coverage: said('How many fields have which verdict', coverage),
    summary: said(
      'How many actions there are of each kind',
      record({ create: count, update: count, attach: count, noOp: count }, [
        'create',
        'update',
        'attach',
        'noOp',
      ]),
    ),
    placement: said('With `--nodes`: what the cluster makes of the placement policy', placement),
    storage: said('With `--storage-classes`: what the cluster has of the storage classes', storage),
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
