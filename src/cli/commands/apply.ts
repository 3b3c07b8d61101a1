import { applyOne } from '../apply-one.js'
import { command } from '../command.js'
import { chosenFiles } from '../fleet/chosen-files.js'
import { waveOptions } from '../fleet/fleet-options.js'
import { gravityWords } from '../fleet/gravest.js'
import { parsePatience, policyOption, routeOption, waitOptions } from '../options.js'
import { ignoreOption, parseIgnored } from '../plan/plan-options.js'
import { signatureOption } from '../plan/plan-signature.js'
import { manifestOption } from '../plan/planned-manifest.js'
import { openPlanned } from '../plan/planned-session.js'
import { UsageError } from '../usage-error.js'
import { refuseWaitReady, waitReadyOption } from '../wait-ready.js'
import { atDesk, manifestOptions, siteFormats } from '../with-session.js'

/** Plans, asks, performs the plan, and says how it ended; or performs a saved plan, just that, and asks nothing. */
export const apply = command({
  arguments: [
    {
      name: 'files',
      many: true,
      describe:
        'Manifest, or a saved plan, or several: files, folders, patterns; - is a manifest on standard input',
    },
  ],
  options: {
    yes: { kind: 'flag', describe: 'Do not ask before the site is changed' },
    'accept-local-state': { kind: 'flag', describe: 'Create a site from CI with state on a disk that lasts' },
    detach: { kind: 'flag', describe: 'Return once the service has accepted the configuration' },
    'resubmit-after-rejection': {
      kind: 'flag',
      describe: 'Send configure again although the service said no to an earlier one, if nothing has begun',
    },
    progress: {
      kind: 'text',
      value: 'HOW',
      choices: ['auto', 'live', 'lines', 'json'],
      default: 'auto',
      describe: 'How to show what happens, on stderr',
    },
    events: { kind: 'text', value: 'FILE', describe: 'Write the events to a file, one JSON object a line' },
    ...waitReadyOption,
    ...waveOptions,
    ...ignoreOption,
    ...manifestOption,
    ...signatureOption,
    ...routeOption,
    ...waitOptions,
    ...policyOption,
    ...manifestOptions,
  },
  examples: [
    ['apply site.yaml', 'plan, ask, apply'],
    [
      'apply plan.json --manifest site.yaml',
      'perform just the plan of this manifest that was reviewed, or nothing',
    ],
    ['apply --emulate site.yaml', 'rehearse the same on this machine'],
    ['apply sites --waves 1,10%,100%', 'one review of many sites; one first, then a tenth, then the others'],
  ],
  more: [['Exit code of several sites', [['the gravest of', gravityWords]]]],
  async run({ files, ...options }, host) {
    const asMany = [options.waves, options.concurrency].some(Boolean) || options['keep-going']
    const chosen = await chosenFiles(files, asMany)
    const argv = { ...options, file: chosen.kind === 'one' ? chosen.file : '' }
    const patienceFor = parsePatience(argv)
    const ignored = parseIgnored(argv['ignore-immutable'])
    if (argv.emulate && argv.detach)
      throw new UsageError('--detach leaves nothing behind with --emulate, whose emulator ends with the run')
    if (chosen.kind === 'many' && argv.manifest !== undefined)
      throw new UsageError('--manifest names the manifest of one saved plan')
    if (chosen.kind === 'many') {
      refuseWaitReady(argv, 'is for one site')
      const { applyFleet } = await import('../fleet/apply-fleet.js')
      return applyFleet(options, host, { chosen, ignored, patienceFor })
    }
    return atDesk(argv, host, {
      formats: siteFormats,
      open: () => openPlanned(argv, host),
      work: desk => applyOne(desk, host, { argv, ignored, patienceFor }),
    })
  },
})
