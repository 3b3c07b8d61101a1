import { drift } from './documents/drift.js'
import { emulatorState } from './documents/emulator-state.js'
import { event, outcome, outcomes, stages } from './documents/event.js'
import { fleetDocuments } from './documents/fleet.js'
import { fleetLog } from './documents/fleet-log.js'
import { fleetPageDocuments } from './documents/fleet-page.js'
import { fleetRunDocuments } from './documents/fleet-runs.js'
import { oneShotDocuments } from './documents/one-shot.js'
import { count, diagnostics, document, formatVersion, text, textOrNull, time } from './documents/parts.js'
import { plan, siteState } from './documents/plan.js'
import { siteStateDocument } from './documents/state.js'
import { stateHistory } from './documents/state-history.js'
import { tests } from './documents/tests.js'
import { why } from './documents/why.js'
import { record } from './fields.js'
import type { JsonSchema } from './json-schema.js'

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
    malformed: { type: 'array', items: text },
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
        summary: record({ files: count, errors: count, warnings: count, notes: count, skipped: count }, [
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
  testReport: document('What `landform test --format json` prints.', tests),
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
  ...fleetRunDocuments,
  ...fleetPageDocuments,
  fleetLog,
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
  event: document('One line of `landform apply --events FILE` and `--progress json`.', event),
  state: document(
    'One version of what is kept about a site; `landform state show` reads it.',
    siteStateDocument,
  ),
  history: document('What `landform state show --format json` prints.', stateHistory),
  emulatorState,
} as const satisfies Record<string, JsonSchema>
