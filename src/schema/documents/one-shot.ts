import { exportVariants } from '../../contract/parameter.js'
import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { buildDocument, count, diagnostics, formatVersion, text, time } from './parts.js'

/** The outcomes of a one-shot operation. */
const oneShotOutcome = ['done', 'not-taken', 'unknown', 'references', 'interrupted'] as const

/** Creates the document of a one-shot operation, with the fields that both share. */
function buildOneShot(
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
  return buildRecord({ ...all, next: text, ...optional }, Object.keys(all))
}

/** The output of the one-shot operations. Service §4.1, §4.2. */
export const oneShotDocuments = {
  export: buildDocument(
    'The output of `landform export-site --format json`.',
    buildOneShot(
      [...oneShotOutcome, 'warned'],
      {
        operation: { const: 'exportSite' },
        target: buildRecord(
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
  webhooks: buildDocument(
    'The output of `landform webhooks delete-all --format json`.',
    buildOneShot(oneShotOutcome, {
      operation: { const: 'deleteAll' },
      target: buildRecord({ url: text, service: text, confirmation: text }, [
        'url',
        'service',
        'confirmation',
      ]),
      webhooks: {
        type: ['object', 'null'],
        additionalProperties: false,
        properties: { count, names: { type: 'array', items: text } },
        required: ['count', 'names'],
      },
    }),
  ),
} as const satisfies Record<string, JsonSchema>
