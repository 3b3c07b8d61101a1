import { command } from '../command.js'
import { withFleet } from '../engine/load-fleet-package.js'
import { uiOptions } from '../engine/options.js'

/** Serves a page that shows the fleet, live; it can change nothing. */
export const fleetUi = command({
  arguments: [],
  options: uiOptions,
  examples: [
    ['fleet ui', 'on this machine'],
    [
      'fleet ui --listen 0.0.0.0:8787 --token env:LANDFORM_UI_TOKEN',
      'for others, who have to know the token',
    ],
  ],
  run: (argv, host) => withFleet(host, ({ ui }) => ui(argv, host)),
})
