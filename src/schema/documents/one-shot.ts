import { exportVariants } from '../../contract/parameter.js'
import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, diagnostics, document, formatVersion, text, time } from './parts.js'

/** The outcomes of a one-shot operation. */
const oneShotOutcome = ['done', 'not-taken', 'unknown', 'references', 'interrupted'] as const

/** Creates the document of a one-shot operation, with the fields that both share. */
function oneShot(
  outcomes: readonly string[],
  properties: JsonSchema['properties'] & {},
  optional: JsonSchema['properties'] & {} = {},
): JsonSchema {
  const all = {
    formatVersion,
    ...properties,
    outcome: { enum: outcomes },
    exitCode: count,
    message: text,
    startedAt: time,
    finishedAt: time,
    diagnostics,
  }
  return record({ ...all, next: text, ...optional }, Object.keys(all))
}

/** The output of the one-shot operations. Service §4.1, §4.2. */
export const oneShotDocuments = {
  export: document(
    'The output of `landform export-site --format json`.',
    oneShot(
      [...oneShotOutcome, 'warned'],
      {
        operation: { const: 'exportSite' },
        target: record(
          {
            url: text,
            location: text,
            variant: { enum: exportVariants },
            store: { type: ['string', 'null'] },
            validate: { type: 'boolean' },
          },
          ['url', 'location', 'variant', 'store', 'validate'],
        ),
        messages: { type: 'array', items: text },
      },
      { file: text },
    ),
  ),
  webhooks: document(
    'The output of `landform webhooks delete-all --format json`.',
    oneShot(oneShotOutcome, {
      operation: { const: 'deleteAll' },
      target: record({ url: text, service: text, confirmation: text }, ['url', 'service', 'confirmation']),
      webhooks: {
        type: ['object', 'null'],
        additionalProperties: false,
        properties: { count, names: { type: 'array', items: text } },
        required: ['count', 'names'],
      },
    }),
  ),
} as const satisfies Record<string, JsonSchema>
