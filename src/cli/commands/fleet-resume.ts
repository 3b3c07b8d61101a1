import { command } from '../command.js'
import { withFleet } from '../engine/load-fleet-package.js'
import { resumeOptions, sitesArgument } from '../engine/options.js'

/** Takes up sites again that were cancelled, refused, failed or not finished. */
export const fleetResume = command({
  arguments: [sitesArgument],
  options: resumeOptions,
  examples: [
    ['fleet resume amsterdam', 'take up one site again'],
    ['fleet resume --failed', 'and every one that did not come to its end'],
    [
      'fleet resume --rollout 20260401-3f9a1c --skip-failed',
      'go on with a stopped rollout, without the sites that stopped it',
    ],
  ],
  run: (argv, host) => withFleet(host, ({ resume }) => resume(argv, host)),
})
