import { newestVersion } from '../../contract/versions.js'
import { quoted } from '../words.js'
import { entry } from './entry.js'

/** The site, its version, and what is sent unchecked. */
export const siteEntries = {
  'version/unsupported': entry<{ readonly version: string; readonly oldest: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §9',
    title: 'A service version without `configure`',
    message: ({ version, oldest }) =>
      `service version ${quoted(version)} has no \`configure\`, which came with ${oldest}`,
    help: ({ oldest }) => `name a version from ${oldest} on, such as "${newestVersion}"`,
  }),
  'version/field-too-new': entry<{
    readonly field: string
    readonly needs: string
    readonly declared: string
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §9',
    title: 'A field newer than the declared service version',
    message: ({ field, needs, declared }) =>
      `${quoted(field)} needs service version ${needs}; \`spec.site.version\` says ${declared}`,
    help: ({ needs }) => `set \`spec.site.version\` to "${needs}" if the site runs it, or remove the field`,
  }),
  'site/url': entry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service, `{base_url}`',
    title: 'The address of the site cannot be used',
    message: ({ problem }) => `the address of the site ${problem}`,
    help: () => 'write the base URL of the administrator API, such as https://gis.example.org/arcgis/admin',
  }),
  'extra/known-parameter': entry<{ readonly parameter: string; readonly home: string | undefined }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A known parameter stands under `extra`',
    message: ({ parameter }) => `${quoted(parameter)} is no extra parameter`,
    help: ({ home }) =>
      home === undefined ? 'remove it: Landform sets it by itself' : `write it as ${quoted(home)}`,
  }),
  'extra/passed-through': entry<{ readonly parameter: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A parameter is sent unchecked',
    message: ({ parameter }) =>
      `${quoted(parameter)} is sent to \`configure\` as it is; nothing is known of it, so nothing is checked`,
  }),
  'site/version-differs': entry<{ readonly declared: string; readonly reported: string }>({
    severity: 'warning',
    phase: 'plan',
    marks: 'value',
    source: 'Service §2.3',
    title: 'The site runs another version',
    message: ({ declared, reported }) =>
      `\`spec.site.version\` says ${declared}, and the site reports ${reported}`,
    help: ({ reported }) =>
      `set it to the version of the site (${reported}) to have the right fields checked`,
  }),
  'site/too-old': entry<{ readonly field: string; readonly needs: string; readonly reported: string }>({
    severity: 'error',
    phase: 'plan',
    marks: 'key',
    source: 'Service §9',
    title: 'The site is older than a field of the manifest',
    message: ({ field, needs, reported }) =>
      `${quoted(field)} needs service version ${needs}, and the site reports ${reported}`,
    help: () => 'remove the field, or upgrade the site first',
  }),
} as const
