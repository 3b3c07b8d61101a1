import { stages } from './event.js'
import {
  allowNull,
  buildDocument,
  count,
  defineRecord,
  describe,
  digest,
  flag,
  formatVersion,
  listOf,
  type Members,
  ms,
  oneOfTexts,
  ordinal,
  runStates,
  text,
  textOrNull,
  texts,
  time,
} from './parts.js'
import { entry } from './state.js'

const timeOrNull = allowNull(time)

const state = oneOfTexts(...runStates)
const countByState = Object.fromEntries(runStates.map(name => [name, count]))
const phases = ['observe', 'configure', 'wait', 'update'] as const

const run = {
  generation: ordinal,
  rollout: text,
  file: text,
  digest,
  commit: textOrNull,
  wave: ordinal,
  priority: ordinal,
  state,
  phase: { enum: [...phases, null] },
  message: textOrNull,
  exitCode: allowNull(count),
  stages,
  warnings: texts,
  retries: count,
  worker: textOrNull,
  isCancelRequested: flag,
  submittedAt: time,
  startedAt: timeOrNull,
  endedAt: timeOrNull,
  changedAt: time,
} as const

const rollout = defineRecord({
  id: text,
  submittedBy: text,
  submittedAt: time,
  wave: ordinal,
  waves: ordinal,
  keepsGoing: flag,
  state: oneOfTexts('running', 'stopped', 'done', 'cancelled'),
})
const worker = defineRecord({
  worker: text,
  startedAt: time,
  beatAt: time,
  leaseMs: count,
  limit: count,
  version: text,
  isSilent: flag,
})

/** The documents about a fleet that workers run. */
const runDocuments = {
  fleetSubmission: buildDocument(
    'The output of `landform fleet submit --format json`.',
    defineRecord({
      formatVersion,
      rollout: textOrNull,
      commit: textOrNull,
      summary: defineRecord({ sites: count, new: count, behind: count, instead: count, same: count }),
      sites: listOf(
        defineRecord({
          site: text,
          url: text,
          file: text,
          digest,
          wave: allowNull(ordinal),
          generation: ordinal,
          submission: oneOfTexts('new', 'behind', 'instead', 'same'),
        }),
      ),
    }),
  ),
  fleetRuns: buildDocument(
    'The output of `landform fleet status --format json`, and what the page of a fleet reads.',
    defineRecord({
      formatVersion,
      exitCode: count,
      summary: defineRecord({ sites: count, ...countByState }),
      sites: listOf(defineRecord({ site: text, url: text, ...run })),
      rollouts: listOf(rollout),
      workers: listOf(worker),
    }),
  ),
  fleetHistory: buildDocument(
    'The output of `landform fleet history --format json`.',
    defineRecord({
      formatVersion,
      site: text,
      url: text,
      runs: listOf(
        defineRecord({
          ...run,
          events: listOf(defineRecord({ number: ordinal, at: time, type: text, message: text })),
        }),
      ),
      receipts: listOf(defineRecord({ serial: ordinal, at: time, tool: text, message: text, entry })),
    }),
  ),
} as const

const events: Readonly<Record<string, string>> = {
  'worker-started': 'The worker has its lease and accepts sites',
  'worker-stopping': 'The worker received a signal to stop',
  'worker-stopped': 'The worker has released all sites',
  'lease-lost': 'Other workers may have its sites; the worker ends immediately without changing any',
  'run-started': 'A site is begun or taken over',
  'phase-ended': 'A phase of a run has ended',
  'configure-accepted': 'The service accepted the `configure` request, which cannot be undone',
  'run-retried': 'A failure that is retried',
  'run-ended': 'A run of a site has ended',
  'runs-adopted': 'The sites of a dead worker are queued again',
  'rollout-changed': 'A submission has started its next wave or has ended',
  'database-failed': 'The database is not available',
  'database-restored': 'It answers again',
  'watch-failed': 'The regular work of the worker failed with an unexpected error; it is repeated',
}

/** One log line of a worker; flat, so that log collectors need no rules for it. */
const fleetLog = buildDocument(
  'One line of `landform fleet worker --log json`.',
  defineRecord({
    at: describe('Time, on the clock of the machine', time),
    level: describe('error needs a person, warn may resolve itself', oneOfTexts('info', 'warn', 'error')),
    event: { enum: Object.keys(events), enumDescriptions: Object.values(events) },
    worker: describe('Worker that wrote the line', text),
    message: describe('The event as a sentence, for people', text),
    'site?': describe('URL of the site', text),
    'generation?': describe('Number of its submission', count),
    'name?': describe('Name of the site in its manifest', text),
    'state?': describe('Final state of a run, or current state of a rollout', text),
    'outcome?': describe('Outcome of a run', text),
    'phase?': oneOfTexts(...phases),
    'durationMs?': ms,
    'pauseMs?': describe('Milliseconds until the next try', ms),
    'why?': text,
    'code?': describe('Error code of PostgreSQL or the system', text),
    'runs?': count,
    'from?': describe('The dead worker', text),
    'rollout?': text,
    'wave?': count,
    'limit?': describe('Maximum number of concurrent sites', count),
    'version?': text,
    'database?': describe('Address of the database, without user and password', text),
    'signal?': text,
    'error?': describe('Name of an unexpected error', text),
  }),
)

export const fleetDocuments = {
  ...runDocuments,
  fleetLog,
} as const satisfies Members
