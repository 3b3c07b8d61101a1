import { ciSystems } from '../../ci/ci-systems.js'
import { cloudKeys, listCredentialTypes } from '../../contract/cloud.js'
import { reportedUserTypes } from '../../contract/field-notes.js'
import { profileNames, profileUses } from '../../contract/profiles.js'
import { manifestVersions, newestReportedVersion, newestVersion } from '../../contract/versions.js'
import type { ExitCode } from '../../report/exit-code.js'
import { type ArgumentsOf, declare, list, pair, text } from '../command.js'
import { commonOptions } from '../command-options.js'
import type { Host } from '../host.js'
import { migrateProperties } from '../init/migrate-properties.js'
import { newManifestOptions, startManifest } from '../init/start-manifest.js'

const declaration = declare({
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
    credential: text('TYPE', 'How the site signs in to the cloud', {
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
      'Account that commands sign in with; WHERE has its password [default: administrator, that of the manifest]',
    ),
    token: text('env:NAME|file:PATH', 'Location of a token, instead of a sign-in'),
    state: text('LOCATION', 'Where state is kept, as in spec.state [default: git:origin]'),
    ci: text('SYSTEM', 'Also write the file of a CI system, or add the site to it', {
      choices: ['none', ...ciSystems],
    }),
    'from-properties': list(
      'FILE',
      'Read the answers from a property file of the vendor, values of its chart, or JSON variables of its Terraform module',
    ),
    ...newManifestOptions,
    ...commonOptions,
  },
  examples: [
    ['init', 'ask for everything, and write site.yaml'],
    [
      'init - --name production --url https://gis.example.org/arcgis/admin --email admin@example.org',
      'see a manifest',
    ],
    ['init site.yaml --from-properties configure.properties --service-version 11.2', 'migrate'],
    ['init --state kubernetes:production/gis-state', 'keep the state in a cluster, and ask for the rest'],
    ['init envs/test.yaml --profile development --cloud aws --ci github', 'ask for the rest'],
  ],
})

/** Writes a new manifest and, on request, the file of a CI system. Prompts for missing values on a terminal. */
function init(
  { file = 'site.yaml', schema, force, yes, quiet, color, ...others }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  const { 'no-input': noInput, 'from-properties': files, ...given } = others
  const choices = { file, schema, force, yes, quiet, color, 'no-input': noInput }
  return files.length === 0
    ? startManifest(given, choices, host)
    : migrateProperties(files, { given, choices }, host)
}

export const command = pair(declaration, init)
