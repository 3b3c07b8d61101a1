import { exportVariants } from '../../contract/parameter.js'
import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import {
  allowNull,
  buildDocument,
  count,
  diagnostics,
  formatVersion,
  pointer,
  text,
  textOrNull,
  time,
} from './parts.js'

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

const pointers = { type: 'array', items: pointer } as const

/** The findings, files and record of an adoption. */
const adoption = {
  formatVersion,
  url: text,
  version: textOrNull,
  manifest: textOrNull,
  state: text,
  assertedAt: allowNull(time),
  read: pointers,
  asserted: pointers,
  unknown: pointers,
  leftOut: { type: 'array', items: text },
  resources: { type: 'array', items: buildRecord({ path: text, outcome: text }, ['path', 'outcome']) },
} as const satisfies JsonSchema['properties']

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
  adopt: buildDocument(
    'The output of `landform adopt --format json`.',
    buildRecord(adoption, Object.keys(adoption)),
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
