import { reportedLogLevels } from '../../contract/field-notes.js'
import { reportedProfiles } from '../../contract/profiles.js'
import { describeTokenRemedy, type TokenOrigin } from '../token-remedy.js'
import { formatAll, formatSuggestion, quote } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'

/** The site, its settings, and parameters that are sent unchecked. */
export const siteEntries = {
  'site/url': defineEntry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service, `{base_url}`',
    title: 'Invalid site URL',
    message: ({ problem }) => `the site URL ${problem}`,
    help: () => 'use the base URL of the administrator API, such as https://gis.example.org/arcgis/admin',
  }),
  'site/url-capitals': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The site URL has upper-case letters in its path',
    message: () => 'the path of the site URL has upper-case letters',
    help: () => 'use lower case, as the site was deployed, unless it responds only to this spelling',
  }),
  'site/url-base': defineEntry<{ readonly base: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: REST reference, configuration script 10.9.1',
    title: 'The site URL does not end in /admin',
    message: () => 'the site URL does not end in `/admin`, as that of every reported site does',
    help: ({ base }) => `write ${base}, unless the site responds at this address`,
  }),
  'site/shared': defineEntry<{ readonly other: string; readonly url: string }>({
    severity: 'error',
    phase: 'files',
    marks: 'value',
    source: 'Landform',
    title: 'Two manifests for one site',
    message: ({ other }) => `${quote(other)} has the same site URL`,
    help: () => 'use a different site URL in each manifest',
  }),
  'site/sign-in': defineEntry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: configuration script 10.9.1, Terraform modules',
    title: 'The sign-in does not name exactly one account',
    message: ({ problem }) => `\`signIn\` ${problem}`,
    help: () => 'write `as: administrator`, or `username` and `password` of another account',
  }),
  'profile/development-in-production': defineEntry<{ readonly where: string; readonly says: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §2.10',
    title: 'Development profile in production',
    message: ({ where, says }) =>
      `the profile \`development\` is not supported for production, but ${quote(where)} is ${quote(says)}`,
    help: () => 'use `standard-availability` or `enhanced-availability`',
  }),
  'profile/replaced': defineEntry<{ readonly isWritten: boolean }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: reportedProfiles.source,
    title: 'Two profiles replace the one',
    message: ({ isWritten }) =>
      `${isWritten ? '`profile` was' : 'no profile is written, and the one of earlier versions was'} replaced in ${reportedProfiles.since} by an availability profile and a performance profile`,
    help: () =>
      'write `spec.deploymentProfiles`, with the parameter names that the `configure` page of the site shows',
  }),
  'log/level': defineEntry<{
    readonly found: string
    readonly suggestion: string | undefined
    /** The reported level, where only the capitals differ. */
    readonly otherCase: string | undefined
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: administrator API reference, deployment guides, Helm charts 11.1 to 11.3',
    title: 'Unknown log level',
    message: ({ found }) => `${quote(found)} is not a log level that public sources name`,
    help: ({ suggestion }) =>
      formatSuggestion(suggestion) ?? `known log levels: ${formatAll(reportedLogLevels)}`,
    fix: ({ otherCase }) => (otherCase === undefined ? undefined : { kind: 'replace', by: otherCase }),
  }),
  'site/system-property': defineEntry<{
    readonly found: string
    readonly suggestion: string
    readonly otherCase: boolean
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: administrator API reference 10.9.1 to 11.2',
    title: 'Possibly misspelled system property',
    message: ({ found }) => `${quote(found)} is not a system property that public sources name`,
    help: ({ suggestion }) => formatSuggestion(suggestion),
    fix: ({ suggestion, otherCase }) => (otherCase ? { kind: 'rename', to: suggestion } : undefined),
  }),
  'site/token-missing': defineEntry<{ readonly origin: TokenOrigin }>({
    severity: 'warning',
    phase: 'plan',
    marks: 'value',
    source: 'Reported: administrator API reference, configuration script 10.9.1',
    title: 'The site requires a token to read its settings',
    message: () => 'the site requires a token to read its settings, but no token is available',
    help: ({ origin }) => describeTokenRemedy(origin, 'no-token'),
  }),
  'site/token-unnamed': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'plan',
    marks: 'key',
    source: 'Service §5; reported: administrator API reference, configuration script 10.9.1',
    title: 'An update without a token',
    message: () =>
      'the manifest names no token and no sign-in, which sites ask for before they take this policy',
    help: () => describeTokenRemedy(undefined, 'no-token'),
  }),
  'site/token-refused': defineEntry<{ readonly origin: TokenOrigin }>({
    severity: 'warning',
    phase: 'plan',
    marks: 'value',
    source: 'Reported: administrator API reference, configuration script 10.9.1',
    title: 'The site rejected the token',
    message: () => 'the site rejected the token, so its settings could not be read',
    help: ({ origin }) => describeTokenRemedy(origin, 'not-allowed'),
  }),
  'site/upgrading': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'plan',
    marks: 'key',
    source: 'Reported: administrator API reference',
    title: 'The site is being upgraded',
    message: () => 'the site is being upgraded, so its upgrade configuration cannot be read',
    help: () => 'plan and apply again after the upgrade',
  }),
  'extra/known-parameter': defineEntry<{ readonly parameter: string; readonly home: string | undefined }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A known parameter in `extra`',
    message: ({ parameter }) =>
      `${quote(parameter)} is a known parameter and does not belong under \`extra\``,
    help: ({ home }) =>
      home === undefined ? 'remove it: Landform sets it automatically' : `write it as ${quote(home)}`,
  }),
  'extra/passed-through': defineEntry<{ readonly parameter: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A parameter is sent unchecked',
    message: ({ parameter }) => `${quote(parameter)} is unknown and is sent to \`configure\` unchecked`,
    help: () => 'keep it if your service version documents it, and check the spelling',
  }),
} as const
