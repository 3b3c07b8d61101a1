import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { allowNull, count, digest, formatVersion, text, textOrNull, time } from './parts.js'
import { change, operation, policy } from './plan.js'

/** The identity of a process, by which another one can check whether it still runs. */
export const holder = buildRecord(
  { host: text, pid: count, startedAt: text, boot: text, namespace: text, machine: text },
  ['host', 'pid'],
)

/** The start of the time in which a request may still arrive, by the clock of the machine that measures it. */
const drain = buildRecord(
  { since: buildRecord({ of: text, ms: { type: 'number' } }, ['of', 'ms']), siteDate: time, notedAt: time },
  ['since', 'notedAt'],
)

const organization = buildRecord(
  {
    appliedAt: time,
    asserted: { const: true },
    manifest: digest,
    value: { type: 'object' },
    licenses: { type: 'object', additionalProperties: digest },
  },
  ['appliedAt', 'manifest', 'value'],
)

/** The progress of a request. */
const submissionState: JsonSchema = {
  enum: ['intent', 'not-sent', 'rejected', 'acknowledged', 'unknown', 'begun', 'ready', 'failed', 'cleared'],
}

/** Stages that were observed from beginning to end, in milliseconds after the first poll. */
export const timings: JsonSchema = {
  type: 'array',
  items: buildRecord({ stage: text, beganMs: { type: 'number' }, endedMs: { type: 'number' } }, [
    'stage',
    'beganMs',
    'endedMs',
  ]),
}

/** Creates the schema of a request, with the additional fields of a document. */
function buildSubmission(own: JsonSchema['properties'] & {}): JsonSchema {
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
  return buildRecord({ ...known, drain, reason: text, timings }, Object.keys(known))
}

/** Creates the schema of a lock, with the additional fields of a document. */
export function buildLock(own: JsonSchema['properties'] & {}): JsonSchema {
  const known = { nonce: text, fence: count, holder, purpose: text, since: time } as const
  return buildRecord({ ...known, expiresAt: time, ...own }, [...Object.keys(known), ...Object.keys(own)])
}

/** Creates the schema of a receipt, with the additional fields of a document. */
export function buildReceipt(own: JsonSchema['properties'] & {}): JsonSchema {
  return buildRecord(
    {
      startedAt: time,
      finishedAt: time,
      outcome: text,
      reason: text,
      manifest: digest,
      plan: digest,
      actions: { type: 'array', items: buildRecord({ operation, change }, ['operation', 'change']) },
      ...own,
    },
    ['startedAt', 'finishedAt', 'outcome', 'manifest', 'actions', ...Object.keys(own)],
  )
}

const receipt = buildReceipt({})

const lock = buildLock({})
const submission = buildSubmission({ organization })

/** Creates the schema of one kind of entry. */
function buildEntry(
  type: string,
  properties: JsonSchema['properties'] & {},
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { title: type, ...buildRecord({ type: { const: type }, ...properties }, ['type', ...required]) }
}

/** A state location, a site URL, or both. */
const place = { state: text, site: text } as const

/** The reason for writing a version. */
export const entry: JsonSchema = {
  type: 'object',
  required: ['type'],
  oneOf: [
    buildEntry('locked', { former: lock, isGone: { const: true } }, []),
    buildEntry('renewed', {}),
    buildEntry(
      'submission',
      { state: submissionState, keptIn: buildRecord({ where: text, lineage: text }, ['where', 'lineage']) },
      ['state'],
    ),
    buildEntry('draining', {}),
    buildEntry('plan', { id: digest }),
    buildEntry('policy', { state: { enum: ['attempted', 'applied'] } }),
    buildEntry('receipt', { receipt }),
    buildEntry('adopted', {}),
    buildEntry('released', {}),
    buildEntry('unlocked', { lock }),
    buildEntry('moved', { ...place, source: buildRecord(place, []) }, []),
    buildEntry('received', { source: buildRecord({ ...place, serial: count }, ['serial']) }),
  ],
}

/** One version of the state of a site. */
export const siteStateDocument = buildRecord(
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
    record: buildRecord(
      {
        serial: count,
        organization,
        policy: buildRecord({ appliedAt: time, value: policy }, ['appliedAt', 'value']),
        plan: buildRecord({ id: digest, usedAt: time }, ['id', 'usedAt']),
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

const lockNow = buildLock({ liveness: { enum: ['alive', 'dead', 'elsewhere'] } })
const withManifest = buildSubmission({ manifest: digest })
const submissionNow = buildRecord(
  { ...withManifest.properties, asserted: { const: true } },
  withManifest.required ?? [],
)

/** The complete state of a site, without values of the manifest. */
export const stateHistory = buildRecord(
  {
    formatVersion,
    site: text,
    where: text,
    lineage: textOrNull,
    serial: count,
    lock: allowNull(lockNow),
    submission: allowNull(submissionNow),
    record: buildRecord(
      {
        serial: count,
        organization: buildRecord({ appliedAt: time, asserted: { const: true }, manifest: digest }, [
          'appliedAt',
          'manifest',
        ]),
        policy: buildRecord({ appliedAt: time }, ['appliedAt']),
        plan: buildRecord({ id: digest, usedAt: time }, ['id', 'usedAt']),
      },
      ['serial'],
    ),
    history: {
      type: 'array',
      items: buildRecord(
        { serial: { type: 'integer', minimum: 1 }, at: time, tool: text, message: text, entry },
        ['serial', 'at', 'tool', 'message', 'entry'],
      ),
    },
  },
  ['formatVersion', 'site', 'where', 'lineage', 'serial', 'lock', 'submission', 'record', 'history'],
)
