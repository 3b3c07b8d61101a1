import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, document, said, text, time } from './parts.js'

const events: Readonly<Record<string, string>> = {
  'worker-started': 'It has its lease, and takes sites',
  'worker-stopping': 'It was told to stop',
  'worker-stopped': 'It has no site any more',
  'lease-lost': 'Others may have its sites; it ends at once, and touches none',
  'run-started': 'A site is begun',
  'phase-ended': 'A part of a run is over',
  'configure-accepted': 'The service took the one request over that cannot be taken back',
  'run-retried': 'Something went wrong that another try may help',
  'run-ended': 'A run of a site is over',
  'runs-adopted': 'The sites of a worker that died are queued again',
  'rollout-changed': 'A submission is in its next wave, or is over',
  'database-failed': 'The database does not answer',
  'database-restored': 'It answers again',
  'engine-said': 'A warning or an error of the engine',
}

const ms: JsonSchema = { type: 'number' }

/** One line of a worker: flat, so that collectors of logs need no rules for it. */
export const fleetLog: JsonSchema = document(
  'One line of `landform fleet worker --log json`.',
  record(
    {
      at: said('When, on the clock of the machine', time),
      level: said('error is for a person, warn may be over by itself', { enum: ['info', 'warn', 'error'] }),
      event: { enum: Object.keys(events), enumDescriptions: Object.values(events) },
      worker: said('Which worker tells it', text),
      message: said('The event in a sentence, for people', text),
      site: said('Address of the site that it is about', text),
      generation: said('Which of its submissions', count),
      name: said('What the manifest calls the site', text),
      state: said('How a run ended, or where a rollout stands', text),
      outcome: said('What became of a run', text),
      phase: { enum: ['observe', 'configure', 'wait', 'update'] },
      durationMs: ms,
      pauseMs: said('Until the next try', ms),
      why: text,
      code: said('As PostgreSQL or the system has it', text),
      runs: count,
      from: said('The worker that died', text),
      rollout: text,
      wave: count,
      limit: said('How many sites it has at once at most', count),
      version: text,
      database: said('Where it is, without user and password', text),
      signal: text,
      said: text,
    },
    ['at', 'level', 'event', 'worker', 'message'],
  ),
)
