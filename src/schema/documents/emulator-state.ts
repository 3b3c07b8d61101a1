import { operations } from '../../contract/operations.js'
import { stageNames } from '../../contract/stages.js'
import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { buildDocument, count, formatVersion, pointer, text, textOrNull } from './parts.js'

const counter = buildRecord({ received: count, accepted: count }, ['received', 'accepted'])
const milliseconds: JsonSchema = { type: 'integer', minimum: 0 }

const emulatedStage = {
  name: { enum: stageNames },
  // Not closed: a scenario can produce states that the service document does not show.
  state: text,
  startTime: milliseconds,
  lastUpdated: milliseconds,
  durationMs: { type: ['number', 'null'], minimum: 0 },
} as const satisfies JsonSchema['properties']

const emulatedSite = buildRecord(
  {
    site: pointer,
    url: text,
    state: text,
    through: count,
    stages: { type: 'array', items: buildRecord(emulatedStage, Object.keys(emulatedStage)) },
    counters: buildRecord(
      Object.fromEntries(Object.keys(operations).map(name => [name, counter])),
      Object.keys(operations),
    ),
  },
  ['site', 'url', 'state', 'through', 'stages', 'counters'],
)

/** The current state of a running emulator. */
export const emulatorState = buildDocument(
  'The state of a running emulator at `/_emulator/state.json`.',
  buildRecord(
    {
      formatVersion,
      serviceVersion: text,
      fidelity: text,
      scenario: textOrNull,
      faults: { type: 'array', items: text },
      speed: { type: 'number', minimum: 0 },
      now: milliseconds,
      sites: { type: 'array', items: emulatedSite },
    },
    ['formatVersion', 'serviceVersion', 'fidelity', 'scenario', 'faults', 'speed', 'now', 'sites'],
  ),
)
