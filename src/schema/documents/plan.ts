import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, digest, formatVersion, jsonValue, pointer, text, textOrNull, time } from './parts.js'
import { placement, storage } from './previews.js'

export const siteState: JsonSchema = {
  enum: ['not-configured', 'in-progress', 'ready', 'failed', 'unrecognized'],
}
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
  pointer,
  parameter: text,
  file: text,
  line: { type: 'integer', minimum: 1 },
} as const satisfies JsonSchema['properties']
const ofField = ['pointer', 'parameter', 'file', 'line'] as const

const fieldChange = record({ ...field, before: jsonValue, after: jsonValue }, ofField)

const action = record(
  {
    operation,
    change,
    reason,
    irreversible: flag,
    fields: { type: 'array', items: fieldChange },
    organization: { type: 'object' },
    licenses: digests,
    policy,
    upgradeConfig: { type: 'object' },
    kept: texts,
    token: { type: 'object' },
  },
  ['operation', 'change', 'reason', 'irreversible', 'fields'],
)

const immutableEdit = record(
  {
    ...field,
    before: jsonValue,
    after: jsonValue,
    because: { enum: ['no-operation', 'another-operation'] },
    ignored: flag,
  },
  [...ofField, 'because', 'ignored'],
)

/** What can be said of one field. */
export const fieldVerdict = record(
  {
    ...field,
    value: jsonValue,
    verdict: { enum: ['equal', 'different', 'recorded', 'unknowable'] },
    source: { enum: ['site', 'record'] },
    found: jsonValue,
    appliedAt: time,
    because: {
      enum: [
        'secret',
        'never-recorded',
        'no-token',
        'not-allowed',
        'upgrading',
        'not-understood',
        'no-answer',
      ],
    },
  },
  [...ofField, 'verdict'],
)

/** How much of a manifest is known to be as it says. */
export const coverage = record(
  { equal: count, different: count, recorded: count, unknowable: count, total: count },
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
    manifest: digest,
    files: digests,
    origin: text,
    site: record({ state: siteState, version: textOrNull, settings }, ['state', 'version', 'settings']),
    record: count,
    recorded: digest,
    tool: text,
    schema: text,
  },
  ['manifest', 'files', 'origin', 'site', 'record', 'recorded', 'tool', 'schema'],
)

/** A plan, printed or saved. */
export const plan = record(
  {
    formatVersion,
    id: digest,
    name: text,
    manifest: text,
    url: text,
    createdAt: time,
    expiresAt: time,
    binds,
    settles: { type: 'array', items: record({ pointer, what: text }, ['pointer', 'what']) },
    actions: { type: 'array', items: action },
    immutable: { type: 'array', items: immutableEdit },
    fields: { type: 'array', items: fieldVerdict },
    coverage,
    summary: record({ create: count, update: count, attach: count, noOp: count }, [
      'create',
      'update',
      'attach',
      'noOp',
    ]),
    placement,
    storage,
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
