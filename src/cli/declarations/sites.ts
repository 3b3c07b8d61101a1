import { declare, type Options } from '../command.js'
import {
  commonOptions,
  concurrencyOption,
  driftFormats,
  formatOption,
  ignoreOption,
  manifestArgument,
  manifestOptions,
  manifestsArgument,
  planFormats,
  policyOption,
  routeOption,
  signatureOption,
  waitOptions,
  waitReadyOption,
  waveOptions,
} from './options.js'

/** The option of the command that saves plans. */
const signOption = {
  'sign-key': {
    kind: 'text',
    value: 'WHERE',
    describe: 'Sign the saved plan: an Ed25519 key in PEM, env:LANDFORM_… or file:PATH',
  },
} as const satisfies Options

/** The option of the command that performs saved plans. */
const manifestOption = {
  manifest: {
    kind: 'text',
    value: 'FILE',
    describe: 'Take only a saved plan that was made from this manifest',
  },
} as const satisfies Options

/** Options that show a plan what is in the cluster. Landform talks to no cluster itself. */
const clusterOptions = {
  nodes: {
    kind: 'text',
    value: 'FILE',
    describe: 'Say which nodes take upgrade pods: the output of kubectl get nodes -o json',
  },
  'storage-classes': {
    kind: 'text',
    value: 'FILE',
    describe: 'Look up the storage classes: the output of kubectl get storageclasses -o json',
  },
} as const satisfies Options

/** The option that shows all of it. */
const verboseOption = {
  verbose: { kind: 'flag', short: 'v', describe: 'Also show every field with what is known of it' },
} as const satisfies Options

export const plan = declare({
  name: 'plan',
  describe: 'Show what apply would do; only ever reads',
  touches: 'looks',
  arguments: [manifestsArgument],
  options: {
    out: { kind: 'text', value: 'FILE', describe: 'Save the plan, for apply to perform just this one' },
    expires: {
      kind: 'text',
      value: 'TIME',
      default: '24h',
      describe: 'How long a saved plan may be applied',
    },
    ...signOption,
    ...concurrencyOption,
    offline: {
      kind: 'flag',
      describe: 'Send nothing and read no token: plan by what is kept here alone',
    },
    'detailed-exitcode': { kind: 'flag', describe: 'Exit with 2 when there are changes' },
    ...ignoreOption,
    ...waitReadyOption,
    ...clusterOptions,
    ...policyOption,
    verbose: {
      ...verboseOption.verbose,
      describe: `${verboseOption.verbose.describe}, and say how the site is reached`,
    },
    ...manifestOptions,
    ...formatOption(planFormats),
  },
  examples: [
    ['plan site.yaml', 'show what apply would do'],
    ['plan site.yaml --out plan.json', 'save the plan that is reviewed, to apply it later'],
    ['plan site.yaml --offline', 'show it where the site cannot be reached, such as for a fork'],
    ['plan site.yaml --format json --detailed-exitcode', 'for a pipeline'],
    ['plan site.yaml --format text --format markdown=plan.md --format html=plan.html', 'for reviewers'],
    ['plan sites', 'show each plan of a folder, and what they come to'],
    ['plan site.yaml --nodes nodes.json', 'show, too, which nodes take the pods of an upgrade'],
  ],
})

export const show = declare({
  name: 'show',
  describe: 'Print a saved plan again',
  touches: 'nothing',
  arguments: [{ name: 'file', describe: 'Plan that landform plan --out wrote' }],
  options: { ...signatureOption, ...verboseOption, ...formatOption(planFormats), ...commonOptions },
  examples: [['show plan.json', 'read a saved plan again']],
})

export const apply = declare({
  name: 'apply',
  describe: 'Bring the site, or many, to what the manifests say',
  touches: 'changes',
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
  more: async () => {
    const { severityOrderWords } = await import('../exit-code.js')
    return [['Exit code of several sites', [['the worst of', severityOrderWords]]]]
  },
})

export const status = declare({
  name: 'status',
  describe: 'Show the state of the site and its stages, or of many sites',
  touches: 'looks',
  arguments: [manifestsArgument],
  options: {
    wait: { kind: 'flag', describe: 'Follow a running configuration to its end' },
    ...waitReadyOption,
    ...routeOption,
    ...concurrencyOption,
    ...waitOptions,
    ...manifestOptions,
  },
  examples: [
    ['status site.yaml', 'look once'],
    ['status sites', 'look at every site of a folder'],
    ['status site.yaml --wait', 'look until the site is ready'],
  ],
})

export const drift = declare({
  name: 'drift',
  describe: 'Say of each field what is known of it on the site; only ever reads',
  touches: 'looks',
  arguments: [manifestArgument],
  options: {
    'min-coverage': {
      kind: 'text',
      value: 'PERCENT',
      describe: 'End with 78 unless the site itself tells at least so many percent of the fields',
    },
    verbose: { kind: 'flag', short: 'v', describe: 'List every field, and say how the site is reached' },
    ...manifestOptions,
    ...formatOption(driftFormats),
  },
  examples: [
    ['drift site.yaml', 'see what differs, and what nobody can know'],
    ['drift site.yaml --format json', 'for a scheduled job: it ends with 2 where something differs'],
  ],
})
