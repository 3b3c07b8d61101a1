import { describeEntry } from '../../report/state/entry-words.js'
import { standingDocument } from '../../report/state/standing.js'
import { formatStanding } from '../../report/state/standing-text.js'
import { command } from '../command.js'
import { exitCodes } from '../exit-code.js'
import { formatOption } from '../options.js'
import { emit, jsonText, paintFor } from '../output.js'
import { keptArgument, keptOptions, openState } from '../state/open-state.js'
import { stateFailureOf } from '../state/state-failure.js'
import { atDesk, siteFormats } from '../with-session.js'

/** Shows what is kept about a site, once it has been found whole. Sends nothing to the site. */
export const stateShow = command({
  arguments: [keptArgument],
  options: {
    verbose: { kind: 'flag', short: 'v', describe: 'Show receipts in full' },
    ...keptOptions,
    ...formatOption(siteFormats),
  },
  examples: [
    ['state show site.yaml', 'see how far configure came, who has the site, and every run'],
    ['state show --url https://gis.example.org/admin --state file:kept', 'the same without a manifest'],
  ],
  run(argv, host) {
    const open = () => openState(argv, host)
    return atDesk(argv, host, {
      formats: siteFormats,
      open,
      async work({ session: { url, state }, targets, refuse }) {
        const read = await state.history()
        if (!read.ok) return refuse(stateFailureOf(read.failure))
        const history = read.value
        const possession = await state.possession(history.at(-1))
        const standing = {
          site: url,
          where: state.where,
          history,
          ...(possession && { possession }),
        }
        const written = await emit(host, targets, (format, toFile) =>
          format === 'json'
            ? jsonText(standingDocument(standing, describeEntry))
            : formatStanding(standing, {
                paint: paintFor('stdout', toFile ? 'never' : argv.color),
                verbose: argv.verbose,
              }),
        )
        return written ? exitCodes.done : exitCodes.state
      },
    })
  },
})
