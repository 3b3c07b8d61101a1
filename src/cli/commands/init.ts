import { credentialTypeNames } from '../../contract/cloud.js'
import { cloudKeys, reportedUserTypes } from '../../contract/field-notes.js'
import { profileNames } from '../../contract/profiles.js'
import { manifestVersions, newestVersion } from '../../contract/versions.js'
import { command } from '../command.js'
import { migrateProperties } from '../init/migrate-properties.js'
import { startManifest } from '../init/start-manifest.js'
import { commonOptions } from '../options.js'

/** Writes a new manifest and, if asked, the file of a CI system. Asks on a terminal what is not given. */
export const init = command({
  arguments: [
    { name: 'file', optional: true, describe: 'The new manifest [default: site.yaml]; - prints it' },
  ],
  options: {
    name: { kind: 'text', value: 'NAME', describe: 'Name of the site in plans and reports; required' },
    url: { kind: 'text', value: 'URL', describe: 'Base URL of its administrator API; required' },
    email: { kind: 'text', value: 'ADDRESS', describe: 'E-mail address of the administrator; required' },
    'service-version': {
      kind: 'text',
      value: 'VERSION',
      suggests: manifestVersions,
      describe: `Version that the site runs [default: ${newestVersion}]`,
    },
    profile: { kind: 'text', value: 'PROFILE', choices: profileNames, describe: 'Architecture profile' },
    cloud: {
      kind: 'text',
      value: 'CLOUD',
      choices: ['none', ...cloudKeys],
      describe: 'Where objects are kept, from 11.2',
    },
    credential: {
      kind: 'text',
      value: 'TYPE',
      choices: credentialTypeNames,
      describe: 'How the site signs in there',
    },
    'storage-class': { kind: 'text', value: 'NAME', describe: 'Storage class of the volumes' },
    username: { kind: 'text', value: 'NAME', describe: 'User name of the first administrator' },
    'full-name': { kind: 'text', value: 'NAME', describe: 'Full name of the administrator' },
    'user-type': {
      kind: 'text',
      value: 'TYPE',
      suggests: reportedUserTypes,
      describe: 'User type of the administrator',
    },
    question: { kind: 'text', value: 'NUMBER', describe: 'Number of the secret question, from 1 to 14' },
    license: { kind: 'text', value: 'FILE', describe: 'License file, below the folder of the manifest' },
    'server-license': {
      kind: 'text',
      value: 'FILE',
      describe: 'Server license file, for versions before 11.0',
    },
    ci: {
      kind: 'text',
      value: 'SYSTEM',
      choices: ['none', 'github', 'gitlab'],
      describe: 'Write the file of a CI system, too',
    },
    'from-properties': {
      kind: 'text',
      value: 'FILE',
      describe:
        'Take the answers from a property file of the configuration script of the vendor; options count more',
    },
    schema: {
      kind: 'text',
      value: 'PATH|URL',
      describe: 'JSON Schema for editors [default: schemas/deployment.schema.json, beside or above]',
    },
    force: { kind: 'flag', describe: 'Replace files that exist' },
    yes: { kind: 'flag', describe: 'Ask nothing; what is not given has its default' },
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
  run({ file = 'site.yaml', schema, force, yes, quiet, color, ...others }, host) {
    const { 'no-input': noInput, 'from-properties': properties, ...given } = others
    const choices = { file, schema, force, yes, quiet, color, 'no-input': noInput }
    return properties === undefined
      ? startManifest(given, choices, host)
      : migrateProperties(properties, { given, choices }, host)
  },
})
