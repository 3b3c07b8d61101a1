import { event, outcome, outcomes, stages } from './documents/event.js'
import { buildFleetDocuments } from './documents/fleet.js'
import { fleetLog, fleetPageDocuments } from './documents/fleet-page.js'
import { fleetRunDocuments } from './documents/fleet-runs.js'
import { oneShotDocuments } from './documents/one-shot.js'
import {
  buildDocument,
  count,
  diagnostics,
  formatVersion,
  text,
  textOrNull,
  time,
} from './documents/parts.js'
import { plan, siteState } from './documents/plan.js'
import { drift, emulatorState, probe, tests, why } from './documents/reports.js'
import { siteStateDocument, stateHistory } from './documents/state.js'
import { buildRecord } from './fields.js'
import type { JsonSchema } from './json-schema.js'

const status = buildRecord(
  {
    formatVersion,
    url: text,
    state: siteState,
    reported: text,
    version: textOrNull,
    message: text,
    warnings: { type: 'array', items: text },
    stages,
    malformed: { type: 'array', items: text },
  },
  ['formatVersion', 'url', 'state', 'version', 'warnings', 'stages'],
)

const error = buildRecord(
  {
    exitCode: count,
    message: text,
    next: text,
    diagnostics,
    moved: { type: 'array', items: text },
  },
  ['exitCode', 'message', 'diagnostics'],
)

/** The machine-readable documents that Landform writes, by name. Adding a field is not a breaking change; any other change is. */
export const documentSchemas = {
  validation: buildDocument('The output of `landform validate --format json`.', {
    ...buildRecord(
      {
        formatVersion,
        diagnostics,
        versions: {
          type: 'array',
          items: buildRecord({ file: text, version: text, diagnostics }, ['file', 'version', 'diagnostics']),
        },
        summary: buildRecord({ files: count, errors: count, warnings: count, notes: count, skipped: count }, [
          'files',
          'errors',
          'warnings',
        ]),
      },
      ['formatVersion', 'diagnostics', 'summary'],
    ),
  }),
  plan: buildDocument('The output of `landform plan --format json`.', plan),
  drift: buildDocument('The output of `landform drift --format json`.', drift),
  testReport: buildDocument('The output of `landform test --format json`.', tests),
  why: buildDocument('The output of `landform why --format json`.', why),
  status: buildDocument('The output of `landform status --format json`.', status),
  receipt: buildDocument(
    'The output of `landform apply --format json`.',
    buildRecord(
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
  probe,
  ...buildFleetDocuments({ outcomes, plan, status, error }),
  ...fleetRunDocuments,
  ...fleetPageDocuments,
  fleetLog,
  failure: buildDocument(
    'The output of a failed command with `--format json`, instead of its own document.',
    buildRecord(
      {
        formatVersion,
        error,
      },
      ['formatVersion', 'error'],
    ),
  ),
  event: buildDocument('One line of `landform apply --events FILE` and `--progress json`.', event),
  state: buildDocument(
    'One version of the state of a site; `landform state show` reads it.',
    siteStateDocument,
  ),
  history: buildDocument('The output of `landform state show --format json`.', stateHistory),
  emulatorState,
} as const satisfies Record<string, JsonSchema>
