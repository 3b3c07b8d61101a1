import { serverLicenseBefore } from '../../contract/field-notes.js'
import { lines, paragraph } from '../words.js'
import { entry, type None } from './entry.js'

/** License files. */
export const licenseEntries = {
  'license/not-json': entry<None>({
    severity: 'warning',
    phase: 'references',
    marks: 'value',
    source: 'Reported: system requirements 10.9.1 and 11.0, administrator API reference',
    title: 'A license file that is no JSON',
    message: () => 'the file that `file` names is no JSON, and licenses of the service are reported to be',
    help: () =>
      'name the .json file; one that ends in .ecp or .prvc goes under `serverFile`, and only before 11.0',
    explanation: paragraph(
      'Public sources describe the license of a deployment as one JSON file, and other products have other kinds.',
      'The service validates the license in the first stage of its configuration, after the request that cannot be undone.',
      'Landform looks at the first and the last character alone, and sends the file as it is.',
    ),
  }),
  'license/server-file-needless': entry<{ readonly declared: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: system requirements 10.9.1 and 11.0, administrator API reference',
    title: 'A server license file that newer versions do not need',
    message: ({ declared }) =>
      `\`serverFile\` is not needed by service version ${declared}; since ${serverLicenseBefore} one license file is enough`,
    help: () => 'remove it, unless the documentation of your service version asks for it',
    explanation: paragraph(
      `Before ${serverLicenseBefore} the service took two files: one for the user types and one for the server.`,
      'Since then one file holds both, and the second may be left over from an older manifest.',
      'Landform sends the file all the same.',
    ),
    example: {
      wrong: lines('license: { file: licenses/site.json, serverFile: licenses/server.ecp }'),
      right: lines('license: { file: licenses/site.json }'),
    },
  }),
  'license/server-file-absent': entry<{ readonly declared: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: configuration script 10.9.1, system requirements 10.9.1',
    title: 'No server license file for a version that wants one',
    message: ({ declared }) =>
      `service version ${declared} is reported to want a server license file, and there is no \`serverFile\``,
    help: () => 'add `serverFile` with the path of the .ecp or .prvc file',
    explanation: paragraph(
      `Before ${serverLicenseBefore} the license comes in two files, and public sources send both.`,
      'The service document calls the second one optional, so it is not an error to leave it out.',
      'Without it the license validation, the first stage, may fail.',
    ),
    example: {
      wrong: lines('site: { version: "10.9.1" }', 'license: { file: licenses/site.json }'),
      right: lines(
        'site: { version: "10.9.1" }',
        'license: { file: licenses/site.json, serverFile: licenses/server.ecp }',
      ),
    },
  }),
} as const
