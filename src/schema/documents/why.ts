import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { driftField } from './drift.js'
import { formatVersion, jsonValue, pointer, text, time } from './parts.js'
import { operation, siteState } from './plan.js'

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
