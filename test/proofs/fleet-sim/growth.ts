import type { PlayedRun } from './fleet-play.js'

/**
 * What a row takes in PostgreSQL 18 with its part of the indexes, in bytes: of 240 sites that were brought to their end, with
 * `test/proofs/fleet/costs.ts`. A run is written a dozen times and more, and what is overwritten takes room, too.
 */
export const bytesOf = {
  'dbos.workflow_status': 2321,
  'dbos.workflow_input': 649,
  'dbos.workflow_output': 1058,
  'dbos.operation_outputs': 723,
  'landform.run': 3857,
  'landform.event': 314,
  'landform.state': 2172,
} as const

type Table = keyof typeof bytesOf

/** What is told of a site that is configured, and how much more where its stages are seen one after the other. */
const events = { configured: 10, stages: 13 }
/** What is written of a site: two locks and receipts, and the steps of the request, the configuration and the policy. */
const versions = { configured: 11, ready: 2 }

/** The rows that a run leaves behind. Nothing takes any of them away but a person. */
export function rowsOf({ play, spans }: PlayedRun): Readonly<Record<Table, number>> {
  const { steps, sentAt, course } = play
  const isBegun = spans.length > 0
  const once = isBegun ? 1 : 0
  const isConfigured = sentAt !== undefined
  return {
    'dbos.workflow_status': once,
    'dbos.workflow_input': once,
    'dbos.workflow_output': once,
    // A pause is kept as a step, too.
    'dbos.operation_outputs': steps.length + course.retries,
    'landform.run': 1,
    'landform.event': course.retries + (isConfigured ? events.configured + events.stages : 0),
    'landform.state': isBegun ? versions[isConfigured ? 'configured' : 'ready'] : 0,
  }
}

/** How much a database grows by runs. */
export function growthOf(runs: readonly PlayedRun[]): { readonly rows: number; readonly bytes: number } {
  const tables = Object.keys(bytesOf) as Table[]
  const counted = runs.map(rowsOf)
  const rows = (table: Table) => counted.reduce((sum, row) => sum + row[table], 0)
  return {
    rows: tables.reduce((sum, table) => sum + rows(table), 0),
    bytes: tables.reduce((sum, table) => sum + rows(table) * bytesOf[table], 0),
  }
}
