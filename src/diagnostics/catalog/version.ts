import {
  findIntroduction,
  findKnownVersion,
  findSchemaVersion,
  includes,
  isDocumented,
  newestVersion,
} from '../../contract/versions.js'
import { formatAll, quote } from '../words.js'
import { defineEntry } from './entry.js'
import { defineRule } from './rule.js'

/** The reported names or values to use instead of an unknown one. */
export interface ReportedAlternatives {
  readonly suggestion: string | undefined
  readonly allowed: readonly string[]
}

function formatReportedNames({ suggestion, allowed }: ReportedAlternatives): string {
  return suggestion === undefined ? `reported: ${formatAll(allowed)}` : `did you mean ${quote(suggestion)}?`
}

/** The declared version, and its fields. */
export const versionEntries = {
  'version/unsupported': defineRule<{ readonly version: string; readonly oldest: string }>({
    severity: 'error',
    marks: 'value',
    source: 'Service §9',
    title: 'A service version without `configure`',
    *check({ version }) {
      const oldest = findIntroduction('configure')
      if (version !== undefined && !includes(version, oldest))
        yield ['/spec/site/version', { version, oldest }]
    },
    message: ({ version, oldest }) =>
      `service version ${quote(version)} has no \`configure\` operation, which was introduced in ${oldest}`,
    help: ({ oldest }) => `use version ${oldest} or later, such as "${newestVersion}"`,
  }),
  'version/field-too-new': defineEntry<{
    readonly field: string
    readonly needs: string
    readonly declared: string
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §9',
    title: 'A field newer than the declared service version',
    message: ({ field, needs }) => `${quote(field)} requires service version ${needs}`,
    help: ({ needs, declared }) =>
      `the manifest declares ${declared}: set \`spec.site.version\` to "${needs}" if the site runs it, or remove the field`,
  }),
  'version/reported': defineRule<{ readonly declared: string }>({
    severity: 'note',
    marks: 'value',
    source: 'Landform',
    title: 'A service version known only from public reports',
    *check({ version }) {
      if (version === undefined || isDocumented(version)) return
      if (findKnownVersion(version)?.reportedBy !== undefined)
        yield ['/spec/site/version', { declared: version }]
    },
    message: ({ declared }) => `${declared} is known only from public reports`,
  }),
  'version/newer': defineRule<{ readonly declared: string; readonly checkedAs: string }>({
    severity: 'warning',
    marks: 'value',
    source: 'Service §9',
    title: 'Unknown service version',
    *check({ version }) {
      if (version === undefined || isDocumented(version)) return
      const checkedAs = findSchemaVersion(version)
      if (findKnownVersion(version)?.reportedBy === undefined && checkedAs !== undefined)
        yield ['/spec/site/version', { declared: version, checkedAs }]
    },
    message: ({ declared, checkedAs }) =>
      `service version ${declared} is neither documented nor reported; it is checked as ${checkedAs}`,
    help: () => 'put new parameters of `configure` under `spec.extra`',
  }),
  'version/value-unknown': defineEntry<
    {
      readonly field: string
      readonly found: string
    } & ReportedAlternatives
  >({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A value that is not reported for this version',
    message: ({ field, found }) => `${quote(found)} is not a reported value of ${quote(field)}`,
    help: formatReportedNames,
  }),
  'version/field-unknown': defineEntry<{ readonly field: string } & ReportedAlternatives>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A field that is not reported for this version',
    message: ({ field }) => `${quote(field)} is not a reported field of a connection`,
    help: formatReportedNames,
  }),
  'site/version-differs': defineEntry<{ readonly declared: string; readonly reported: string }>({
    severity: 'warning',
    phase: 'plan',
    marks: 'value',
    source: 'Service §2.3',
    title: 'The site runs a different version',
    message: ({ declared, reported }) =>
      `\`spec.site.version\` is ${declared}, but the site reports ${reported}`,
    help: ({ reported }) => `set it to ${reported} to check the right fields`,
  }),
  'site/without-configure': defineEntry<{ readonly needs: string; readonly reported: string }>({
    severity: 'error',
    phase: 'plan',
    marks: 'value',
    source: 'Service §9',
    title: 'The site is too old for `configure`',
    message: ({ needs, reported }) =>
      `\`configure\` requires service version ${needs}, but the site reports ${reported}`,
    help: () => 'upgrade the site first, or correct `spec.site.url` if it names another site',
  }),
  'site/too-old': defineEntry<{ readonly field: string; readonly needs: string; readonly reported: string }>({
    severity: 'error',
    phase: 'plan',
    marks: 'key',
    source: 'Service §9',
    title: 'The site is too old for a field',
    message: ({ field, needs, reported }) =>
      `${quote(field)} requires service version ${needs}, but the site reports ${reported}`,
    help: () => 'remove the field, or upgrade the site first',
  }),
} as const
