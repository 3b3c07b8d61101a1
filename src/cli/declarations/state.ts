import { declare, flag, type Options, text } from '../command.js'
import { commonOptions, formatOption, siteFormats, siteOptions, stateOption } from './options.js'

/** The word that the commands about state have; the address alone will do where a manifest is not valid any more. */
const keptArgument = {
  name: 'file',
  optional: true,
  describe: 'Manifest of the site; - is standard input. Not needed with --url',
} as const

/** The options that the commands about state have after their own. */
const keptOptions = {
  url: siteOptions.url,
  'allow-origin': siteOptions['allow-origin'],
  ...stateOption,
  ...commonOptions,
} as const satisfies Options

export const stateShow = declare({
  name: 'state show',
  describe: 'Show the state of a site: journal, lock, record, receipts; or the open intents of this machine',
  touches: 'nothing',
  arguments: [keptArgument],
  options: {
    all: flag('Show all versions, not only the last 20'),
    verbose: flag('Show receipts in full', 'v'),
    ...keptOptions,
    ...formatOption(siteFormats),
  },
  examples: [
    ['state show site.yaml', 'see the submission intent, the lock and every run'],
    ['state show --url https://gis.example.org/admin --state file:kept', 'the same without a manifest'],
    ['state show', 'list the submission intents of this machine with an unknown outcome'],
  ],
})

export const stateUnlock = declare({
  name: 'state unlock',
  describe: 'Show which run has a site, or remove the lock of a run that is gone',
  touches: 'changes',
  arguments: [keptArgument],
  options: {
    nonce: text('NONCE', 'The lock to remove; without it, show which run has the site'),
    yes: flag('Do not ask for confirmation'),
    ...keptOptions,
  },
  examples: [
    ['state unlock site.yaml', 'see which run has the site, and how to remove its lock'],
    ['state unlock site.yaml --nonce 5f0c…', 'remove the lock of a run that is gone'],
  ],
})

export const stateDiscardIntent = declare({
  name: 'state discard-intent',
  describe: 'Discard a submission intent proven not to have reached the service',
  touches: 'changes',
  arguments: [keptArgument],
  options: {
    intent: text('NONCE', 'The submission intent to discard; without it, show what is known'),
    'runner-is-gone': flag(
      'The machine of the run is gone for good: a process that is only paused could still send',
    ),
    'site-is': text('WHICH', 'The site that now responds with another version or build', {
      choices: ['upgraded', 'another'],
    }),
    wait: flag('Wait until the request can no longer arrive'),
    ...keptOptions,
  },
  examples: [
    ['state discard-intent site.yaml', 'see what is known of the request'],
    [
      'state discard-intent site.yaml --intent 5f0c… --wait',
      'wait until it can no longer arrive, then discard it',
    ],
  ],
})

export const stateMove = declare({
  name: 'state move',
  describe: 'Move the state of a site to another location or address, and leave a pointer',
  touches: 'changes',
  arguments: [
    {
      name: 'from',
      describe: 'Where the state is: a location such as file:.landform, or the old address of the site',
    },
    {
      name: 'to',
      describe: 'Where to move it: a location such as git:origin, or the new address of the site',
    },
    { name: 'file', describe: 'Manifest of the site; - is standard input' },
  ],
  options: { ...stateOption, ...commonOptions },
  examples: [
    ['state move file:.landform git:origin site.yaml', 'share the state of a site with CI'],
    [
      'state move https://old.example.org/gis/admin https://gis.example.org/gis/admin site.yaml',
      'the address of the site has changed',
    ],
  ],
})
