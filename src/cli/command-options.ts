import { manifestVersions } from '../contract/versions.js'
import { flag, list, text } from './command.js'

/** The formats of a plan. */
export const planFormats = ['text', 'json', 'markdown', 'html', 'gitlab'] as const
export type PlanFormat = (typeof planFormats)[number]

/** The common formats of commands about a site. */
export const siteFormats = ['text', 'json'] as const
export type SiteFormat = (typeof siteFormats)[number]

/** The formats of drift. */
export const driftFormats = ['text', 'json', 'markdown'] as const

/** The formats of `landform test`. */
export const testFormats = ['text', 'json', 'junit', 'github'] as const

/** The formats of findings. */
export const findingFormats = ['text', 'json', 'sarif', 'github', 'gitlab'] as const
export type FindingFormat = (typeof findingFormats)[number]

/** The formats of the commands that show a fleet. */
export const fleetFormats = siteFormats

/** Options that every command has. */
export const commonOptions = {
  color: text('WHEN', 'Colour the output', { choices: ['auto', 'always', 'never'], default: 'auto' }),
  quiet: flag('Print less on stderr', 'q'),
  'no-input': flag('Never prompt; fail where confirmation is needed'),
}

/** Options of the commands that read a site. */
export const siteOptions = {
  url: text('URL', 'Use this address instead of spec.site.url'),
  emulate: flag('Use a private emulator; needs no site and no secrets'),
  'allow-origin': list('URL', 'Allow only sites of this origin (repeatable; also LANDFORM_ALLOWED_ORIGINS)'),
}

/** The option of the commands that check a manifest against policies. */
export const policyOption = {
  policy: list('FILE', 'Policy file to add to each landform.policy.yaml (repeatable)'),
}

/** Options of the commands that read or write state. */
export const stateOption = {
  state: text(
    'LOCATION',
    'Where state is kept: file:DIR, git:REMOTE, s3:…, azblob:…, kubernetes:… or postgres:… [default: spec.state, or file:.landform beside the manifest]',
  ),
}

/** Options of the commands that wait for a site. */
export const waitOptions = {
  timeout: text('TIME', 'How long to wait, such as 90s or 3h', { default: '3h' }),
  'poll-interval': text('TIME', 'Time between two polls [default: 5s, 200ms on loopback]'),
  notify: flag('Ring and notify when the run ends, on a terminal only'),
}

/** The option of the commands that lock a site. */
export const lockOption = {
  'lock-timeout': text('TIME', "How long to wait for another run's lock, such as 20m", { default: '0s' }),
}

/** The part of the help of `--verbose` about folders. */
export const namesSkipped = 'list the skipped files of a folder'

/** `--format` with the formats that a command has. */
export function formatOption(formats: readonly string[]) {
  return {
    format: list('FORMAT[=FILE]', `Output (repeatable): ${formats.join(', ')}`, {
      suggests: formats,
      default: 'text',
    }),
  }
}

/** The option of every command that can start an emulator. */
export const scenarioOption = {
  scenario: list('NAME|FILE', 'Faults to inject (repeatable); see `landform emulate --help`', {
    suggests: 'scenarios',
  }),
}

/** The argument of every command about a site. */
export const manifestArgument = { name: 'file', describe: 'Manifest; - is standard input' } as const

/** The argument of every command about one or many sites. */
export const manifestsArgument = {
  name: 'files',
  many: true,
  optional: true,
  describe: 'Manifests, folders or patterns; - is standard input [default: site.yaml]',
} as const

/** The options that every command about a site has. */
export const manifestOptions = {
  ...siteOptions,
  ...scenarioOption,
  ...stateOption,
  ...formatOption(siteFormats),
  ...commonOptions,
} as const

/** The option that signs in to a site named by its address. */
export const signInOption = {
  'sign-in': text(
    'NAME[=WHERE]',
    'Account to sign in with, if no manifest names one; its password is in env:LANDFORM_ADMIN_PASSWORD, or WHERE',
  ),
}

/** The option of commands that begin by reading one site. */
export const waitReadyOption = {
  'wait-ready': text('TIME', 'Wait this long for the site to come up, such as 15m'),
}

/** The option of the commands that read many sites. */
export const concurrencyOption = { concurrency: text('N', 'Number of sites at once [default: 4]') }

/** The option of the commands that plan. */
export const ignoreOption = {
  'ignore-immutable': list('FIELD', 'Ignore edits of an immutable field, such as spec.logLevel'),
}

/** The option of the commands that read saved plans. */
export const signatureOption = {
  'require-signature': text('PUBKEY', 'Accept only a saved plan signed by this Ed25519 key'),
}

/** The option of the commands that ask a person. */
export const yesOption = { yes: flag('Do not ask for confirmation') }

/** The option that names a token, with the beginning of its help. */
export function tokenOption(describe: string) {
  return {
    token: text('env:NAME|file:PATH', `${describe}; a file must be below the working folder`),
  }
}

/** The option that plans without requests. */
export const offlineOption = { offline: flag('Send nothing and read no token: plan from local state alone') }

/** The option with the storage classes of the cluster. Landform connects to no cluster. */
export const storageOption = {
  'storage-classes': text(
    'FILE',
    'Check the storage classes against the output of kubectl get storageclasses -o json',
  ),
}

/** The option that saves what a command found. */
export const outOption = {
  out: text('FILE', 'Save the plan, for apply to perform exactly this plan; for several sites, a folder'),
}

/** The option that shows all of a plan. */
export const verboseOption = { verbose: flag('Also show the status of every field', 'v') }

/** The option that shows the route of requests, for commands that take folders. */
export const manyRouteOption = {
  verbose: flag(`Also print how the site is reached, and ${namesSkipped}`, 'v'),
}

/** The options of an apply, which its parts share. */
export const applyOptions = {
  ...yesOption,
  'accept-local-state': flag('In CI, create a site with state on a local disk'),
  detach: flag('Return once the service has accepted the configuration'),
  'resubmit-after-rejection': flag('Send configure again after a rejection, if no configuration has started'),
  'no-license-check': flag('Skip the license check before configure'),
  progress: text('HOW', 'How to show progress on stderr', {
    choices: ['auto', 'live', 'lines', 'json'],
    default: 'auto',
  }),
  events: text('FILE', 'Write the events to a file, one JSON object a line'),
  ...waitReadyOption,
  ...lockOption,
  ...concurrencyOption,
  ...ignoreOption,
  manifest: text('FILE', 'Accept only a saved plan of this manifest'),
  ...signatureOption,
  ...manyRouteOption,
  ...waitOptions,
  ...policyOption,
  ...manifestOptions,
}

/** The argument of the commands that need only an address: `--url` can replace it. */
export const targetArgument = {
  name: 'file',
  optional: true,
  describe: 'Manifest of the site; - is standard input. Not needed with --url',
} as const

/** The option that confirms the target of a one-shot operation. */
export const confirmOption = {
  confirm: text('HOST', 'Confirm without a prompt; must be the host of the site'),
}

/** The options that both one-shot operations list after their own. */
export const oneShotOptions = {
  ...tokenOption('Location of the token, instead of spec.site.token'),
  ...signInOption,
  'service-version': text(
    'VERSION',
    'Version of a site without a manifest, to reject unsupported operations',
    { suggests: manifestVersions },
  ),
  ...yesOption,
  ...siteOptions,
  ...scenarioOption,
  ...formatOption(siteFormats),
  ...commonOptions,
}

/** The options that the commands about state list after their own. */
export const keptOptions = {
  url: siteOptions.url,
  'allow-origin': siteOptions['allow-origin'],
  ...stateOption,
  ...commonOptions,
}
