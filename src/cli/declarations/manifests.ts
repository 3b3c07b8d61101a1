import { cloudKeys, listCredentialTypes } from '../../contract/cloud.js'
import { reportedUserTypes } from '../../contract/field-notes.js'
import { profileNames, profileUses } from '../../contract/profiles.js'
import { manifestVersions, newestReportedVersion, newestVersion } from '../../contract/versions.js'
import { declare, flag, list, text } from '../command.js'
import {
  commonOptions,
  findingFormats,
  formatOption,
  manifestArgument,
  namesSkipped,
  policyOption,
  stateOption,
  testFormats,
} from './options.js'

/** The default of `--max-problems`. */
export const maxShown = '100'

export const init = declare({
  name: 'init',
  describe: 'Write a new manifest with comments, and a CI workflow if asked',
  touches: 'nothing',
  arguments: [
    { name: 'file', optional: true, describe: 'The new manifest [default: site.yaml]; - prints it' },
  ],
  options: {
    name: text('NAME', 'Name of the site in plans and reports; required'),
    url: text('URL', 'Base URL of its administrator API; required'),
    email: text('ADDRESS', 'E-mail address of the administrator; required'),
    'service-version': text('VERSION', `Version that the site runs [default: ${newestVersion}]`, {
      suggests: manifestVersions,
    }),
    profile: text('PROFILE', 'Architecture profile', { choices: profileNames }),
    'availability-profile': text('PROFILE', 'Availability profile, from 12.1', {
      choices: Object.keys(profileUses.availability),
    }),
    'performance-profile': text('PROFILE', 'Performance profile, from 12.1', {
      choices: Object.keys(profileUses.performance),
    }),
    cloud: text('CLOUD', 'Where objects are kept, from 11.2', { choices: ['none', ...cloudKeys] }),
    credential: text('TYPE', 'How the site signs in there', {
      choices: listCredentialTypes(newestReportedVersion),
    }),
    bucket: text('NAME', 'Bucket or container; immutable, as all of --cloud'),
    region: text('REGION', 'Region of the bucket'),
    'root-dir': text('FOLDER', 'Folder in the bucket or container'),
    'storage-account': text('NAME', 'Storage account, with Azure keys'),
    'client-id': text('ID', 'Client ID of the managed identity'),
    'storage-class': text('NAME', 'Storage class of the volumes'),
    'volume-size': text(
      'SIZE',
      'Size of all volumes [default: smallest, that of the deployment guides for each]',
    ),
    username: text('NAME', 'User name of the first administrator'),
    'full-name': text('NAME', 'Full name of the administrator'),
    'user-type': text('TYPE', 'User type of the administrator', { suggests: reportedUserTypes }),
    question: text('NUMBER', 'Number of the secret question, from 1 to 14'),
    license: text('FILE', 'License file, below the folder of the manifest'),
    'server-license': text('FILE', 'Server license file, for versions before 11.0'),
    'sign-in': text(
      'NAME[=WHERE]',
      'Account that each command signs in with for a token; WHERE has its password [default: administrator, the one of the manifest]',
    ),
    token: text('env:NAME|file:PATH', 'Where a token is, in place of a sign-in'),
    ci: text('SYSTEM', 'Also write the file of a CI system', { choices: ['none', 'github', 'gitlab'] }),
    'from-properties': list(
      'FILE',
      'Read the answers from a property file of the vendor, values of its chart, or JSON variables of its Terraform module',
    ),
    schema: text(
      'PATH|URL',
      'JSON Schema for editors [default: schemas/deployment.schema.json, beside or above]',
    ),
    force: flag('Replace files that exist'),
    yes: flag('Do not ask; use the default, or CHANGE-ME, for every option that is not given'),
    ...commonOptions,
  },
  examples: [
    ['init', 'ask for everything, and write site.yaml'],
    [
      'init - --name production --url https://gis.example.org/arcgis/admin --email admin@example.org',
      'see a manifest',
    ],
    ['init site.yaml --from-properties configure.properties --service-version 11.2', 'migrate'],
    ['init envs/test.yaml --profile development --cloud aws --ci github', 'ask for the rest'],
  ],
})

export const validate = declare({
  name: 'validate',
  aliases: ['lint', 'check'],
  describe: 'Check manifests; needs no network, no secrets and no site',
  touches: 'nothing',
  arguments: [
    { name: 'files', many: true, describe: 'Manifests, policies, folders or patterns; - is standard input' },
  ],
  options: {
    ...formatOption(findingFormats),
    'fail-on': text('SEVERITY', 'Lowest severity that fails the check', {
      choices: ['error', 'warning'],
      default: 'error',
    }),
    'service-version': list('V[,V…]', 'Also check against other service versions', {
      suggests: manifestVersions,
    }),
    ...policyOption,
    'check-secrets': flag('Also resolve the references to secrets and files'),
    fix: flag('Fix, in the files, what has exactly one correct answer'),
    'dry-run': flag('With --fix: print what it would change, and change nothing'),
    'stdin-filename': text('FILE', 'File name to assume for standard input'),
    'max-problems': text('N', 'Maximum number of problems to show as text and on GitHub; 0 shows all', {
      default: maxShown,
    }),
    verbose: flag(`Also ${namesSkipped}`, 'v'),
    ...commonOptions,
  },
  examples: [
    ['validate site.yaml', 'check one manifest'],
    ['validate sites', 'check every manifest in a folder'],
    ['validate sites --fix --dry-run', 'see what is fixable'],
    ['validate site.yaml --service-version 11.1,11.2', 'compare two service versions'],
    ['validate site.yaml --format github --format sarif=findings.sarif', 'check in a CI job'],
  ],
})

export const render = declare({
  name: 'render',
  describe: 'Print a manifest merged with its bases',
  touches: 'nothing',
  arguments: [manifestArgument],
  options: {
    origins: text(
      'PATH',
      'Show where each value comes from, or the one at PATH: its file and line, its default, the last apply',
      {
        alone: true,
        suggests: 'fields',
      },
    ),
    wire: flag('Print the requests that apply would send, with secrets redacted'),
    format: text('FORMAT', 'Output', { choices: ['yaml', 'json'], default: 'yaml' }),
    ...stateOption,
    ...commonOptions,
  },
  examples: [
    ['render envs/production/site.yaml', 'see the merged manifest'],
    ['render envs/production/site.yaml --origins', 'see which file sets each value'],
    ['render site.yaml --origins spec.profile', 'see where one value comes from, and what it overrides'],
    ['render site.yaml --wire', 'see the requests to the service'],
  ],
})

export const explain = declare({
  name: 'explain',
  describe: 'Explain a diagnostic code or a field of a manifest',
  touches: 'nothing',
  arguments: [
    {
      name: 'subject',
      describe: 'A code such as volume/size, or a field such as spec.volumes.BLOB.size',
      suggests: 'codes and fields',
    },
  ],
  options: commonOptions,
  examples: [
    ['explain volume/size', 'what the diagnostic means, and how to fix it'],
    ['explain spec.profile', 'what the field is, and which values it takes'],
  ],
})

export const schema = declare({
  name: 'schema',
  describe: 'Print the JSON Schema of manifests',
  touches: 'nothing',
  arguments: [],
  options: {
    'service-version': text('VERSION', 'Only what this version has [default: follow spec.site.version]', {
      suggests: manifestVersions,
    }),
    overlay: flag('The schema of files that extend a manifest, and of their bases'),
    policy: flag('The schema of landform.policy.yaml, the rules of a team'),
    test: flag('The schema of *.test.yaml, the tests of manifests'),
    ...commonOptions,
  },
  examples: [
    ['schema > deployment.schema.json', 'for an editor'],
    ['schema --overlay > overlay.schema.json', 'for files with extends'],
    ['schema --policy > policy.schema.json', 'for the rules of a team'],
    ['schema --test > test.schema.json', 'for tests of manifests'],
    ['schema --service-version 10.9.1', 'for one version'],
  ],
})

export const test = declare({
  name: 'test',
  describe: 'Run tests of manifests, *.test.yaml, on an emulator with a virtual clock',
  touches: 'rehearses',
  arguments: [
    {
      name: 'tests',
      many: true,
      optional: true,
      describe: 'Files of tests, folders or patterns [default: the working folder]',
    },
  ],
  options: {
    ...formatOption(testFormats),
    filter: text('TEXT', 'Only tests with this text in their names'),
    ...policyOption,
    'pass-with-no-tests': flag('Succeed where there is no test file'),
    watch: flag('Rerun the tests that a changed file affects, until interrupted'),
    verbose: flag('Also list the tests that pass', 'v'),
    ...commonOptions,
  },
  examples: [
    ['test', 'run every *.test.yaml in and below the working folder'],
    ['test sites --format junit=tests.xml', 'run those of a folder in a CI job'],
    ['test site.test.yaml --filter stall -v', 'run some of one file'],
    ['test sites --watch', 'rerun what a change affects'],
  ],
})
