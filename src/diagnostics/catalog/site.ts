import { reportedLogLevels } from '../../contract/field-notes.js'
import { describeTokenRemedy, type TokenOrigin } from '../token-remedy.js'
import { formatAll, formatSuggestion, joinLines, joinSentences, quote } from '../words.js'
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
    explanation: () =>
      joinSentences(
        'Passwords and tokens are sent to this address, so it must be unambiguous and encrypted.',
        'It is the https base URL of the administrator API, without user name, query or fragment.',
        'Plain http is allowed only for an emulator on the same machine.',
      ),
    example: () => ({
      wrong: joinLines('site: { url: "http://gis.example.org/arcgis/admin" }'),
      right: joinLines('site: { url: "https://gis.example.org/arcgis/admin" }'),
    }),
  }),
  'site/url-capitals': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The site URL has upper-case letters in its path',
    message: () => 'the path of the site URL has upper-case letters',
    help: () => 'use lower case, as the site was deployed, unless it responds only to this spelling',
    explanation: () =>
      joinSentences(
        'Some servers treat paths as case-sensitive, and some do not.',
        'The state of a site belongs to one URL: with another spelling Landform rejects the site until its state is moved.',
        'Use one spelling; sites are reported to use lower case.',
      ),
    example: () => ({
      wrong: joinLines('site: { url: "https://gis.example.org/arcgis/Admin" }'),
      right: joinLines('site: { url: "https://gis.example.org/arcgis/admin" }'),
    }),
  }),
  'site/url-base': defineEntry<{ readonly base: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: REST reference, configuration script 10.9.1',
    title: 'The site URL does not end in /admin',
    message: () => 'the site URL does not end in `/admin`, as that of every reported site does',
    help: ({ base }) => `write ${base}, unless the site responds at this address`,
    explanation: () =>
      joinSentences(
        'Sites are reported to have their administrator API at `https://HOST/CONTEXT/admin`.',
        'The address of a page such as `/arcgis/manager` or `/arcgis/home` is not that of the API.',
      ),
    example: () => ({
      wrong: joinLines('site: { url: "https://gis.example.org/arcgis/manager" }'),
      right: joinLines('site: { url: "https://gis.example.org/arcgis/admin" }'),
    }),
  }),
  'site/shared': defineEntry<{ readonly other: string; readonly url: string }>({
    severity: 'error',
    phase: 'files',
    marks: 'value',
    source: 'Landform',
    title: 'Two manifests for one site',
    message: ({ other }) => `${quote(other)} has the same site URL`,
    help: () => 'use a different site URL in each manifest',
    explanation: () =>
      joinSentences(
        'Two manifests for one site would overwrite each other, in whichever order they are applied.',
        'Commands for several sites reject them too.',
      ),
    example: () => ({
      wrong: joinLines('site: { url: "https://gis.example.org/arcgis/admin" }'),
      right: joinLines('site: { url: "https://test.example.org/arcgis/admin" }'),
    }),
  }),
  'site/sign-in': defineEntry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: configuration script 10.9.1, Terraform modules',
    title: 'The sign-in does not name exactly one account',
    message: ({ problem }) => `\`signIn\` ${problem}`,
    help: () => 'write `as: administrator`, or `username` and `password` of another account',
    explanation: () =>
      joinSentences(
        '`apply` can sign in at the token service of the site if the site requires a token.',
        'It uses the administrator of the manifest, or another account given by `username` and `password`.',
        'With both it would be ambiguous who signs in; an account needs a name and a password.',
      ),
    example: () => ({
      wrong: joinLines('site:', '  signIn: { username: operations }'),
      right: joinLines('site:', '  signIn: { as: administrator }'),
    }),
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
    explanation: () =>
      joinSentences(
        'The development profile is for testing and evaluation: only the publishing tools run in more than one pod.',
        'The profile is immutable: no documented operation changes it after creation.',
        'For production use `standard-availability` or `enhanced-availability`; if this is not a production site, rename it.',
      ),
    example: () => ({
      wrong: joinLines('metadata: { name: gis-prod }', 'spec:', '  profile: development'),
      right: joinLines('metadata: { name: gis-prod }', 'spec:', '  profile: standard-availability'),
    }),
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
    explanation: () =>
      joinSentences(
        'The service document does not list the log levels; public sources agree on six, in upper case.',
        'How the service handles another level is not known: it may reject the request or log nothing useful.',
      ),
    example: () => ({
      wrong: joinLines('logLevel: warn'),
      right: joinLines('logLevel: WARNING'),
    }),
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
    explanation: () =>
      joinSentences(
        'The service document does not list the system properties, so any name is allowed and sent unchanged.',
        'This one differs from a reported name only slightly, and the service may silently ignore a misspelled property.',
        'If it is a different property, keep it.',
      ),
    example: () => ({
      wrong: joinLines('systemProperties: { containerStartupTimeoutSeconds: 1800 }'),
      right: joinLines('systemProperties: { containerStartUpTimeoutSeconds: 1800 }'),
    }),
  }),
  'site/token-missing': defineEntry<{ readonly origin: TokenOrigin }>({
    severity: 'warning',
    phase: 'plan',
    marks: 'value',
    source: 'Reported: administrator API reference, configuration script 10.9.1',
    title: 'The site requires a token to read its settings',
    message: () => 'the site requires a token to read its settings, but no token is available',
    help: ({ origin }) => describeTokenRemedy(origin, 'no-token'),
    explanation: () =>
      joinSentences(
        'Some sites report their upgrade configuration, profile, log level and system properties, but require a token for it.',
        'Without a token a plan can only compare with the record of the last apply, and preserves no settings that only the site has.',
        'The token in `spec.site.token` is used for reading if it is available; only an update requires it.',
      ),
    example: () => ({
      wrong: joinLines('site: { token: { env: LANDFORM_TOKEN } } # and LANDFORM_TOKEN is not set'),
      right: joinLines('site: { token: { env: LANDFORM_TOKEN } } # and LANDFORM_TOKEN is set'),
    }),
  }),
  'site/token-refused': defineEntry<{ readonly origin: TokenOrigin }>({
    severity: 'warning',
    phase: 'plan',
    marks: 'value',
    source: 'Reported: administrator API reference, configuration script 10.9.1',
    title: 'The site rejected the token',
    message: () => 'the site rejected the token, so its settings could not be read',
    help: ({ origin }) => describeTokenRemedy(origin, 'not-allowed'),
    explanation: () =>
      joinSentences(
        'A token expires after some hours, belongs to one site, and has the permissions of its user.',
        'Without a valid token a plan can only compare with the record of the last apply, and the site would reject an update.',
        'Get a new token of a user who can administer the site.',
      ),
  }),
  'site/upgrading': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'plan',
    marks: 'key',
    source: 'Reported: administrator API reference',
    title: 'The site is being upgraded',
    message: () => 'the site is being upgraded, so its upgrade configuration cannot be read',
    help: () => 'plan and apply again after the upgrade',
    explanation: () =>
      joinSentences(
        'During an upgrade a site does not return its upgrade configuration and rejects updates of it.',
        'The policy was therefore not compared with the site, and other settings of the site are unknown.',
        'The site would reject an apply; wait until the upgrade has finished.',
      ),
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
    explanation: () =>
      joinSentences(
        '`extra` is for parameters that Landform does not know; they are sent unchecked.',
        'A known parameter has its own field, where it is checked and where a secret is a reference.',
        'Move the value to that field.',
      ),
    example: () => ({
      wrong: joinLines('extra: { folderPathsToRegister: /data }'),
      right: joinLines('folders: [/data]'),
    }),
  }),
  'extra/passed-through': defineEntry<{ readonly parameter: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A parameter is sent unchecked',
    message: ({ parameter }) => `${quote(parameter)} is unknown and is sent to \`configure\` unchecked`,
    help: () => 'keep it if your service version documents it, and check the spelling',
    explanation: () =>
      joinSentences(
        'A newer service may accept parameters that Landform does not know; `extra` sends them unchanged.',
        'They are not checked: the service may silently ignore a misspelled name.',
        'The warning remains as long as the parameter is there.',
      ),
    example: () => ({
      wrong: joinLines('extra: { logLevel: INFO }'),
      right: joinLines('logLevel: INFO'),
    }),
  }),
} as const
