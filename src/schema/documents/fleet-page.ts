import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { stages } from './event.js'
import { ordinal, states } from './fleet-runs.js'
import { count, digest, document, formatVersion, orNull, text } from './parts.js'
import { keptReceiptWith } from './state.js'

/** Milliseconds since 1970 by the clock of the database: a page reckons with many of them. */
const moment: JsonSchema = { type: 'number', minimum: 0 }
const yesOrNo: JsonSchema = { type: 'boolean' }
const state: JsonSchema = { enum: states }
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** Everything is there, but for what is named second. */
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

/** What the page of a fleet reads. */
export const fleetPageDocuments = {
  fleetPage: document(
    'What `landform fleet ui` answers at `/api/fleet`: every site, rollout and worker.',
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
    'What `landform fleet ui` answers at `/api/sites/SITE`: one site, with one of its runs.',
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
