import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { buildDocument, count, describe, text, time } from './parts.js'

const events: Readonly<Record<string, string>> = {
  'worker-started': 'The worker has its lease and accepts sites',
  'worker-stopping': 'The worker received a signal to stop',
  'worker-stopped': 'The worker has released all sites',
  'lease-lost': 'Other workers may have its sites; the worker ends immediately without changing any',
  'run-started': 'A site is begun',
  'phase-ended': 'A phase of a run has ended',
  'configure-accepted': 'The service accepted the `configure` request, which cannot be undone',
  'run-retried': 'A failure that is retried',
  'run-ended': 'A run of a site has ended',
  'runs-adopted': 'The sites of a dead worker are queued again',
  'rollout-changed': 'A submission has started its next wave or has ended',
  'database-failed': 'The database is not available',
  'database-restored': 'It answers again',
  'engine-said': 'A warning or error of the workflow engine',
}

const ms: JsonSchema = { type: 'number' }

/** One log line of a worker; flat, so that log collectors need no rules for it. */
export const fleetLog: JsonSchema = buildDocument(
  'One line of `landform fleet worker --log json`.',
  buildRecord(
    {
      at: describe('Time, on the clock of the machine', time),
      level: describe('error needs a person, warn may resolve itself', { enum: ['info', 'warn', 'error'] }),
      event: { enum: Object.keys(events), enumDescriptions: Object.values(events) },
      worker: describe('Worker that wrote the line', text),
      message: describe('The event as a sentence, for people', text),
      site: describe('URL of the site', text),
      generation: describe('Number of its submission', count),
      name: describe('Name of the site in its manifest', text),
      state: describe('Final state of a run, or current state of a rollout', text),
      outcome: describe('Outcome of a run', text),
      phase: { enum: ['observe', 'configure', 'wait', 'update'] },
      durationMs: ms,
      pauseMs: describe('Milliseconds until the next try', ms),
      why: text,
      code: describe('Error code of PostgreSQL or the system', text),
      runs: count,
      from: describe('The dead worker', text),
      rollout: text,
      wave: count,
      limit: describe('Maximum number of concurrent sites', count),
      version: text,
      database: describe('Address of the database, without user and password', text),
      signal: text,
      said: text,
    },
    ['at', 'level', 'event', 'worker', 'message'],
  ),
)
