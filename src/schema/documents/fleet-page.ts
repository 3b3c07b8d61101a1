import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { stages } from './event.js'
import { ordinal, states } from './fleet-runs.js'
import { allowNull, buildDocument, count, digest, formatVersion, text } from './parts.js'
import { buildReceipt } from './state.js'

/** Milliseconds since 1970 by the clock of the database; numbers, because a page computes with many of them. */
const moment: JsonSchema = { type: 'number', minimum: 0 }
const yesOrNo: JsonSchema = { type: 'boolean' }
const state: JsonSchema = { enum: states }
const buildList = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** Creates a record in which every field is required, except the listed ones. */
function buildComplete(
  there: JsonSchema['properties'] & {},
  absent: JsonSchema['properties'] & {} = {},
): JsonSchema {
  return buildRecord({ ...there, ...absent }, Object.keys(there))
}

const key = { site: text, generation: ordinal } as const
const places = { rollout: text, wave: ordinal } as const
const known = { name: text, state, retries: count, isCancelRequested: yesOrNo } as const
const reported = {
  phase: { enum: ['observe', 'configure', 'wait', 'update'] },
  message: text,
  worker: text,
  startedAt: moment,
  endedAt: moment,
} as const
const written = { submittedAt: moment, changedAt: moment } as const

const site = buildComplete(
  { ...key, ...places, ...known, ...written, through: count, stages: count, warnings: count },
  { ...reported, stage: text },
)

const run = buildComplete(
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
    warnings: buildList(text),
  },
  { ...reported, commit: text, exitCode: count },
)

const rollout = buildComplete({
  id: text,
  submittedBy: text,
  submittedAt: moment,
  wave: ordinal,
  waves: ordinal,
  keepsGoing: yesOrNo,
  state: { enum: ['running', 'stopped', 'done', 'cancelled'] },
  counts: buildList(buildComplete({ wave: ordinal, state, runs: count })),
})

const worker = buildComplete({
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
  fleetPage: buildDocument(
    'The response of `landform fleet ui` at `/api/fleet`: every site, rollout and worker.',
    buildComplete({
      formatVersion,
      id: text,
      now: moment,
      where: text,
      trouble: allowNull(buildComplete({ message: text })),
      counts: buildComplete(Object.fromEntries(states.map(name => [name, count]))),
      sites: buildList(site),
      rollouts: buildList(rollout),
      workers: buildList(worker),
    }),
  ),
  fleetPageSite: buildDocument(
    'The response of `landform fleet ui` at `/api/sites/SITE`: one site, with one of its runs.',
    buildComplete({
      formatVersion,
      run,
      runs: buildList(
        buildComplete({ ...key, rollout: text, state, submittedAt: moment }, { endedAt: moment }),
      ),
      events: buildList(buildComplete({ ...key, number: ordinal, at: moment, type: text, message: text })),
      receipts: {
        oneOf: [
          buildComplete({ kind: { const: 'read' }, receipts: buildList(buildReceipt({ serial: ordinal })) }),
          buildComplete({ kind: { const: 'unreadable' }, reason: text }),
        ],
      },
      next: buildList(buildComplete({ command: text, why: text })),
    }),
  ),
} as const satisfies Record<string, JsonSchema>
