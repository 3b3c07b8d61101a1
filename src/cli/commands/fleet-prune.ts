import { command } from '../command.js'
import { withFleet } from '../engine/load-fleet-package.js'
import { pruneOptions } from '../engine/options.js'

/** Takes away what is kept of runs that ended long ago. The newest run of each site stays, and so does its state. */
export const fleetPrune = command({
  arguments: [],
  options: pruneOptions,
  examples: [
    ['fleet prune', 'see what is older than 90 days, and be asked'],
    ['fleet prune --days 30 --yes', 'in a job that runs every week'],
  ],
  run: (argv, host) => withFleet(host, ({ prune }) => prune(argv, host)),
})
