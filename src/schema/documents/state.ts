import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, digest, formatVersion, text, textOrNull, time } from './parts.js'
import { change, operation, policy } from './plan.js'

/** The identity of a process, by which another one can check whether it still runs. */
export const holder = record(
  { host: text, pid: count, startedAt: text, boot: text, namespace: text, machine: text },
  ['host', 'pid'],
)

/** The start of the time in which a request may still arrive, by the clock of the machine that measures it. */
const drain = record(
  { since: record({ of: text, ms: { type: 'number' } }, ['of', 'ms']), siteDate: time, notedAt: time },
  ['since', 'notedAt'],
)

const organization = record(
  {
    appliedAt: time,
    manifest: digest,
    value: { type: 'object' },
    licenses: { type: 'object', additionalProperties: digest },
  },
  ['appliedAt', 'manifest'],
)

/** The progress of a request. */
const submissionState: JsonSchema = {
  enum: ['intent', 'not-sent', 'rejected', 'acknowledged', 'unknown', 'begun', 'ready', 'failed', 'cleared'],
}

/** Stages that were observed from beginning to end, in milliseconds after the first poll. */
export const timings: JsonSchema = {
  type: 'array',
  items: record({ stage: text, beganMs: { type: 'number' }, endedMs: { type: 'number' } }, [
    'stage',
    'beganMs',
    'endedMs',
  ]),
}

/** Creates the schema of a request, with the additional fields of a document. */
export function submissionWith(own: JsonSchema['properties'] & {}): JsonSchema {
  const known = {
    generation: { type: 'integer', minimum: 1 },
    nonce: text,
    state: submissionState,
    intendedAt: time,
    changedAt: time,
    by: holder,
    deadlineMs: { type: 'number' },
    ...own,
  } as const
  return record({ ...known, drain, reason: text, timings }, Object.keys(known))
}

/** Creates the schema of a lock, with the additional fields of a document. */
export function lockWith(own: JsonSchema['properties'] & {}): JsonSchema {
  const known = { nonce: text, fence: count, holder, purpose: text, since: time } as const
  return record({ ...known, expiresAt: time, ...own }, [...Object.keys(known), ...Object.keys(own)])
}

/** Creates the schema of a receipt, with the additional fields of a document. */
export function keptReceiptWith(own: JsonSchema['properties'] & {}): JsonSchema {
  return record(
    {
      startedAt: time,
      finishedAt: time,
      outcome: text,
      reason: text,
      manifest: digest,
      plan: digest,
      actions: { type: 'array', items: record({ operation, change }, ['operation', 'change']) },
      ...own,
    },
    ['startedAt', 'finishedAt', 'outcome', 'manifest', 'actions', ...Object.keys(own)],
  )
}

const receipt = keptReceiptWith({})

const lock = lockWith({})
const submission = submissionWith({ organization })

/** Creates the schema of one kind of entry. */
function entryOf(
  type: string,
  properties: JsonSchema['properties'] & {},
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { title: type, ...record({ type: { const: type }, ...properties }, ['type', ...required]) }
}

/** A state location, a site URL, or both. */
const place = { state: text, site: text } as const

/** The reason for writing a version. */
export const entry: JsonSchema = {
  type: 'object',
  required: ['type'],
  oneOf: [
    entryOf('locked', { former: lock, isGone: { const: true } }, []),
    entryOf('renewed', {}),
    entryOf(
      'submission',
      { state: submissionState, keptIn: record({ where: text, lineage: text }, ['where', 'lineage']) },
      ['state'],
    ),
    entryOf('draining', {}),
    entryOf('plan', { id: digest }),
    entryOf('policy', { state: { enum: ['attempted', 'applied'] } }),
    entryOf('receipt', { receipt }),
    entryOf('released', {}),
    entryOf('unlocked', { lock }),
    entryOf('moved', { ...place, source: record(place, []) }, []),
    entryOf('received', { source: record({ ...place, serial: count }, ['serial']) }),
  ],
}

/** One version of the state of a site. */
export const siteStateDocument = record(
  {
    formatVersion,
    site: text,
    lineage: text,
    serial: { type: 'integer', minimum: 1 },
    previous: textOrNull,
    writtenAt: time,
    tool: text,
    entry,
    lock,
    submission,
    record: record(
      {
        serial: count,
        organization,
        policy: record({ appliedAt: time, value: policy }, ['appliedAt', 'value']),
        plan: record({ id: digest, usedAt: time }, ['id', 'usedAt']),
      },
      ['serial'],
    ),
    checksum: digest,
  },
  [
    'formatVersion',
    'site',
    'lineage',
    'serial',
    'previous',
    'writtenAt',
    'tool',
    'entry',
    'record',
    'checksum',
  ],
)
