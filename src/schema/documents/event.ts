import type { JsonSchema } from '../json-schema.js'
import {
  count,
  defineRecord,
  describe,
  formatVersion,
  listOf,
  type Members,
  ms,
  nameType,
  oneOfTexts,
  text,
  texts,
  time,
} from './parts.js'
import { change, operation, reason } from './plan.js'
import { holder, timings } from './state.js'

const serviceTime: JsonSchema = describe(
  'Milliseconds since 1970 by the clock of the service; for display only',
  {
    type: 'integer',
  },
)

export const stage: JsonSchema = {
  type: 'object',
  description: 'One stage as the service reports it; `state` and `name` may be unknown to Landform.',
  properties: {
    name: text,
    state: text,
    startTime: serviceTime,
    lastUpdated: serviceTime,
  },
  required: ['name', 'state'],
}

export const stages = listOf(nameType('StageRecord', '', stage))

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

export const outcome = oneOfTexts(...outcomes)

/** The anomalies that a site can show. */
const anomalies = [
  'stage-went-back',
  'site-went-back',
  'ready-with-open-stages',
  'not-ready-with-closed-stages',
  'unknown-state',
  'another-version',
  'another-build',
  'another-emulator',
  'another-start',
  'malformed-parts',
  'failed-stage',
  'stood-still',
]

/** Describes a value of the program of which documents show only the kind; the other members depend on that. */
function byKind(name: string, description: string, kind: JsonSchema): JsonSchema {
  return describe(
    description,
    nameType(name, '', { type: 'object', properties: { kind }, required: ['kind'] }),
  )
}

const elapsedMs = describe('Milliseconds since the wait began', ms)
const leftMs = describe(
  'Estimated remaining milliseconds, from an earlier configuration of the site at the speed of this one; absent where nothing can be compared',
  ms,
)
const stageName = describe('Name of the stage, as the site spells it', text)
const ofOperation = describe('Operation of the service', operation)
const failure = byKind('ServiceFailure', 'Reason of the failure; `kind` determines the other members', text)
const changedStage: JsonSchema = {
  ...stage,
  properties: {
    ...stage.properties,
    from: describe('Previous state; null if the stage was not seen before', { type: ['string', 'null'] }),
    durationMs: describe('Duration of a completed stage; absent if its beginning was not observed', ms),
  },
  required: ['name', 'state', 'from'],
}

const message = describe('The event as a sentence, for people', text)

/** The members of each kind of event, with the moment at which it is reported. */
const events: Readonly<Record<string, readonly [reported: string, members: Members]>> = {
  'stream-started': [
    'The first event of each run',
    {
      formatVersion,
      name: describe('Name of the site', text),
      url: describe('URL of the site', text),
      tool: describe('Landform and its version', text),
    },
  ],
  'action-started': [
    'An action of the plan starts, including a no-op',
    {
      operation: ofOperation,
      change: describe('Kind of the action', change),
      reason: describe('Reason of the action', reason),
    },
  ],
  'site-locked': [
    'Lock acquired: no other run can change the site',
    {
      fence: describe('Number of the state version that acquired the lock', count),
      'former?': describe('Previous holder that did not release the lock', holder),
      'isGone?': describe('The process of the previous holder has ended; absent if only its lease expired', {
        const: true,
      }),
    },
  ],
  'user-type-unlisted': [
    'The service does not list the user type of the administrator with this license; the configuration is sent',
    {
      userType: describe('User type in the manifest', text),
      listed: describe('User types that the service lists', texts),
    },
  ],
  'intent-written': [
    'Submission intent recorded; `configure` is not sent again without proof that it did not arrive',
    { generation: describe('Number of the request', count) },
  ],
  'intent-not-noted': [
    'This machine could not note the submission intent: only the state prevents a second request',
    { 'folder?': describe('The folder of the notes; absent if the environment names none', text) },
  ],
  'configure-accepted': ['The service accepted the configuration, which continues on the service', {}],
  'configure-begun': ['The first poll that shows that the configuration has begun', {}],
  'submission-adopted': ['The site shows an unanswered request of an earlier run', {}],
  'outcome-unknown': [
    'The outcome of a request is unknown; from here on the site is only polled',
    { operation: ofOperation, failure },
  ],
  'stages-changed': [
    'A poll shows changed stages',
    {
      changed: describe(
        'Stages that changed since the last poll',
        listOf(nameType('ChangedStage', 'A stage whose state changed', changedStage)),
      ),
      stages: describe('All stages, in their current state', stages),
      elapsedMs,
      'leftMs?': leftMs,
    },
  ],
  'site-said': [
    'The site has a new message, or new warnings',
    { 'message?': message, warnings: describe('New warnings', texts), elapsedMs },
  ],
  anomaly: [
    'The site shows an anomaly; the wait continues, and nothing is sent. Reported once for each',
    { anomaly: byKind('Anomaly', 'The anomaly', oneOfTexts(...anomalies)), elapsedMs },
  ],
  'stage-stalled': [
    'A stage in progress has not changed for a long time',
    { stage: stageName, unmovedMs: describe('Milliseconds since its last change', ms), elapsedMs },
  ],
  'stage-moved': [
    'A stalled stage is progressing again',
    { stage: stageName, unmovedMs: describe('Milliseconds without a change', ms), elapsedMs },
  ],
  'observation-failed': [
    'A poll of the site failed; the wait continues. Reported once for each new reason',
    { failure, elapsedMs },
  ],
  'observation-restored': [
    'The site can be polled again',
    { failedMs: describe('Milliseconds of failed polls', ms), elapsedMs },
  ],
  heartbeat: [
    'No change for a while; shows that the wait continues',
    {
      stages: describe('Stages as of the last successful poll', stages),
      elapsedMs,
      'failure?': failure,
      'said?': describe('The response to `configure`, while its outcome is unknown', text),
      'leftMs?': leftMs,
    },
  ],
  'site-ready': [
    'The site is ready, in two consecutive polls',
    {
      elapsedMs,
      warnings: describe('Warnings of the site', texts),
      timings: describe('Stages that were observed from beginning to end', timings),
    },
  ],
  'action-finished': ['An action of the plan has finished', { operation: ofOperation }],
  'record-written': [
    'The applied values were recorded in the state',
    { serial: describe('Number of the record', count) },
  ],
  'stream-finished': [
    'The last event of a run that is not killed',
    { outcome: byKind('Outcome', 'Outcome of the run; `kind` determines the other members', outcome) },
  ],
}

/** Creates the schema of an event from the schemas of all kinds. */
function buildEvents(build: (type: string, reported: string, members: Members) => JsonSchema): JsonSchema {
  return {
    type: 'object',
    discriminator: { propertyName: 'type' },
    required: ['type'],
    oneOf: Object.entries(events).map(([type, [reported, members]]) =>
      build(type, reported, { type: { const: type }, ...members }),
    ),
  }
}

/** One event of a run as it is written: with its time, a sentence and, in a run over several sites, the site. */
export const event = buildEvents((title, description, { type = {}, ...members }) => ({
  title,
  description,
  ...defineRecord({
    type,
    at: describe('Time of the event, on the clock of this machine', time),
    ...('message?' in members ? {} : { message }),
    ...members,
    'site?': describe('The site of the event; only in a run for several sites', text),
  }),
}))

/** One event of a run, as a value of the program. */
export const applyEvent = buildEvents((type, reported, members) =>
  nameType(
    `${type.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`,
    reported,
    defineRecord(members),
  ),
)

/** The `type` of every kind of event. */
export const eventTypes: readonly string[] = Object.keys(events)
