import { command } from '../command.js'
import { withFleet } from '../engine/load-fleet-package.js'
import { workerOptions } from '../engine/options.js'

/** Applies what was submitted, until it is told to stop, and takes over the sites of workers that died. */
export const fleetWorker = command({
  arguments: [],
  options: workerOptions,
  examples: [
    ['fleet worker --folder sites --limit 50', 'work on up to 50 sites at once'],
    ['fleet worker --listen 0.0.0.0:9464 --log json', 'in a cluster, with probes and metrics'],
  ],
  run: (argv, host) => withFleet(host, ({ worker }) => worker(argv, host)),
})
