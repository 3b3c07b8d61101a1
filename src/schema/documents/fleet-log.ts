import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, document, said, text, time } from './parts.js'

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
export const fleetLog: JsonSchema = document(
  'One line of `landform fleet worker --log json`.',
  record(
    {
      at: said('Time, on the clock of the machine', time),
      level: said('error needs a person, warn may resolve itself', { enum: ['info', 'warn', 'error'] }),
      event: { enum: Object.keys(events), enumDescriptions: Object.values(events) },
      worker: said('Worker that wrote the line', text),
      message: said('The event as a sentence, for people', text),
      site: said('URL of the site', text),
      generation: said('Number of its submission', count),
      name: said('Name of the site in its manifest', text),
      state: said('Final state of a run, or current state of a rollout', text),
      outcome: said('Outcome of a run', text),
      phase: { enum: ['observe', 'configure', 'wait', 'update'] },
      durationMs: ms,
      pauseMs: said('Milliseconds until the next try', ms),
      why: text,
      code: said('Error code of PostgreSQL or the system', text),
      runs: count,
      from: said('The dead worker', text),
      rollout: text,
      wave: count,
      limit: said('Maximum number of concurrent sites', count),
      version: text,
      database: said('Address of the database, without user and password', text),
      signal: text,
      said: text,
    },
    ['at', 'level', 'event', 'worker', 'message'],
  ),
)
