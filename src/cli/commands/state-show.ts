import { type ExitCode, exitCodes } from '../../report/exit-code.js'
import { formatStateSummary, type StateSummary, stateSummaryDocument } from '../../report/state-summary.js'
import type { ArgumentsOf } from '../command.js'
import { siteFormats } from '../declarations/options.js'
import type { stateShow as declaration } from '../declarations/state.js'
import type { Host } from '../host.js'
import { toStateFailure } from '../site/failures.js'
import { openSiteOrAddress, withSite } from '../site/open-session.js'
import { emit, jsonText, paintFor } from '../terminal/output.js'

/** Shows the state of a site after an integrity check. Sends nothing to the site. */
export function stateShow(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const open = () => openSiteOrAddress(argv, host)
  return withSite(argv, host, {
    formats: siteFormats,
    open,
    async work({ session: { url, state }, targets, refuse }) {
      const read = await state.history()
      if (!read.ok) return refuse(toStateFailure(read.error))
      const history = read.value
      const lockOwner = await state.lockOwner(history.at(-1))
      const standing: StateSummary = {
        site: url,
        where: state.where,
        history,
        ...(lockOwner && { lockOwner }),
      }
      const written = await emit(host, targets, (format, toFile) =>
        format === 'json'
          ? jsonText(stateSummaryDocument(standing))
          : formatStateSummary(standing, {
              paint: paintFor('stdout', toFile ? 'never' : argv.color),
              verbose: argv.verbose,
            }),
      )
      return written ? exitCodes.done : exitCodes.state
    },
  })
}
