import { record } from '../fields.js'
import { count, formatVersion, text, textOrNull, time } from './parts.js'
import { coverage, fieldVerdict } from './plan.js'

/** The status of one field, and the side that changed. */
export const driftField = record(
  {
    ...fieldVerdict.properties,
    cause: { enum: ['edited', 'changed-on-site', 'both', 'not-recorded'] },
  },
  fieldVerdict.required ?? [],
)

/** The drift of a site from its manifest. */
export const drift = record(
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
      items: record(
        { setting: { enum: ['upgradeConfig', 'profile', 'logLevel', 'systemProperties'] }, name: text },
        ['setting', 'name'],
      ),
    },
    coverage: record(
      { ...coverage.properties, told: count, percent: { type: 'integer', minimum: 0, maximum: 100 } },
      [...(coverage.required ?? []), 'told', 'percent'],
    ),
  },
  ['formatVersion', 'name', 'manifest', 'url', 'checkedAt', 'version', 'fields', 'unmanaged', 'coverage'],
)
