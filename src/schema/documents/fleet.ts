import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, diagnostics, document, formatVersion, orNull, text, textOrNull, time } from './parts.js'

/** The fields that identify a site in every document about several sites. */
const named = { site: text, file: text, url: textOrNull } as const

/** Creates the documents about several sites. `outcomes` are those of an apply to one site. */
export function fleetDocuments(parts: {
  readonly outcomes: readonly string[]
  readonly plan: JsonSchema
  readonly status: JsonSchema
  readonly error: JsonSchema
}) {
  const { outcomes, plan, status, error } = parts
  const site = record(
    {
      ...named,
      wave: { type: ['integer', 'null'], minimum: 1 },
      outcome: { enum: [...outcomes, 'nothing-to-do', 'not-planned', 'not-begun', 'internal'] },
      exitCode: { type: ['integer', 'null'], minimum: 0 },
      message: text,
      next: text,
      startedAt: time,
      finishedAt: time,
      diagnostics,
    },
    ['site', 'file', 'url', 'wave', 'outcome', 'exitCode', 'message', 'diagnostics'],
  )
  const wave = record({ wave: count, sites: count, outcome: { enum: ['done', 'not-done', 'not-begun'] } }, [
    'wave',
    'sites',
    'outcome',
  ])
  const summary = record({ sites: count, done: count, notDone: count, notBegun: count }, [
    'sites',
    'done',
    'notDone',
    'notBegun',
  ])
  return {
    fleet: document(
      'The output of `landform apply --format json` for several sites.',
      record(
        {
          formatVersion,
          exitCode: count,
          message: text,
          halt: { enum: ['stop-rule', 'interrupted'] },
          waves: { type: 'array', items: wave },
          summary,
          sites: { type: 'array', items: site },
        },
        ['formatVersion', 'exitCode', 'message', 'waves', 'summary', 'sites'],
      ),
    ),
    fleetPlan: document(
      'The output of `landform plan --format json` for several sites.',
      listOf(
        record({ ...named, plan: orNull(plan), error: orNull(error) }, [
          ...Object.keys(named),
          'plan',
          'error',
        ]),
      ),
    ),
    fleetStatus: document(
      'The output of `landform status --format json` for several sites.',
      listOf(
        record({ ...named, exitCode: count, status: orNull(status), error: orNull(error) }, [
          ...Object.keys(named),
          'exitCode',
          'status',
          'error',
        ]),
      ),
    ),
  } as const satisfies Record<string, JsonSchema>
}

function listOf(site: JsonSchema): JsonSchema {
  return record({ formatVersion, sites: { type: 'array', items: site } }, ['formatVersion', 'sites'])
}
