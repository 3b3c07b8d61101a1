import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { stages } from './event.js'
import { allowNull, buildDocument, count, digest, formatVersion, text, textOrNull, time } from './parts.js'
import { entry } from './state.js'

const timeOrNull = allowNull(time)
export const ordinal: JsonSchema = { type: 'integer', minimum: 1 }

/** The states of a run, as in the fleet package. */
export const states = [
  'ambiguous',
  'failed',
  'refused',
  'unfinished',
  'running',
  'queued',
  'waiting',
  'cancelled',
  'done',
]

const run = {
  generation: ordinal,
  rollout: text,
  file: text,
  digest,
  commit: textOrNull,
  wave: ordinal,
  priority: ordinal,
  state: { enum: states },
  phase: { enum: ['observe', 'configure', 'wait', 'update', null] },
  message: textOrNull,
  exitCode: allowNull(count),
  stages,
  warnings: { type: 'array', items: text },
  retries: count,
  worker: textOrNull,
  isCancelRequested: { type: 'boolean' },
  submittedAt: time,
  startedAt: timeOrNull,
  endedAt: timeOrNull,
  changedAt: time,
} as const

const event = buildRecord({ number: ordinal, at: time, type: text, message: text }, [
  'number',
  'at',
  'type',
  'message',
])

const rollout = buildRecord(
  {
    id: text,
    submittedBy: text,
    submittedAt: time,
    wave: ordinal,
    waves: ordinal,
    keepsGoing: { type: 'boolean' },
    state: { enum: ['running', 'stopped', 'done', 'cancelled'] },
  },
  ['id', 'submittedBy', 'submittedAt', 'wave', 'waves', 'keepsGoing', 'state'],
)

const worker = buildRecord(
  {
    worker: text,
    startedAt: time,
    beatAt: time,
    leaseMs: count,
    limit: count,
    version: text,
    isSilent: { type: 'boolean' },
  },
  ['worker', 'startedAt', 'beatAt', 'leaseMs', 'limit', 'version', 'isSilent'],
)

const receipt = buildRecord({ serial: ordinal, at: time, tool: text, message: text, entry }, [
  'serial',
  'at',
  'tool',
  'message',
  'entry',
])

const site = buildRecord(
  {
    site: text,
    url: text,
    file: text,
    digest,
    wave: allowNull(ordinal),
    generation: ordinal,
    submission: { enum: ['new', 'behind', 'instead', 'same'] },
  },
  ['site', 'url', 'file', 'digest', 'wave', 'generation', 'submission'],
)

/** The documents about a fleet that workers run. */
export const fleetRunDocuments = {
  fleetSubmission: buildDocument(
    'The output of `landform fleet submit --format json`.',
    buildRecord(
      {
        formatVersion,
        rollout: textOrNull,
        commit: textOrNull,
        summary: buildRecord({ sites: count, new: count, behind: count, instead: count, same: count }, [
          'sites',
          'new',
          'behind',
          'instead',
          'same',
        ]),
        sites: { type: 'array', items: site },
      },
      ['formatVersion', 'rollout', 'commit', 'summary', 'sites'],
    ),
  ),
  fleetRuns: buildDocument(
    'The output of `landform fleet status --format json`.',
    buildRecord(
      {
        formatVersion,
        exitCode: count,
        summary: buildRecord({ sites: count, ...Object.fromEntries(states.map(state => [state, count])) }, [
          'sites',
          ...states,
        ]),
        sites: {
          type: 'array',
          items: buildRecord({ site: text, url: text, ...run }, ['site', 'url', ...Object.keys(run)]),
        },
        rollouts: { type: 'array', items: rollout },
        workers: { type: 'array', items: worker },
      },
      ['formatVersion', 'exitCode', 'summary', 'sites', 'rollouts', 'workers'],
    ),
  ),
  fleetHistory: buildDocument(
    'The output of `landform fleet history --format json`.',
    buildRecord(
      {
        formatVersion,
        site: text,
        url: text,
        runs: {
          type: 'array',
          items: buildRecord({ ...run, events: { type: 'array', items: event } }, [
            ...Object.keys(run),
            'events',
          ]),
        },
        receipts: { type: 'array', items: receipt },
      },
      ['formatVersion', 'site', 'url', 'runs', 'receipts'],
    ),
  ),
} as const satisfies Record<string, JsonSchema>
