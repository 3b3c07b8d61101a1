import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { states } from './fleet-runs.js'
import {
  allowNull,
  buildDocument,
  count,
  diagnostics,
  formatVersion,
  text,
  textOrNull,
  time,
} from './parts.js'

/** The fields that identify a site in every document about several sites. */
const named = { site: text, file: text, url: textOrNull } as const

/** Creates the documents about several sites. `outcomes` are those of an apply to one site. */
export function buildFleetDocuments(parts: {
  readonly outcomes: readonly string[]
  readonly plan: JsonSchema
  readonly status: JsonSchema
  readonly error: JsonSchema
}) {
  const { outcomes, plan, status, error } = parts
  const site = buildRecord(
    {
      ...named,
      outcome: { enum: [...outcomes, 'nothing-to-do', 'not-planned', 'not-begun', 'internal'] },
      state: { enum: states },
      exitCode: { type: ['integer', 'null'], minimum: 0 },
      message: text,
      next: text,
      startedAt: time,
      finishedAt: time,
      diagnostics,
    },
    ['site', 'file', 'url', 'outcome', 'state', 'exitCode', 'message', 'diagnostics'],
  )
  const summary = buildRecord({ sites: count, done: count, notDone: count, notBegun: count }, [
    'sites',
    'done',
    'notDone',
    'notBegun',
  ])
  return {
    fleet: buildDocument(
      'The output of `landform apply --format json` for several sites.',
      buildRecord(
        {
          formatVersion,
          exitCode: count,
          message: text,
          halt: { enum: ['interrupted'] },
          summary,
          sites: { type: 'array', items: site },
        },
        ['formatVersion', 'exitCode', 'message', 'summary', 'sites'],
      ),
    ),
    fleetPlan: buildDocument(
      'The output of `landform plan --format json` for several sites.',
      buildList(
        buildRecord({ ...named, plan: allowNull(plan), error: allowNull(error) }, [
          ...Object.keys(named),
          'plan',
          'error',
        ]),
      ),
    ),
    fleetStatus: buildDocument(
      'The output of `landform status --format json` for several sites.',
      buildList(
        buildRecord({ ...named, exitCode: count, status: allowNull(status), error: allowNull(error) }, [
          ...Object.keys(named),
          'exitCode',
          'status',
          'error',
        ]),
      ),
    ),
  } as const satisfies Record<string, JsonSchema>
}

function buildList(site: JsonSchema): JsonSchema {
  return buildRecord({ formatVersion, sites: { type: 'array', items: site } }, ['formatVersion', 'sites'])
}
