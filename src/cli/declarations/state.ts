import { declare, type Options } from '../command.js'
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
  describe: 'Show what is kept about a site: journal, lock, record, receipts',
  touches: 'nothing',
  arguments: [keptArgument],
  options: {
    verbose: { kind: 'flag', short: 'v', describe: 'Show receipts in full' },
    ...keptOptions,
    ...formatOption(siteFormats),
  },
  examples: [
    ['state show site.yaml', 'see how far configure came, who has the site, and every run'],
    ['state show --url https://gis.example.org/admin --state file:kept', 'the same without a manifest'],
  ],
})

export const stateUnlock = declare({
  name: 'state unlock',
  describe: 'Say who has a site, or remove the lock of a run that is gone',
  touches: 'changes',
  arguments: [keptArgument],
  options: {
    nonce: { kind: 'text', value: 'NONCE', describe: 'The lock to remove; without it, who has the site' },
    yes: { kind: 'flag', describe: 'Do not ask on a terminal either' },
    ...keptOptions,
  },
  examples: [
    ['state unlock site.yaml', 'see who has the site, and how to remove that lock'],
    ['state unlock site.yaml --nonce 5f0c…', 'remove it, where that run is gone'],
  ],
})

export const stateResubmit = declare({
  name: 'state resubmit',
  describe: 'Take back a configure that came to nothing, once that is proven',
  touches: 'changes',
  arguments: [keptArgument],
  options: {
    intent: { kind: 'text', value: 'NONCE', describe: 'The request to take back; without it, what is known' },
    'runner-is-gone': {
      kind: 'flag',
      describe: 'The machine that promised is gone for good: a process that is only paused could still send',
    },
    wait: { kind: 'flag', describe: 'Wait until the request cannot be under way any more' },
    ...keptOptions,
  },
  examples: [
    ['state resubmit site.yaml', 'see what is known of the request'],
    [
      'state resubmit site.yaml --intent 5f0c… --wait',
      'wait until it cannot arrive any more, then take it back',
    ],
  ],
})

export const stateMove = declare({
  name: 'state move',
  describe: 'Carry the state of a site to another location or address, and leave a pointer',
  touches: 'changes',
  arguments: [
    {
      name: 'from',
      describe: 'Where the state is: a location such as file:.landform, or the address it belongs to',
    },
    {
      name: 'to',
      describe: 'Where it is to be: a location such as git:origin, or the new address of the site',
    },
    { name: 'file', describe: 'Manifest of the site; - is standard input' },
  ],
  options: { ...stateOption, ...commonOptions },
  examples: [
    ['state move file:.landform git:origin site.yaml', 'share the state of a site with CI'],
    [
      'state move https://old.example.org/gis/admin https://gis.example.org/gis/admin site.yaml',
      'the site is now called by another address',
    ],
  ],
})
