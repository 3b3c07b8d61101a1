import { declare, flag, list, type Options, text } from '../command.js'
import {
  commonOptions,
  concurrencyOption,
  driftFormats,
  formatOption,
  ignoreOption,
  manifestArgument,
  manifestOptions,
  manifestsArgument,
  namesSkipped,
  planFormats,
  policyOption,
  routeOption,
  scenarioOption,
  signatureOption,
  signInOption,
  siteFormats,
  siteOptions,
  stateOption,
  waitOptions,
  waitReadyOption,
} from './options.js'

/** The option of the command that saves plans. */
const signOption = {
  'sign-key': text('WHERE', 'Sign the saved plan: an Ed25519 key in PEM, env:LANDFORM_… or file:PATH'),
} as const satisfies Options

/** The option of the command that performs saved plans. */
const manifestOption = {
  manifest: text('FILE', 'Accept only a saved plan of this manifest'),
} as const satisfies Options

/** The option with the storage classes of the cluster. Landform connects to no cluster. */
const storageOption = {
  'storage-classes': text(
    'FILE',
    'Look up the storage classes: the output of kubectl get storageclasses -o json',
  ),
} as const satisfies Options

/** The option that shows all of it. */
const verboseOption = {
  verbose: flag('Also show the status of every field', 'v'),
} as const satisfies Options

/** The option that shows the route of requests, for commands that take folders. */
const manyRouteOption = {
  verbose: { ...routeOption.verbose, describe: `${routeOption.verbose.describe}, and ${namesSkipped}` },
} as const satisfies Options

export const plan = declare({
  name: 'plan',
  describe: 'Show what apply would do; read-only',
  touches: 'looks',
  arguments: [manifestsArgument],
  options: {
    out: text(
      'FILE',
      'Save the plan, so that apply performs exactly this one; of several sites, the folder of the plans',
    ),
    expires: text('TIME', 'How long the saved plan stays valid', { default: '24h' }),
    ...signOption,
    ...concurrencyOption,
    offline: flag('Send nothing and read no token: plan from local state alone'),
    'detailed-exitcode': flag('Exit with 2 when there are changes'),
    ...ignoreOption,
    ...waitReadyOption,
    ...storageOption,
    ...policyOption,
    verbose: {
      ...verboseOption.verbose,
      describe: `${verboseOption.verbose.describe}, print how the site is reached, and ${namesSkipped}`,
    },
    ...manifestOptions,
    ...formatOption(planFormats),
  },
  examples: [
    ['plan site.yaml', 'show what apply would do'],
    ['plan site.yaml --out plan.json', 'save the plan that is reviewed, to apply it later'],
    ['plan site.yaml --offline', 'plan without the site, such as for a fork'],
    ['plan site.yaml --format json --detailed-exitcode', 'for a pipeline'],
    ['plan site.yaml --format text --format markdown=plan.md --format html=plan.html', 'for reviewers'],
    ['plan sites --out plans', 'plan each site in a folder, and save each plan'],
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

export const comment = declare({
  name: 'comment',
  describe: 'Write or update the one comment of a pull or merge request about these sites',
  touches: 'ci',
  arguments: [
    { name: 'plans', many: true, describe: 'Plans that landform plan --out wrote, or their folder' },
  ],
  options: {
    manifest: list(
      'PATH',
      'A manifest or a folder: without its plan, mark what was shown as outdated (repeatable)',
    ),
    ...commonOptions,
  },
  examples: [
    ['comment plan.json --manifest site.yaml', 'after plan, whether it succeeded or not'],
    ['comment plans --manifest sites', 'the plans of all sites in a folder, in one comment'],
  ],
})

export const apply = declare({
  name: 'apply',
  describe: 'Bring one or more sites to the state of their manifests',
  touches: 'sends',
  arguments: [
    {
      name: 'files',
      many: true,
      optional: true,
      describe: 'Manifests, folders or saved plans; - is standard input [default: site.yaml]',
    },
  ],
  options: {
    yes: flag('Do not ask for confirmation'),
    'accept-local-state': flag('In CI, create a site with state on a local disk'),
    detach: flag('Return once the service has accepted the configuration'),
    'resubmit-after-rejection': flag('Send configure again after a rejection, if nothing has begun'),
    'no-license-check': flag('Skip the license check before configure'),
    progress: text('HOW', 'How to show progress on stderr', {
      choices: ['auto', 'live', 'lines', 'json'],
      default: 'auto',
    }),
    events: text('FILE', 'Write the events to a file, one JSON object a line'),
    ...waitReadyOption,
    ...concurrencyOption,
    ...ignoreOption,
    ...manifestOption,
    ...signatureOption,
    ...manyRouteOption,
    ...waitOptions,
    ...policyOption,
    ...manifestOptions,
  },
  examples: [
    ['apply site.yaml', 'plan, ask, apply'],
    [
      'apply plan.json --manifest site.yaml',
      'perform exactly the reviewed plan of this manifest, or nothing',
    ],
    ['apply --emulate site.yaml', 'rehearse the same on this machine'],
    ['apply sites --concurrency 8', 'review many sites once; apply eight at once'],
    ['apply plans', 'perform each saved plan in a folder'],
  ],
  more: async () => {
    const { severityOrderWords } = await import('../../report/exit-code.js')
    return [['Exit code of several sites', [['the worst of', severityOrderWords]]]]
  },
})

export const status = declare({
  name: 'status',
  describe: 'Show the state of the site and its stages, or of many sites',
  touches: 'looks',
  arguments: [manifestsArgument],
  options: {
    wait: flag('Wait until the running configuration ends'),
    ...waitReadyOption,
    ...manyRouteOption,
    ...concurrencyOption,
    ...waitOptions,
    ...manifestOptions,
  },
  examples: [
    ['status site.yaml', 'show the state now'],
    ['status sites', 'show every site of a folder'],
    ['status site.yaml --wait', 'wait until the site is ready'],
  ],
})

export const drift = declare({
  name: 'drift',
  describe: 'Compare every field with the site, or of many sites; read-only',
  touches: 'looks',
  arguments: [manifestsArgument],
  options: {
    ...concurrencyOption,
    'min-coverage': text(
      'PERCENT',
      'Exit with 78 if fewer than this percentage of the fields are readable on the site',
    ),
    verbose: flag(`List every field, print how the site is reached, and ${namesSkipped}`, 'v'),
    ...manifestOptions,
    ...formatOption(driftFormats),
  },
  examples: [
    ['drift site.yaml', 'see what differs, and what cannot be verified'],
    ['drift site.yaml --format json', 'for a scheduled job: it exits with 2 if something differs'],
    ['drift sites', 'compare each site in a folder'],
  ],
})

export const probe = declare({
  name: 'probe',
  describe: 'Write how a site answers to a file, without any value of it; read-only',
  touches: 'looks',
  arguments: [{ ...manifestArgument, optional: true }],
  options: {
    out: text('FILE', 'Write the evidence to a new file'),
    force: flag('Replace the file of --out if it exists'),
    token: text(
      'env:NAME|file:PATH',
      'Where the token is, if no manifest says it; files below the working folder',
    ),
    ...signInOption,
    ...siteOptions,
    ...scenarioOption,
    ...formatOption(siteFormats),
    ...commonOptions,
  },
  examples: [
    ['probe site.yaml', 'show which resources answer'],
    ['probe site.yaml --out evidence.json', 'write how they answer to a file'],
    ['probe --url https://gis.example.org/arcgis/admin --token env:LANDFORM_TOKEN', 'without a manifest'],
  ],
})

export const adopt = declare({
  name: 'adopt',
  describe: 'Write the manifest of a site that others configured, and record it as asserted',
  touches: 'changes',
  arguments: [
    {
      name: 'file',
      optional: true,
      describe: 'The new manifest [default: site.yaml]; - prints it, and records nothing',
    },
  ],
  options: {
    name: text('NAME', 'Name of the site [default: from its host]'),
    token: text('env:NAME|file:PATH', 'Where the token is; files below the working folder'),
    ...signInOption,
    'from-properties': list(
      'FILE',
      'Also assert what this file says: the properties, chart values or JSON variables of the vendor',
    ),
    ...siteOptions,
    url: text('URL', 'Base URL of the administrator API of the site'),
    ...scenarioOption,
    ...stateOption,
    ...formatOption(siteFormats),
    ...commonOptions,
  },
  examples: [
    ['adopt --url https://gis.example.org/arcgis/admin --state git:origin', 'write site.yaml, and record it'],
    [
      'adopt --url URL --state git:origin --token env:LANDFORM_TOKEN --from-properties configure.properties',
      'read what needs a token, and assert the rest',
    ],
    ['adopt - --url URL --state git:origin', 'only see the manifest'],
  ],
})
