import {
  type ArgumentsOf,
  checkReports,
  type ExitCode,
  emit,
  exitCodes,
  type Failure,
  fail,
  fleetFormats,
  type fleetHistory,
  type Host,
  jsonText,
  paintFor,
  parseTargets,
  toStateFailure,
} from 'landform/cli'
import { buildHistoryDocument, formatHistory, type SiteHistory } from '../report/history.js'
import { type OpenFleet, withFleetDatabase } from './open-fleet.js'
import { openSiteState } from './open-site-state.js'
import { selectSites } from './select-sites.js'

type HistoryArguments = ArgumentsOf<typeof fleetHistory>

/** Shows every run of a site and its receipts. Writes nothing. */
export async function history(argv: HistoryArguments, host: Host): Promise<ExitCode> {
  const { color, verbose } = argv
  const targets = parseTargets(argv.format, fleetFormats)
  await checkReports(
    targets.map(({ file }) => file),
    [],
  )
  const refuse = (failure: Failure) => fail(host, failure, { targets, color, readLines: () => undefined })
  const work = async (open: OpenFleet) => {
    const chosen = selectSites([argv.site], await open.store.runs())
    if (!chosen.ok) return refuse(chosen.error)
    const [newest] = chosen.value
    const site = newest?.site ?? argv.site
    const kept = await openSiteState(site, open, host).history()
    if (!kept.ok) return refuse(toStateFailure(kept.error))
    const runs = await open.store.runs({ sites: [site], generations: 'all' })
    const listed: SiteHistory['runs'][number][] = []
    for (const run of runs.toSorted((a, b) => b.generation - a.generation))
      listed.push({ ...run, events: await open.store.events(run) })
    const found = { site, name: newest?.name ?? site, runs: listed, versions: kept.value }
    const written = await emit(host, targets, (format, toFile) =>
      format === 'json'
        ? jsonText(buildHistoryDocument(found))
        : formatHistory(found, { paint: paintFor('stdout', toFile ? 'never' : color), verbose }),
    )
    return written ? exitCodes.done : exitCodes.state
  }
  return withFleetDatabase({ database: argv.database, host }, work, { refuse })
}
