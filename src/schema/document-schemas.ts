import { emulatorState } from './documents/emulator.js'
import { event } from './documents/event.js'
import { fleetDocuments } from './documents/fleet.js'
import { buildDocument, type Members } from './documents/parts.js'
import { failure, oneShotDocuments, probe, reportDocuments } from './documents/reports.js'
import { stateDocuments } from './documents/state.js'

/** The machine-readable documents that Landform writes, by name. Adding a field is not a breaking change; any other change is. */
export const documentSchemas = {
  ...reportDocuments,
  ...oneShotDocuments,
  probe,
  ...fleetDocuments,
  failure,
  event: buildDocument('One line of `landform apply --events FILE` and `--progress json`.', event),
  ...stateDocuments,
  emulatorState,
} as const satisfies Members
