import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, describe, formatVersion, text, time } from './parts.js'
import { change, operation, reason } from './plan.js'
import { holder, timings } from './state.js'

const stage: JsonSchema = {
  type: 'object',
  properties: {
    name: text,
    state: text,
    startTime: { type: 'integer' },
    lastUpdated: { type: 'integer' },
  },
  required: ['name', 'state'],
}

export const stages: JsonSchema = { type: 'array', items: stage }

/** The outcomes of an apply. */
export const outcomes = [
  'done',
  'in-progress',
  'unknown',
  'locked',
  'rejected-before',
  'site-failed',
  'replaced',
  'not-taken',
  'not-permitted',
  'stale',
  'references',
  'interrupted',
  'not-recorded',
] as const

export const outcome: JsonSchema = { enum: outcomes }

/** The anomalies that a site can show. */
const anomalies = [
  'stage-went-back',
  'site-went-back',
  'ready-with-open-stages',
  'not-ready-with-closed-stages',
  'unknown-state',
  'another-version',
  'another-build',
  'another-start',
  'malformed-parts',
  'failed-stage',
  'stood-still',
] as const

const everyEvent = {
  at: describe('Time of the event, on the clock of this machine', time),
  message: describe('The event as a sentence, for people', text),
} as const

/** Creates the schema of one kind of event, with the fields that all events have; `meaning` is when it is reported. */
function buildEvent(
  [type, meaning]: readonly [type: string, meaning: string],
  properties: JsonSchema['properties'] & {},
  optional: JsonSchema['properties'] & {} = {},
): JsonSchema {
  const all = { type: { const: type }, ...everyEvent, ...properties }
  const site = describe('The site of the event; only in a run for several sites', text)
  return {
    title: type,
    description: meaning,
    ...buildRecord({ ...all, ...optional, site }, Object.keys(all)),
  }
}

const ms: JsonSchema = { type: 'number' }
const texts: JsonSchema = { type: 'array', items: text }
const elapsedMs = describe('Milliseconds since the wait began', ms)
const leftMs = describe(
  'Estimated remaining milliseconds, from an earlier configuration; absent without one',
  ms,
)
const stageName = describe('Name of the stage, as the site spells it', text)
const ofOperation = describe('Operation of the service', operation)
const failure = describe('Reason of the failure; `kind` determines the other members', {
  type: 'object',
  properties: { kind: text },
  required: ['kind'],
})
const changedStages = describe('Stages that changed since the last poll', {
  type: 'array',
  items: {
    ...stage,
    properties: {
      ...stage.properties,
      from: describe('Previous state; null if the stage was not seen before', { type: ['string', 'null'] }),
      durationMs: describe('Duration of a completed stage; absent if its beginning was not observed', ms),
    },
  },
})

/** The events of `apply` and `status --wait` while they wait for a site. */
const waitEvents: readonly JsonSchema[] = [
  buildEvent(
    ['stages-changed', 'A poll shows changed stages'],
    { changed: changedStages, stages: describe('All stages, in their current state', stages), elapsedMs },
    { leftMs },
  ),
  buildEvent(
    ['site-said', 'The site has a new message, or new warnings'],
    { warnings: describe('New warnings', texts), elapsedMs },
    { message: everyEvent.message },
  ),
  buildEvent(
    ['anomaly', 'The site shows an anomaly; the wait continues, and nothing is sent. Reported once for each'],
    {
      anomaly: describe('The anomaly', {
        type: 'object',
        properties: { kind: { enum: anomalies } },
        required: ['kind'],
      }),
      elapsedMs,
    },
  ),
  buildEvent(['stage-stalled', 'A stage in progress has not changed for a long time'], {
    stage: stageName,
    unmovedMs: describe('Milliseconds since its last change', ms),
    elapsedMs,
  }),
  buildEvent(['stage-moved', 'A stalled stage is progressing again'], {
    stage: stageName,
    unmovedMs: describe('Milliseconds without a change', ms),
    elapsedMs,
  }),
  buildEvent(
    [
      'observation-failed',
      'A poll of the site failed; the wait continues. Reported once for each new reason',
    ],
    {
      failure,
      elapsedMs,
    },
  ),
  buildEvent(['observation-restored', 'The site can be polled again'], {
    failedMs: describe('Milliseconds of failed polls', ms),
    elapsedMs,
  }),
  buildEvent(
    ['heartbeat', 'No change for a while; shows that the wait continues'],
    { stages: describe('Stages as of the last successful poll', stages), elapsedMs },
    { failure, leftMs },
  ),
  buildEvent(['site-ready', 'The site is ready, in two consecutive polls'], {
    elapsedMs,
    warnings: describe('Warnings of the site', texts),
    timings: describe('Stages that were observed from beginning to end', timings),
  }),
]

/** One event of a run. */
export const event: JsonSchema = {
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: [
    buildEvent(['stream-started', 'The first event of each run'], {
      formatVersion,
      name: describe('Name of the site', text),
      url: describe('URL of the site', text),
      tool: describe('Landform and its version', text),
    }),
    buildEvent(['action-started', 'An action of the plan starts, including a no-op'], {
      operation: ofOperation,
      change: describe('Kind of the action', change),
      reason: describe('Reason of the action', reason),
    }),
    buildEvent(
      ['site-locked', 'Lock acquired: no other run can change the site'],
      { fence: describe('Number of the state version that acquired the lock', count) },
      {
        former: describe('Previous holder that did not release the lock', holder),
        isGone: describe('The process of the previous holder has ended; absent if only its lease expired', {
          const: true,
        }),
      },
    ),
    buildEvent(
      [
        'user-type-unlisted',
        'The service does not list the user type of the administrator with this license; the configuration is sent',
      ],
      {
        userType: describe('User type in the manifest', { type: 'string' }),
        listed: describe('User types that the service lists', { type: 'array', items: { type: 'string' } }),
      },
    ),
    buildEvent(
      [
        'intent-written',
        'Submission intent recorded; `configure` is not sent again without proof that it did not arrive',
      ],
      { generation: describe('Number of the request', count) },
    ),
    buildEvent(
      ['configure-accepted', 'The service accepted the configuration, which continues on the service'],
      {},
    ),
    buildEvent(['configure-begun', 'The first poll that shows that the configuration has begun'], {}),
    buildEvent(['submission-adopted', 'The site shows an unanswered request of an earlier run'], {}),
    buildEvent(
      ['outcome-unknown', 'The outcome of a request is unknown; from here on the site is only polled'],
      { operation: ofOperation, failure },
    ),
    ...waitEvents,
    buildEvent(['action-finished', 'An action of the plan has finished'], { operation: ofOperation }),
    buildEvent(['record-written', 'The applied values were recorded in the state'], {
      serial: describe('Number of the record', count),
    }),
    buildEvent(['stream-finished', 'The last event of a run that is not killed'], {
      outcome: describe('Outcome of the run; `kind` determines the other members', {
        type: 'object',
        properties: { kind: outcome },
        required: ['kind'],
      }),
    }),
  ],
}

/** The `type` of every kind of event. */
export const eventTypes: readonly string[] = (event.oneOf ?? []).map(({ title = '' }) => title)
