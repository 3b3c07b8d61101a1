import { drift } from './documents/drift.js'
import { emulatorState } from './documents/emulator-state.js'
import { fleetDocuments } from './documents/fleet.js'
import { oneShotDocuments } from './documents/one-shot.js'
import { count, diagnostics, document, formatVersion, text, textOrNull, time } from './documents/parts.js'
import { change, operation, plan, reason, siteState } from './documents/plan.js'
import { holder, siteStateDocument, timings } from './documents/state.js'
import { stateHistory } from './documents/state-history.js'
import { why } from './documents/why.js'
import { record } from './fields.js'
import type { JsonSchema } from './json-schema.js'

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

const stages: JsonSchema = { type: 'array', items: stage }

/** The ways an apply can end. */
const outcomes = [
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

const outcome: JsonSchema = { enum: outcomes }

const status = record(
  {
    formatVersion,
    url: text,
    state: siteState,
    reported: text,
    version: textOrNull,
    message: text,
    warnings: { type: 'array', items: text },
    stages,
  },
  ['formatVersion', 'url', 'state', 'version', 'warnings', 'stages'],
)

const error = record(
  {
    exitCode: count,
    message: text,
    next: text,
    diagnostics,
    moved: { type: 'array', items: text },
  },
  ['exitCode', 'message', 'diagnostics'],
)

/** What the site may show that does not fit. */
const oddities = [
  'stage-went-back',
  'site-went-back',
  'ready-with-open-stages',
  'not-ready-with-closed-stages',
  'unknown-state',
  'another-version',
  'stood-still',
] as const

/** The fields of one kind of event beside those that all have. */
function eventOf(
  type: string,
  properties: JsonSchema['properties'] & {},
  optional: JsonSchema['properties'] & {} = {},
): JsonSchema {
  const all = { type: { const: type }, at: time, message: text, ...properties }
  // `site` only of many sites.
  return { title: type, ...record({ ...all, ...optional, site: text }, Object.keys(all)) }
}

const failure: JsonSchema = { type: 'object', properties: { kind: text }, required: ['kind'] }
const texts: JsonSchema = { type: 'array', items: text }
const ms: JsonSchema = { type: 'number' }

/** What `apply` and `status --wait` see of a site while they wait. */
const waitEvents: readonly JsonSchema[] = [
  eventOf(
    'stages-changed',
    {
      changed: {
        type: 'array',
        items: {
          ...stage,
          properties: { ...stage.properties, from: { type: ['string', 'null'] }, durationMs: ms },
        },
      },
      stages,
      elapsedMs: ms,
    },
    { leftMs: ms },
  ),
  eventOf('site-said', { warnings: texts, elapsedMs: ms }, { message: text }),
  eventOf('oddity', {
    oddity: { type: 'object', properties: { kind: { enum: oddities } }, required: ['kind'] },
    elapsedMs: ms,
  }),
  eventOf('stage-stalled', { stage: text, unmovedMs: ms, elapsedMs: ms }),
  eventOf('stage-moved', { stage: text, unmovedMs: ms, elapsedMs: ms }),
  eventOf('observation-failed', { failure, elapsedMs: ms }),
  eventOf('observation-restored', { failedMs: ms, elapsedMs: ms }),
  eventOf('heartbeat', { stages, elapsedMs: ms }, { failure, leftMs: ms }),
  eventOf('site-ready', { elapsedMs: ms, warnings: texts, timings }),
]

/** The machine documents that Landform writes, by name. Adding a field is no breaking change; the rest is. */
export const documentSchemas = {
  validation: document('What `landform validate --format json` prints.', {
    ...record(
      {
        formatVersion,
        diagnostics,
        versions: {
          type: 'array',
          items: record({ file: text, version: text, diagnostics }, ['file', 'version', 'diagnostics']),
        },
        summary: record({ files: count, errors: count, warnings: count, skipped: count }, [
          'files',
          'errors',
          'warnings',
        ]),
      },
      ['formatVersion', 'diagnostics', 'summary'],
    ),
  }),
  plan: document('What `landform plan --format json` prints.', plan),
  drift: document('What `landform drift --format json` prints.', drift),
  why: document('What `landform why --format json` prints.', why),
  status: document('What `landform status --format json` prints.', status),
  receipt: document(
    'What `landform apply --format json` prints.',
    record(
      {
        formatVersion,
        outcome,
        exitCode: count,
        message: text,
        next: text,
        startedAt: time,
        finishedAt: time,
        diagnostics,
        plan,
      },
      ['formatVersion', 'outcome', 'exitCode', 'message', 'startedAt', 'finishedAt', 'diagnostics', 'plan'],
    ),
  ),
  ...oneShotDocuments,
  ...fleetDocuments({ outcomes, plan, status, error }),
  failure: document(
    'What a command prints in place of its own document, with `--format json`, when it could not do its work.',
    record(
      {
        formatVersion,
        error,
      },
      ['formatVersion', 'error'],
    ),
  ),
  event: document('One line of `landform apply --events FILE` and `--progress json`.', {
    type: 'object',
    discriminator: { propertyName: 'type' },
    required: ['type'],
    oneOf: [
      eventOf('stream-started', { formatVersion, name: text, url: text, tool: text }),
      eventOf('action-started', { operation, change, reason }),
      eventOf('site-locked', { fence: count }, { former: holder }),
      eventOf('intent-written', { generation: count }),
      eventOf('configure-accepted', {}),
      eventOf('configure-begun', {}),
      eventOf('submission-adopted', {}),
      eventOf('outcome-unknown', { operation, failure }),
      ...waitEvents,
      eventOf('action-finished', { operation }),
      eventOf('record-written', { serial: count }),
      eventOf('stream-finished', {
        outcome: { type: 'object', properties: { kind: outcome }, required: ['kind'] },
      }),
    ],
  }),
  state: document(
    'One version of what is kept about a site; `landform state show` reads it.',
    siteStateDocument,
  ),
  history: document('What `landform state show --format json` prints.', stateHistory),
  emulatorState,
} as const satisfies Record<string, JsonSchema>
