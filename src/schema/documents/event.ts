import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, formatVersion, said, text, time } from './parts.js'
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

/** The ways an apply can end. */
export const outcomes = [
  'done',
  'in-progress',
  'unknown',
  'locked',
  'rejected-before',
  'site-failed',
  'replaced',
  'not-taken',
  'stale',
  'references',
  'interrupted',
  'not-recorded',
] as const

export const outcome: JsonSchema = { enum: outcomes }

/** What the site may show that does not fit. */
const oddities = [
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
  at: said('When it happened, on the clock of this machine', time),
  message: said('The event in a sentence, for people', text),
} as const

/** The fields of one kind of event beside those that all have; `meaning` is when it is told. */
function eventOf(
  [type, meaning]: readonly [type: string, meaning: string],
  properties: JsonSchema['properties'] & {},
  optional: JsonSchema['properties'] & {} = {},
): JsonSchema {
  const all = { type: { const: type }, ...everyEvent, ...properties }
  const site = said('The site that it is about; only in a run for many', text)
  return { title: type, description: meaning, ...record({ ...all, ...optional, site }, Object.keys(all)) }
}

const ms: JsonSchema = { type: 'number' }
const texts: JsonSchema = { type: 'array', items: text }
const elapsedMs = said('Milliseconds since the wait began', ms)
const leftMs = said('Milliseconds that are left, by an earlier configuration; absent where none tells', ms)
const stageName = said('The name of the stage, as the site spells it', text)
const ofOperation = said('Which operation', operation)
const failure = said('Why it failed; `kind` says which members there are', {
  type: 'object',
  properties: { kind: text },
  required: ['kind'],
})
const changedStages = said('Those that changed since the last look', {
  type: 'array',
  items: {
    ...stage,
    properties: {
      ...stage.properties,
      from: said('The state before; null where it was not seen before', { type: ['string', 'null'] }),
      durationMs: said('How long a completed stage took; absent where it was not seen from its begin', ms),
    },
  },
})

/** What `apply` and `status --wait` see of a site while they wait. */
const waitEvents: readonly JsonSchema[] = [
  eventOf(
    ['stages-changed', 'A look shows stages that are not as they were'],
    { changed: changedStages, stages: said('All stages as they are now', stages), elapsedMs },
    { leftMs },
  ),
  eventOf(
    ['site-said', 'The site has a new message, or new warnings'],
    { warnings: said('Those that are new', texts), elapsedMs },
    { message: everyEvent.message },
  ),
  eventOf(['oddity', 'Something does not fit; the wait goes on, and nothing is sent. Told once for each'], {
    oddity: said('What does not fit', {
      type: 'object',
      properties: { kind: { enum: oddities } },
      required: ['kind'],
    }),
    elapsedMs,
  }),
  eventOf(['stage-stalled', 'A stage in progress has not moved for long'], {
    stage: stageName,
    unmovedMs: said('Milliseconds since it moved last', ms),
    elapsedMs,
  }),
  eventOf(['stage-moved', 'A stage that stalled moves again'], {
    stage: stageName,
    unmovedMs: said('Milliseconds for which it did not', ms),
    elapsedMs,
  }),
  eventOf(
    ['observation-failed', 'A look at the site failed; the wait goes on. Told once for each new reason'],
    {
      failure,
      elapsedMs,
    },
  ),
  eventOf(['observation-restored', 'The site can be looked at again'], {
    failedMs: said('Milliseconds for which it could not', ms),
    elapsedMs,
  }),
  eventOf(
    ['heartbeat', 'Nothing new for a while: a sign of life'],
    { stages: said('As they were when they were last seen', stages), elapsedMs },
    { failure, leftMs },
  ),
  eventOf(['site-ready', 'The site is ready, by two looks in a row'], {
    elapsedMs,
    warnings: said('What the site warns of', texts),
    timings: said('The stages that were seen from their begin to their end', timings),
  }),
]

/** One event of a run. */
export const event: JsonSchema = {
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: [
    eventOf(['stream-started', 'The first event of each run'], {
      formatVersion,
      name: said('Name of the site', text),
      url: said('Its address', text),
      tool: said('Landform and its version', text),
    }),
    eventOf(['action-started', 'An action of the plan begins; a no-op begins, too'], {
      operation: ofOperation,
      change: said('What it does', change),
      reason: said('Why', reason),
    }),
    eventOf(
      ['site-locked', 'This run has the site now, and no other begins anything there'],
      { fence: said('Number of the version of the state that took it', count) },
      {
        former: said('The run that had it before and did not let it go', holder),
        isGone: said('Its process is gone; without it only its hold on the site had ended', { const: true }),
      },
    ),
    eventOf(
      ['intent-written', 'The promise to send `configure` is kept durably; it is not sent again unproven'],
      { generation: said('Number of the request', count) },
    ),
    eventOf(
      ['configure-accepted', 'The service has taken the configuration over, and goes on without Landform'],
      {},
    ),
    eventOf(['configure-begun', 'A look shows for the first time that the configuration has begun'], {}),
    eventOf(['submission-adopted', 'A request of an earlier run that had no answer shows on the site'], {}),
    eventOf(
      [
        'outcome-unknown',
        'A request went out, and nothing tells what became of it: from here on, only looking',
      ],
      { operation: ofOperation, failure },
    ),
    ...waitEvents,
    eventOf(['action-finished', 'An action of the plan is through'], { operation: ofOperation }),
    eventOf(['record-written', 'What was applied is noted in the state'], {
      serial: said('Number of the record', count),
    }),
    eventOf(['stream-finished', 'The last event of a run that ends by itself'], {
      outcome: said('How it ended; `kind` says which members there are', {
        type: 'object',
        properties: { kind: outcome },
        required: ['kind'],
      }),
    }),
  ],
}

/** The `type` of every kind of event. */
export const eventTypes: readonly string[] = (event.oneOf ?? []).map(({ title = '' }) => title)
