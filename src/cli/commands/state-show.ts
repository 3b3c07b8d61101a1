import { openNotes } from '../../library/open-state.js'
import { toStateFailure } from '../../report/endings/state.js'
import { type ExitCode, exitCodes } from '../../report/exit-code.js'
import { formatOpenIntents, formatStateSummary, stateSummaryDocument } from '../../report/state-summary.js'
import type { SiteState } from '../../state/site-state.js'
import { type ArgumentsOf, declare, flag, pair } from '../command.js'
import { formatOption, keptOptions, siteFormats, targetArgument } from '../command-options.js'
import type { Host } from '../host.js'
import { parseTargets } from '../options.js'
import { openSiteOrAddress, withSite } from '../site/open-session.js'
import { checkReports, emit, jsonText, paintFor } from '../terminal/output.js'

const declaration = declare({
  name: 'state show',
  describe: 'Show the state of a site: journal, lock, record, receipts; or the open intents of this machine',
  touches: 'nothing',
  arguments: [targetArgument],
  options: {
    all: flag('Read, check and show all versions, not only the last 20'),
    verbose: flag('Show receipts in full', 'v'),
    ...keptOptions,
    ...formatOption(siteFormats),
  },
  examples: [
    ['state show site.yaml', 'see the submission intent, the lock and every run'],
    ['state show --url https://gis.example.org/admin --state file:kept', 'the same without a manifest'],
    ['state show', 'list the submission intents of this machine with an unknown outcome'],
  ],
})

/** The number of newest versions that are shown without `--all`. */
const shownVersions = 20

/**
 * Shows the state of a site, and checks the integrity of the shown versions; without a site, shows the open submission
 * intents noted on this machine. Sends nothing to a site.
 */
function stateShow(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  if (argv.file === undefined && argv.url === undefined && argv.state === undefined)
    return showOpenIntents(argv, host)
  return withSite(argv, host, {
    formats: siteFormats,
    open: () => openSiteOrAddress(argv, host),
    async work({ session: { url, state, commands }, refuse, report }) {
      let newest: SiteState | undefined
      const select = (version: SiteState) => {
        newest = version
        const { serial, writtenAt, tool, entry, lock } = version
        return { serial, writtenAt, tool, entry, ...(lock && { lock }) }
      }
      const read = await state.history(select, argv.all ? undefined : shownVersions)
      if (!read.ok) return refuse(toStateFailure(read.error, commands))
      const lockOwner = await state.lockOwner(newest)
      const summary = {
        site: url,
        where: state.where,
        ...(newest && { newest }),
        history: read.value,
        ...(lockOwner && { lockOwner }),
      }
      return report((format, paint) =>
        format === 'json'
          ? jsonText(stateSummaryDocument(summary))
          : formatStateSummary(summary, { paint, verbose: argv.verbose }),
      )
    },
  })
}

async function showOpenIntents(
  { format, color }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  const targets = parseTargets(format, siteFormats)
  await checkReports(
    targets.map(({ file }) => file),
    [],
  )
  const notes = openNotes(host.environment)
  const kept = await notes.list()
  const intents = kept.map(note => ({ ...note, note: notes.fileOf(note.site) }))
  const written = await emit(host, targets, (form, toFile) =>
    form === 'json'
      ? jsonText({ formatVersion: 1, intents })
      : formatOpenIntents(intents, paintFor('stdout', toFile ? 'never' : color)),
  )
  return written ? exitCodes.done : exitCodes.state
}

export const command = pair(declaration, stateShow)
