import { serverLicenseBefore } from '../../contract/field-notes.js'
import { findIntroduction, includes } from '../../contract/versions.js'
import { isObject } from '../../schema/json-schema.js'
import { select } from '../../schema/select.js'
import { findMisspelledFields } from '../did-you-mean.js'
import { defineEntry, type NoFacts } from './entry.js'
import { defineRule } from './rule.js'

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
  }),
  'license/server-file-needless': defineRule({
    severity: 'warning',
    marks: 'key',
    source: 'Reported: system requirements 10.9.1 and 11.0, administrator API reference',
    title: 'A server license file that this version does not need',
    *check({ index, version }) {
      if (version === undefined || !includes(version, serverLicenseBefore)) return
      for (const { pointer } of select(index, '/spec/license/serverFile'))
        yield [pointer, { declared: version }]
    },
    message: ({ declared }) =>
      `service version ${declared} does not need \`serverFile\`: since ${serverLicenseBefore} one license file is enough`,
    help: () => 'remove it, unless the documentation of your service version asks for it',
  }),
  'license/server-file-absent': defineRule({
    severity: 'warning',
    marks: 'key',
    source: 'Reported: configuration script 10.9.1, system requirements 10.9.1',
    title: 'The server license file is missing',
    *check({ index, version }) {
      if (version === undefined || !includes(version, findIntroduction('configure'))) return
      if (includes(version, serverLicenseBefore)) return
      for (const { pointer, value: license } of select(index, '/spec/license')) {
        if (!isObject(license) || 'serverFile' in license) continue
        const misspelt = findMisspelledFields(license, ['file', 'serverFile'])
        if (!misspelt.includes('serverFile')) yield [pointer, { declared: version }]
      }
    },
    message: ({ declared }) =>
      `service version ${declared} is reported to require a server license file, but \`serverFile\` is missing`,
    help: () => 'add `serverFile` with the path of the .ecp or .prvc file',
  }),
} as const
