import { serverLicenseBefore } from '../../contract/field-notes.js'
import { joinLines, joinSentences } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'

/** License files. */
export const licenseEntries = {
  'license/not-json': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'references',
    marks: 'value',
    source: 'Reported: system requirements 10.9.1 and 11.0, administrator API reference',
    title: 'The license file is not JSON',
    message: () => 'the file that `file` names is not JSON; licenses of the service are reported to be JSON',
    help: () => 'use the .json file; an .ecp or .prvc file belongs under `serverFile`, and only before 11.0',
    explanation: () =>
      joinSentences(
        'Public sources describe the license of a deployment as one JSON file; other products use other formats.',
        'The service validates the license in the first stage of its configuration, after the request that cannot be undone.',
        'Landform checks only the first and the last character, and sends the file unchanged.',
      ),
  }),
  'license/server-file-needless': defineEntry<{ readonly declared: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: system requirements 10.9.1 and 11.0, administrator API reference',
    title: 'A server license file that this version does not need',
    message: ({ declared }) =>
      `service version ${declared} does not need \`serverFile\`: since ${serverLicenseBefore} one license file is enough`,
    help: () => 'remove it, unless the documentation of your service version asks for it',
    explanation: () =>
      joinSentences(
        `Before ${serverLicenseBefore} the service required two files: one for the user types and one for the server.`,
        'Since then one file contains both; the second may be left over from an older manifest.',
        'Landform still sends the file.',
      ),
    example: () => ({
      wrong: joinLines('license: { file: licenses/site.json, serverFile: licenses/server.ecp }'),
      right: joinLines('license: { file: licenses/site.json }'),
    }),
  }),
  'license/server-file-absent': defineEntry<{ readonly declared: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: configuration script 10.9.1, system requirements 10.9.1',
    title: 'The server license file is missing',
    message: ({ declared }) =>
      `service version ${declared} is reported to require a server license file, but \`serverFile\` is missing`,
    help: () => 'add `serverFile` with the path of the .ecp or .prvc file',
    explanation: () =>
      joinSentences(
        `Before ${serverLicenseBefore} the license consists of two files, and public sources send both.`,
        'The service document describes the second as optional, so omitting it is not an error.',
        'Without it the license validation, the first stage, may fail.',
      ),
    example: () => ({
      wrong: joinLines('site: { version: "10.9.1" }', 'license: { file: licenses/site.json }'),
      right: joinLines(
        'site: { version: "10.9.1" }',
        'license: { file: licenses/site.json, serverFile: licenses/server.ecp }',
      ),
    }),
  }),
} as const
