import { command } from '../command.js'
import { withFleet } from '../engine/load-fleet-package.js'
import { fleetStatusOptions, sitesArgument } from '../engine/options.js'

/** Shows where each site of a fleet stands, those that need a person first. Reads the database only. */
export const fleetStatus = command({
  arguments: [sitesArgument],
  options: fleetStatusOptions,
  examples: [
    ['fleet status', 'every site of the newest submissions'],
    ['fleet status --only ambiguous --format json', 'those that need an operator, for a program'],
  ],
  run: (argv, host) => withFleet(host, ({ status }) => status(argv, host)),
})
