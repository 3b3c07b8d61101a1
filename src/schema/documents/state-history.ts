import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, digest, formatVersion, text, textOrNull, time } from './parts.js'
import { entry, holder, lockFields, submissionState, timings } from './state.js'

const lock = record({ ...lockFields.properties, liveness: { enum: ['alive', 'dead', 'elsewhere'] } }, [
  ...lockFields.required,
  'liveness',
])

const submission = record(
  {
    generation: { type: 'integer', minimum: 1 },
    nonce: text,
    state: submissionState,
    intendedAt: time,
    changedAt: time,
    by: holder,
    deadlineMs: { type: 'number' },
    manifest: digest,
    reason: text,
    timings,
  },
  ['generation', 'nonce', 'state', 'intendedAt', 'changedAt', 'by', 'deadlineMs', 'manifest'],
)

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

/** Everything that is kept about a site, without values of the manifest. */
export const stateHistory = record(
  {
    formatVersion,
    site: text,
    where: text,
    lineage: textOrNull,
    serial: count,
    lock: orNull(lock),
    submission: orNull(submission),
    record: record(
      {
        serial: count,
        organization: record({ appliedAt: time, manifest: digest }, ['appliedAt', 'manifest']),
        policy: record({ appliedAt: time }, ['appliedAt']),
        plan: record({ id: digest, usedAt: time }, ['id', 'usedAt']),
      },
      ['serial'],
    ),
    history: {
      type: 'array',
      items: record({ serial: { type: 'integer', minimum: 1 }, at: time, tool: text, message: text, entry }, [
        'serial',
        'at',
        'tool',
        'message',
        'entry',
      ]),
    },
  },
  ['formatVersion', 'site', 'where', 'lineage', 'serial', 'lock', 'submission', 'record', 'history'],
)
