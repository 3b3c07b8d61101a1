import { buildRecord } from '../fields.js'
import { allowNull, count, digest, formatVersion, text, textOrNull, time } from './parts.js'
import { buildLock, buildSubmission, entry } from './state.js'

const lock = buildLock({ liveness: { enum: ['alive', 'dead', 'elsewhere'] } })
const withManifest = buildSubmission({ manifest: digest })
const submission = buildRecord(
  { ...withManifest.properties, asserted: { const: true } },
  withManifest.required ?? [],
)

/** The complete state of a site, without values of the manifest. */
export const stateHistory = buildRecord(
  {
    formatVersion,
    site: text,
    where: text,
    lineage: textOrNull,
    serial: count,
    lock: allowNull(lock),
    submission: allowNull(submission),
    record: buildRecord(
      {
        serial: count,
        organization: buildRecord({ appliedAt: time, asserted: { const: true }, manifest: digest }, [
          'appliedAt',
          'manifest',
        ]),
        policy: buildRecord({ appliedAt: time }, ['appliedAt']),
        plan: buildRecord({ id: digest, usedAt: time }, ['id', 'usedAt']),
      },
      ['serial'],
    ),
    history: {
      type: 'array',
      items: buildRecord(
        { serial: { type: 'integer', minimum: 1 }, at: time, tool: text, message: text, entry },
        ['serial', 'at', 'tool', 'message', 'entry'],
      ),
    },
  },
  ['formatVersion', 'site', 'where', 'lineage', 'serial', 'lock', 'submission', 'record', 'history'],
)
