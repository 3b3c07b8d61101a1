import { command } from '../command.js'
import { withFleet } from '../engine/load-fleet-package.js'
import { historyOptions, siteArgument } from '../engine/options.js'

/** Shows every run of one site: when, by which worker, how it ended. */
export const fleetHistory = command({
  arguments: [siteArgument],
  options: historyOptions,
  examples: [
    ['fleet history amsterdam', 'every run of a site'],
    ['fleet history amsterdam -v', 'with all events'],
  ],
  run: (argv, host) => withFleet(host, ({ history }) => history(argv, host)),
})
