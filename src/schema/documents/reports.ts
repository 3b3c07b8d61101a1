import { operations } from '../../contract/operations.js'
import { stageNames } from '../../contract/stages.js'
import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import {
  buildDocument,
  count,
  describe,
  diagnostic,
  diagnostics,
  formatVersion,
  jsonValue,
  pointer,
  text,
  textOrNull,
  time,
} from './parts.js'
import { coverage, fieldStatus, operation, siteState } from './plan.js'

/** The status of one field, and the side that changed. */
const driftField = buildRecord(
  {
    ...fieldStatus.properties,
    cause: { enum: ['edited', 'edited-since-assertion', 'changed-on-site', 'both', 'not-recorded'] },
  },
  fieldStatus.required ?? [],
)

/** The drift of a site from its manifest. */
export const drift = buildRecord(
  {
    formatVersion,
    name: text,
    manifest: text,
    url: text,
    checkedAt: time,
    version: textOrNull,
    fields: { type: 'array', items: driftField },
    unmanaged: {
      type: 'array',
      items: buildRecord(
        { setting: { enum: ['upgradeConfig', 'profile', 'logLevel', 'systemProperties'] }, name: text },
        ['setting', 'name'],
      ),
    },
    coverage: buildRecord(
      { ...coverage.properties, told: count, percent: { type: 'integer', minimum: 0, maximum: 100 } },
      [...(coverage.required ?? []), 'told', 'percent'],
    ),
  },
  ['formatVersion', 'name', 'manifest', 'url', 'checkedAt', 'version', 'fields', 'unmanaged', 'coverage'],
)

const place = {
  file: text,
  line: { type: 'integer', minimum: 1 },
  column: { type: 'integer', minimum: 1 },
} as const satisfies JsonSchema['properties']
const ofPlace = ['file', 'line', 'column'] as const

const layer = buildRecord(
  { ...place, how: { enum: ['counts', 'merged', 'replaced', 'removes'] }, value: jsonValue },
  [...ofPlace, 'how'],
)

/** The origin, rules and status of one value of a manifest. */
export const why = buildRecord(
  {
    formatVersion,
    pointer,
    value: jsonValue,
    origin: buildRecord(
      {
        kind: { enum: ['written', 'default', 'not-set'] },
        source: text,
        layers: { type: 'array', items: layer },
      },
      ['kind', 'layers'],
    ),
    carriers: {
      type: 'array',
      items: buildRecord({ operation, parameter: text }, ['operation', 'parameter']),
    },
    changedLaterBy: { enum: ['update', 'another-operation', 'no-operation'] },
    recorded: buildRecord({ appliedAt: time, asserted: { const: true }, value: jsonValue }, ['appliedAt']),
    site: buildRecord({ state: siteState, fields: { type: 'array', items: driftField } }, [
      'state',
      'fields',
    ]),
    members: {
      type: 'array',
      items: buildRecord({ pointer, ...place, value: jsonValue }, ['pointer', ...ofPlace]),
    },
  },
  ['formatVersion', 'pointer', 'origin', 'carriers', 'members'],
)

const lines: JsonSchema = { type: 'array', items: text }

/** The results of test files. */
export const tests = buildRecord(
  {
    formatVersion,
    files: {
      type: 'array',
      items: buildRecord(
        {
          file: text,
          diagnostics,
          tests: {
            type: 'array',
            items: buildRecord(
              {
                name: text,
                line: { type: 'integer', minimum: 1 },
                result: { enum: ['passed', 'failed'] },
                failures: {
                  type: 'array',
                  items: {
                    ...diagnostic,
                    properties: { ...diagnostic.properties, expected: lines, actual: lines },
                    required: [...(diagnostic.required ?? []), 'expected', 'actual'],
                  },
                },
                warnings: diagnostics,
              },
              ['name', 'line', 'result', 'failures', 'warnings'],
            ),
          },
        },
        ['file', 'diagnostics', 'tests'],
      ),
    },
    summary: buildRecord({ files: count, tests: count, passed: count, failed: count }, [
      'files',
      'tests',
      'passed',
      'failed',
    ]),
  },
  ['formatVersion', 'files', 'summary'],
)

const status: JsonSchema = { type: 'integer', minimum: 200, maximum: 599 }

const answer = describe('The structure of the answer. `none`: no complete answer came back.', {
  oneOf: [
    buildRecord(
      {
        kind: { const: 'json' },
        status,
        body: describe(
          'The body in its own structure: each value is replaced by its type and length, such as `<text 12>`, each key that is no name of a field by `<key 12>`. Words of the service document and of the field notes stay.',
          jsonValue,
        ),
      },
      ['kind', 'status', 'body'],
    ),
    buildRecord(
      { kind: { const: 'redirect' }, status, to: { enum: ['sign-in', 'slash', 'elsewhere', 'unclear'] } },
      ['kind', 'status', 'to'],
    ),
    buildRecord({ kind: { enum: ['html', 'text', 'empty', 'compressed'] }, status }, ['kind', 'status']),
    buildRecord({ kind: { const: 'none' } }, ['kind']),
  ],
})

const observation = buildRecord(
  {
    resource: describe('The path below the base URL; `{store}` is the identifier of a data store.', text),
    store: describe('The number of the data store in the list of them.', {
      type: 'integer',
      minimum: 1,
      maximum: 20,
    }),
    signedIn: describe('True if a token went along.', { type: 'boolean' }),
    answer,
    milliseconds: count,
  },
  ['resource', 'signedIn', 'answer', 'milliseconds'],
)

/** How a site answers, without any value of it. */
export const probe = buildDocument(
  'The file of `landform probe`: how a site answers, without any value of it.',
  buildRecord(
    {
      formatVersion,
      tool: describe('The version of Landform.', text),
      probedOn: describe('The day.', { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
      observations: { type: 'array', items: observation },
    },
    ['formatVersion', 'tool', 'probedOn', 'observations'],
  ),
)

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
