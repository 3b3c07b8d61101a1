import { confirm, exitCodes, type FleetPackage, parseWhole, sayFailure } from 'landform/cli'
import { formatNumber } from 'landform/report'
import type { Database } from '../database/database.js'
import {
  countOldRuns,
  listEmptyRollouts,
  listOldRuns,
  removeRollouts,
  removeRuns,
} from '../database/old-runs.js'
import { type EngineClient, formatRolloutId, openEngineClient } from '../engine/engine-client.js'
import { formatWorkflowId } from '../model/run.js'
import { withFleetDatabase } from './open-fleet.js'

/** Limits the runs per transaction, so that transactions are short. */
const maxRunsPerTransaction = 500

/** Runs `landform fleet prune`: removes old runs from our tables and the engine. It can be interrupted and repeated. */
export const prune: FleetPackage['commands']['prune'] = (argv, host) => {
  const days = parseWhole('days', argv.days, { from: 1, to: 36_500 })
  return withFleetDatabase({ database: argv.database, host }, async ({ database, connection }) => {
    const runs = await countOldRuns(database, days)
    const old = `${formatNumber(runs, 'run')} that ended more than ${formatNumber(days, 'day')} ago`
    const question = { question: `Remove ${old}?`, purpose: ` to remove ${old}`, without: '' }
    const rejection = runs === 0 ? undefined : await confirm(host, argv, question)
    if (rejection !== undefined) return sayFailure(host, rejection, argv.color)
    const engine = await openEngineClient(database, connection)
    try {
      await removeAll(database, engine, days)
    } finally {
      await engine.close()
    }
    if (!argv.quiet)
      host.stdout.print(
        runs === 0
          ? `Nothing to remove: no runs ended more than ${formatNumber(days, 'day')} ago.\n`
          : `Removed ${old}.\n`,
      )
    return exitCodes.done
  })
}

/** Removes runs from the engine first: its records are found by the keys of our rows, even after an interruption. */
async function removeAll(database: Database, engine: EngineClient, days: number): Promise<void> {
  for (;;) {
    const runs = await listOldRuns(database, days, maxRunsPerTransaction)
    if (runs.length === 0) break
    await engine.deleteWorkflows(runs.map(formatWorkflowId))
    await removeRuns(database, runs)
  }
  const rollouts = await listEmptyRollouts(database, days)
  await engine.deleteWorkflows(rollouts.map(formatRolloutId))
  await removeRollouts(database, rollouts)
}
