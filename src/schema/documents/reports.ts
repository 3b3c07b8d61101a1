import { exportVariants } from '../../contract/parameter.js'
import { settingNames } from '../../contract/readings.js'
import type { JsonSchema } from '../json-schema.js'
import { outcome, stages } from './event.js'
import {
  allowNull,
  buildDocument,
  count,
  defineRecord,
  describe,
  diagnostic,
  diagnostics,
  extendRecord,
  flag,
  formatVersion,
  jsonValue,
  listOf,
  type Members,
  nameType,
  oneOfTexts,
  ordinal,
  pointer,
  text,
  textOrNull,
  texts,
  time,
} from './parts.js'
import { coverage, fieldStatus, plan, siteState } from './plan.js'

const status = defineRecord({
  formatVersion,
  url: text,
  'request?': describe(
    'The `configure` whose outcome is open: its nonce, and its state',
    defineRecord({ nonce: text, state: oneOfTexts('intent', 'acknowledged', 'unknown') }),
  ),
  state: siteState,
  'reported?': text,
  version: textOrNull,
  'message?': text,
  warnings: texts,
  stages,
  'malformed?': texts,
})

/** The requests that a run had sent when it ended. */
const sent = describe(
  'Requests that it sent and that change the site: `no more` after an earlier request, `perhaps` if that is not known',
  oneOfTexts('nothing', 'no more', 'perhaps', 'something'),
)

/** A failure of a command. */
const error = defineRecord({
  exitCode: count,
  message: text,
  'sent?': sent,
  'next?': text,
  diagnostics,
  'moved?': texts,
})

/** The status of one field, and the side that changed. */
const driftField = extendRecord(fieldStatus, {
  'cause?': oneOfTexts('edited', 'edited-since-assertion', 'changed-on-site', 'both', 'not-recorded'),
})

const drift = defineRecord({
  formatVersion,
  name: text,
  manifest: text,
  url: text,
  checkedAt: time,
  version: textOrNull,
  fields: listOf(driftField),
  unmanaged: listOf(
    defineRecord({
      setting: oneOfTexts(...settingNames),
      name: text,
    }),
  ),
  coverage: extendRecord(coverage, {
    told: count,
    percent: { type: 'integer', minimum: 0, maximum: 100 },
  }),
})

const receipt = defineRecord({
  formatVersion,
  outcome,
  exitCode: count,
  message: text,
  'sent?': sent,
  'next?': text,
  startedAt: time,
  finishedAt: time,
  diagnostics,
  plan,
})

const failedExpectation = extendRecord(diagnostic, { expected: texts, actual: texts })

/** The documents about manifests, one site and its operations. */
export const reportDocuments = {
  validation: buildDocument(
    'The output of `landform validate --format json`.',
    defineRecord({
      formatVersion,
      diagnostics,
      'versions?': listOf(defineRecord({ file: text, version: text, diagnostics })),
      summary: defineRecord({
        files: count,
        errors: count,
        warnings: count,
        'notes?': count,
        'skipped?': count,
      }),
    }),
  ),
  plan: buildDocument('The output of `landform plan --format json`.', plan),
  drift: buildDocument('The output of `landform drift --format json`.', drift),
  testReport: buildDocument(
    'The output of `landform test --format json`.',
    defineRecord({
      formatVersion,
      files: listOf(
        defineRecord({
          file: text,
          diagnostics,
          tests: listOf(
            defineRecord({
              name: text,
              line: ordinal,
              result: oneOfTexts('passed', 'failed'),
              failures: listOf(failedExpectation),
              warnings: diagnostics,
            }),
          ),
        }),
      ),
      summary: defineRecord({ files: count, tests: count, passed: count, failed: count }),
    }),
  ),
  status: buildDocument('The output of `landform status --format json`.', status),
  receipt: buildDocument('The output of `landform apply --format json`.', receipt),
  sites: buildDocument(
    'The output of `landform plan`, `apply`, `status` and `drift` with `--format json` for several sites.',
    defineRecord({
      formatVersion,
      exitCode: describe('The worst of the sites', count),
      message: text,
      sites: listOf(
        defineRecord({
          site: describe('Name in its manifest; the file if the name is unknown or not unique', text),
          file: text,
          url: describe('Null if the manifest could not be read', textOrNull),
          exitCode: count,
          message: text,
          result: describe('The document of the command for this site alone; null where there is none', {
            anyOf: [plan, receipt, status, drift, { type: 'null' }],
          }),
          error: allowNull(error),
        }),
      ),
    }),
  ),
} as const satisfies Members

/** Creates the document of a one-shot operation, with the fields that both share. */
function buildOneShot(furtherOutcomes: readonly string[], members: Members, own: Members = {}): JsonSchema {
  return defineRecord({
    formatVersion,
    ...members,
    outcome: oneOfTexts('done', 'not-taken', 'unknown', 'references', 'interrupted', ...furtherOutcomes),
    exitCode: count,
    message: text,
    'sent?': sent,
    startedAt: time,
    finishedAt: time,
    diagnostics,
    'next?': text,
    ...own,
  })
}

/** The output of the one-shot operations and of `adopt`. Service §4.1, §4.2. */
export const oneShotDocuments = {
  export: buildDocument(
    'The output of `landform export-site --format json`.',
    buildOneShot(
      ['warned'],
      {
        operation: { const: 'exportSite' },
        target: defineRecord({
          url: text,
          location: text,
          variant: oneOfTexts(...exportVariants),
          store: textOrNull,
          validate: flag,
        }),
        messages: texts,
      },
      { 'file?': text },
    ),
  ),
  adopt: buildDocument(
    'The output of `landform adopt --format json`.',
    defineRecord({
      formatVersion,
      url: text,
      version: textOrNull,
      manifest: text,
      state: text,
      assertedAt: time,
      'by?': text,
      'reason?': text,
      read: listOf(pointer),
      asserted: listOf(pointer),
      unknown: listOf(pointer),
      unread: listOf(defineRecord({ pointer, because: text })),
      leftOut: texts,
      resources: listOf(defineRecord({ path: text, outcome: text })),
    }),
  ),
  webhooks: buildDocument(
    'The output of `landform webhooks delete-all --format json`.',
    buildOneShot([], {
      operation: { const: 'deleteAll' },
      target: defineRecord({ url: text, service: text, confirmation: text }),
      webhooks: { ...defineRecord({ count, names: texts }), type: ['object', 'null'] },
    }),
  ),
} as const satisfies Members

const httpStatus: JsonSchema = { type: 'integer', minimum: 200, maximum: 599 }

const answer = nameType(
  'AnswerShape',
  'The structure of a response. Of a body that is not JSON only the kind is kept',
  {
    description: 'The structure of the response. `none`: no complete response came back.',
    oneOf: [
      defineRecord({
        kind: { const: 'json' },
        status: httpStatus,
        body: describe(
          'The body in its own structure: each value is replaced with its type and length, such as `<text 12>`, and each key that is not a field name with `<key 12>`. Words of the service document and of the field notes are kept.',
          jsonValue,
        ),
      }),
      defineRecord({
        kind: { const: 'redirect' },
        status: httpStatus,
        to: oneOfTexts('sign-in', 'slash', 'elsewhere', 'unclear'),
      }),
      defineRecord({ kind: oneOfTexts('html', 'text', 'empty', 'compressed'), status: httpStatus }),
      defineRecord({ kind: { const: 'none' } }),
    ],
  },
)

/** The structure of a site's responses, without any value. */
export const probe = buildDocument(
  'The file of `landform probe`: how a site responds, without its values.',
  defineRecord({
    formatVersion,
    tool: describe('The version of Landform.', text),
    probedOn: describe('The day.', { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    observations: listOf(
      nameType(
        'EvidenceEntry',
        'One GET and its response',
        defineRecord({
          resource: describe(
            'The path below the base URL; `{store}` is the identifier of a data store.',
            text,
          ),
          'store?': describe('The number of the data store in the list of them.', {
            ...ordinal,
            maximum: 20,
          }),
          signedIn: describe('True if the request had a token.', flag),
          answer,
          milliseconds: count,
        }),
      ),
    ),
  }),
)

/** The output of a failed command. */
export const failure = buildDocument(
  'The output of a failed command with `--format json`, instead of its own document.',
  defineRecord({ formatVersion, error }),
)
