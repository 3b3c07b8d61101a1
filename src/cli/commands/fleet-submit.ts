import { command } from '../command.js'
import { withFleet } from '../engine/load-fleet-package.js'
import { filesArgument, submitOptions } from '../engine/options.js'

/** Hands the manifests of many sites to the workers of a fleet. Sends nothing to a site. */
export const fleetSubmit = command({
  arguments: [filesArgument],
  options: submitOptions,
  examples: [
    [
      'fleet submit sites --waves 1,10%,100%',
      'a first site, a tenth, then all, stopping after a wave that fails',
    ],
    ['fleet submit sites --from-git main --yes', 'the manifests of a commit, without asking'],
  ],
  run: (argv, host) => withFleet(host, ({ submit }) => submit(argv, host)),
})
