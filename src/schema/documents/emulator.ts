import { operations } from '../../contract/operations.js'
import { stageNames } from '../../contract/responses.js'
import {
  buildDocument,
  count,
  defineRecord,
  describe,
  flag,
  formatVersion,
  jsonValue,
  listOf,
  ms,
  oneOfTexts,
  ordinal,
  pointer,
  text,
  textOrNull,
  texts,
} from './parts.js'

const request = defineRecord({
  id: ordinal,
  site: pointer,
  at: count,
  method: text,
  path: text,
  operation: text,
  contentType: text,
  parameters: listOf(jsonValue),
  more: count,
  httpStatus: { type: ['integer', 'null'] },
  accepted: flag,
  'fault?': text,
  'problem?': text,
})

/** The current state of a running emulator. */
export const emulatorState = buildDocument(
  'The state of a running emulator at `/_emulator/state.json`.',
  defineRecord({
    formatVersion,
    instance: text,
    serviceVersion: text,
    fidelity: text,
    scenario: textOrNull,
    faults: texts,
    speed: { ...ms, minimum: 0 },
    now: count,
    sites: listOf(
      defineRecord({
        site: pointer,
        url: text,
        state: text,
        through: count,
        counters: defineRecord(
          Object.fromEntries(
            Object.keys(operations).map(name => [name, defineRecord({ received: count, accepted: count })]),
          ),
        ),
      }),
    ),
    selected: describe(
      'The site that `?site=` names, or the first, in detail.',
      defineRecord({
        site: pointer,
        stages: listOf(
          defineRecord({
            name: oneOfTexts(...stageNames),
            // Not closed: a scenario can produce states that the service document does not show.
            state: text,
            startTime: count,
            lastUpdated: count,
            durationMs: { type: ['number', 'null'], minimum: 0 },
          }),
        ),
        requests: describe(
          'The newest requests of the site, newest first, with secrets redacted.',
          listOf(request),
        ),
      }),
    ),
  }),
)
