import { record } from '../fields.js'
import { count, digest, formatVersion, orNull, text, textOrNull, time } from './parts.js'
import { entry, lockWith, submissionWith } from './state.js'

const lock = lockWith({ liveness: { enum: ['alive', 'dead', 'elsewhere'] } })
const submission = submissionWith({ manifest: digest })

/** The complete state of a site, without values of the manifest. */
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
