import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { stages } from './event.js'
import { ordinal, states } from './fleet-runs.js'
import { count, digest, document, formatVersion, orNull, text } from './parts.js'
import { keptReceiptWith } from './state.js'

/** Milliseconds since 1970 by the clock of the database; numbers, because a page computes with many of them. */
const moment: JsonSchema = { type: 'number', minimum: 0 }
const yesOrNo: JsonSchema = { type: 'boolean' }
const state: JsonSchema = { enum: states }
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** Creates a record in which every field is required, except the listed ones. */
function whole(there: JsonSchema['properties'] & {}, absent: JsonSchema['properties'] & {} = {}): JsonSchema {
  return record({ ...there, ...absent }, Object.keys(there))
}

const key = { site: text, generation: ordinal } as const
const places = { rollout: text, wave: ordinal } as const
const known = { name: text, state, retries: count, isCancelRequested: yesOrNo } as const
const told = {
  phase: { enum: ['observe', 'configure', 'wait', 'update'] },
  message: text,
  worker: text,
  startedAt: moment,
  endedAt: moment,
} as const
const written = { submittedAt: moment, changedAt: moment } as const

const site = whole(
  { ...key, ...places, ...known, ...written, through: count, stages: count, warnings: count },
  { ...told, stage: text },
)

const run = whole(
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
    warnings: list(text),
  },
  { ...told, commit: text, exitCode: count },
)

const rollout = whole({
  id: text,
  submittedBy: text,
  submittedAt: moment,
  wave: ordinal,
  waves: ordinal,
  keepsGoing: yesOrNo,
  state: { enum: ['running', 'stopped', 'done', 'cancelled'] },
  counts: list(whole({ wave: ordinal, state, runs: count })),
})

const worker = whole({
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
  fleetPage: document(
    'The response of `landform fleet ui` at `/api/fleet`: every site, rollout and worker.',
    whole({
      formatVersion,
      id: text,
      now: moment,
      where: text,
      trouble: orNull(whole({ message: text })),
      counts: whole(Object.fromEntries(states.map(name => [name, count]))),
      sites: list(site),
      rollouts: list(rollout),
      workers: list(worker),
    }),
  ),
  fleetPageSite: document(
    'The response of `landform fleet ui` at `/api/sites/SITE`: one site, with one of its runs.',
    whole({
      formatVersion,
      run,
      runs: list(whole({ ...key, rollout: text, state, submittedAt: moment }, { endedAt: moment })),
      events: list(whole({ ...key, number: ordinal, at: moment, type: text, message: text })),
      receipts: {
        oneOf: [
          whole({ kind: { const: 'read' }, receipts: list(keptReceiptWith({ serial: ordinal })) }),
          whole({ kind: { const: 'unreadable' }, reason: text }),
        ],
      },
      next: list(whole({ command: text, why: text })),
    }),
  ),
} as const satisfies Record<string, JsonSchema>
