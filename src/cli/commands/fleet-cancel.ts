import { command } from '../command.js'
import { withFleet } from '../engine/load-fleet-package.js'
import { cancelOptions, sitesArgument } from '../engine/options.js'

/** Stops the work on sites: nothing more is begun there, and what the service has begun goes on. */
export const fleetCancel = command({
  arguments: [sitesArgument],
  options: cancelOptions,
  examples: [
    ['fleet cancel amsterdam', 'stop waiting for one site'],
    ['fleet cancel --all --yes', 'stop everything, without asking'],
  ],
  run: (argv, host) => withFleet(host, ({ cancel }) => cancel(argv, host)),
})
