import { type Coverage, countCoverage } from '../fields/field-status.js'
import type { Drift } from './drift.js'

/** The coverage of a drift, with how much of it the site itself told. */
export interface ReportedCoverage extends Coverage {
  readonly told: number
  /** What the site told, in whole percent of all fields, rounded down. */
  readonly percent: number
}

/** Counts what the site itself told, be it equal or different. */
export function countReportedCoverage({ fields }: Pick<Drift, 'fields'>): ReportedCoverage {
  const coverage = countCoverage(fields)
  const ofSite = fields.filter(field => field.verdict === 'different' && field.source === 'site').length
  const told = coverage.equal + ofSite
  return { ...coverage, told, percent: Math.floor((100 * told) / Math.max(1, coverage.total)) }
}

/** The machine form of a drift; its schema is `schemas/drift.schema.json`. */
export function driftDocument(drift: Drift) {
  return { formatVersion: 1, ...drift, coverage: countReportedCoverage(drift) } as const
}
