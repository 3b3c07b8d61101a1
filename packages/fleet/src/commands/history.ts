import {
  type ArgumentsOf,
  type ExitCode,
  exitCodes,
  type fleetHistory,
  type Host,
  toStateFailure,
} from 'landform/cli'
import type { Paint } from 'landform/report'
import { readRunsOfSite } from '../database/view.js'
import { buildHistoryDocument, formatHistory } from '../report/history.js'
import { openSiteState, reportFleet } from './open-fleet.js'
import { selectSites } from './select.js'

/** Shows every run of a site and its receipts. Writes nothing. */
export function history(argv: ArgumentsOf<typeof fleetHistory>, host: Host): Promise<ExitCode> {
  return reportFleet(argv, host, async open => {
    const chosen = selectSites([argv.site], await open.store.runs())
    if (!chosen.ok) return chosen
    const [{ site, name } = { site: argv.site, name: argv.site }] = chosen.value
    const kept = await openSiteState(site, open, host).history()
    if (!kept.ok) return { ok: false, error: toStateFailure(kept.error) }
    const found = { site, name, runs: await readRunsOfSite(open.store, site), versions: kept.value }
    const document = buildHistoryDocument(found)
    const text = (paint: Paint) => formatHistory(found, paint, argv.verbose)
    return { ok: true, value: { exitCode: exitCodes.done, document, text } }
  })
}
