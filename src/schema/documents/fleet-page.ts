import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { stages } from './event.js'
import { ordinal, states } from './fleet-runs.js'
import { allowNull, buildDocument, count, describe, digest, formatVersion, text, time } from './parts.js'
import { buildReceipt } from './state.js'

/** Milliseconds since 1970 by the clock of the database; numbers, because a page computes with many of them. */
const moment: JsonSchema = { type: 'number', minimum: 0 }
const yesOrNo: JsonSchema = { type: 'boolean' }
const state: JsonSchema = { enum: states }
const buildList = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** Creates a record in which every field is required, except the listed ones. */
function buildComplete(
  there: JsonSchema['properties'] & {},
  absent: JsonSchema['properties'] & {} = {},
): JsonSchema {
  return buildRecord({ ...there, ...absent }, Object.keys(there))
}

const key = { site: text, generation: ordinal } as const
const places = { rollout: text, wave: ordinal } as const
const known = { name: text, state, retries: count, isCancelRequested: yesOrNo } as const
const reported = {
  phase: { enum: ['observe', 'configure', 'wait', 'update'] },
  message: text,
  worker: text,
  startedAt: moment,
  endedAt: moment,
} as const
const written = { submittedAt: moment, changedAt: moment } as const

const site = buildComplete(
  { ...key, ...places, ...known, ...written, through: count, stages: count, warnings: count },
  { ...reported, stage: text },
)

const run = buildComplete(
  {
    ...key,
    ...places,
    ...known,
    ...written,
    manifest: text,
    digest,
    priority: ordinal,
    timeoutMs: count,
    stages,
    warnings: buildList(text),
  },
  { ...reported, commit: text, exitCode: count },
)

const rollout = buildComplete({
  id: text,
  submittedBy: text,
  submittedAt: moment,
  wave: ordinal,
  waves: ordinal,
  keepsGoing: yesOrNo,
  state: { enum: ['running', 'stopped', 'done', 'cancelled'] },
  counts: buildList(buildComplete({ wave: ordinal, state, runs: count })),
})

const worker = buildComplete({
  worker: text,
  startedAt: moment,
  beatAt: moment,
  leaseMs: count,
  limit: count,
  version: text,
  isSilent: yesOrNo,
})

/** The documents that the fleet page reads. */
export const fleetPageDocuments = {
  fleetPage: buildDocument(
    'The response of `landform fleet ui` at `/api/fleet`: every site, rollout and worker.',
    buildComplete({
      formatVersion,
      id: text,
      now: moment,
      where: text,
      trouble: allowNull(buildComplete({ message: text })),
      counts: buildComplete(Object.fromEntries(states.map(name => [name, count]))),
      sites: buildList(site),
      rollouts: buildList(rollout),
      workers: buildList(worker),
    }),
  ),
  fleetPageSite: buildDocument(
    'The response of `landform fleet ui` at `/api/sites/SITE`: one site, with one of its runs.',
    buildComplete({
      formatVersion,
      run,
      runs: buildList(
        buildComplete({ ...key, rollout: text, state, submittedAt: moment }, { endedAt: moment }),
      ),
      events: buildList(buildComplete({ ...key, number: ordinal, at: moment, type: text, message: text })),
      receipts: {
        oneOf: [
          buildComplete({ kind: { const: 'read' }, receipts: buildList(buildReceipt({ serial: ordinal })) }),
          buildComplete({ kind: { const: 'unreadable' }, reason: text }),
        ],
      },
      next: buildList(buildComplete({ command: text, why: text })),
    }),
  ),
} as const satisfies Record<string, JsonSchema>

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
