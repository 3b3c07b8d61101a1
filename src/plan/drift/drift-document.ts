import { type Coverage, countCoverage } from '../fields/field-status.js'
import type { Drift } from './drift.js'

/** The coverage of a drift, with the number of fields that the site itself reported. */
export interface ReportedCoverage extends Coverage {
  readonly told: number
  /** The reported fields, in whole percent of all fields, rounded down. */
  readonly percent: number
}

/** Counts the fields that the site itself reported, equal or different. */
export function countReportedCoverage({ fields }: Pick<Drift, 'fields'>): ReportedCoverage {
  const coverage = countCoverage(fields)
  const ofSite = fields.filter(field => field.verdict === 'different' && field.source === 'site').length
  const reported = coverage.equal + ofSite
  return { ...coverage, told: reported, percent: Math.floor((100 * reported) / Math.max(1, coverage.total)) }
}

/** Builds the machine form of a drift; its schema is `schemas/drift.schema.json`. */
export function driftDocument(drift: Drift) {
  return { formatVersion: 1, ...drift, coverage: countReportedCoverage(drift) } as const
}
