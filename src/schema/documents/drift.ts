import { buildRecord } from '../fields.js'
import { count, formatVersion, text, textOrNull, time } from './parts.js'
import { coverage, fieldStatus } from './plan.js'

/** The status of one field, and the side that changed. */
export const driftField = buildRecord(
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
