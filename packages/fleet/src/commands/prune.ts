import { confirm, type ExitCode, exitCodes, type FleetPackage, type Host, parseWhole } from 'landform/cli'
import { formatNumber } from 'landform/report'
import { splitKeys } from '../database/fleet-store.js'
import type { FleetTables } from '../database/view.js'
import type { RunKey } from '../model/run.js'
import { withFleetDatabase } from './open-fleet.js'

/** Limits the runs per transaction, so that transactions are short. */
const maxRunsPerTransaction = 500

/** Runs that ended more than this many days ago, except the newest of each site, which has its current state. */
const oldRuns = `from landform.run r where r.ended_at < clock_timestamp() - $1 * interval '1 day'
  and exists (select from landform.run n where n.site = r.site and n.generation > r.generation)`

/** Rollouts of that age that have no runs left and are not running. */
const emptyRollouts = `from landform.rollout o where o.submitted_at < clock_timestamp() - $1 * interval '1 day'
  and o.state <> 'running' and not exists (select from landform.run r where r.rollout = o.id)`

/** Deletes old runs. It can be interrupted and repeated. */
export function prune(argv: Parameters<FleetPackage['commands']['prune']>[0], host: Host): Promise<ExitCode> {
  const days = parseWhole('days', argv.days, { from: 1, to: 36_500 })
  return withFleetDatabase(argv, host, async open => {
    const [row] = await open.database.rows<{ n: number }>(`select count(*)::int as n ${oldRuns}`, [days])
    const runs = row?.n ?? 0
    const age = `${formatNumber(days, 'day')} ago`
    const old = `${formatNumber(runs, 'run')} that ended more than ${age}`
    const question = {
      question: `Delete ${old}?`,
      purpose: ` to delete ${old}`,
      without: '; nothing was deleted',
    }
    const rejection = runs === 0 ? undefined : await confirm(host, argv, question)
    if (rejection !== undefined) return { ok: false, error: rejection }
    await removeAll(open, days)
    const nothing = `Nothing to delete: no runs ended more than ${age}.\n`
    if (!argv.quiet) host.stdout.print(runs === 0 ? nothing : `Deleted ${old}.\n`)
    return { ok: true, value: exitCodes.done }
  })
}

async function removeAll(open: FleetTables, days: number): Promise<void> {
  const { database } = open
  const these = '(site, generation) in (select * from unnest($1::text[], $2::int[]))'
  for (;;) {
    const oldest = `select site, generation ${oldRuns} order by ended_at limit ${maxRunsPerTransaction}`
    const runs = await database.rows<RunKey>(oldest, [days])
    if (runs.length === 0) break
    await database.transaction(async runner => {
      await runner.rows(`delete from landform.event where ${these}`, splitKeys(runs))
      await runner.rows(`delete from landform.run where ${these}`, splitKeys(runs))
    })
  }
  await database.rows(`delete ${emptyRollouts}`, [days])
}
