import { reportedLogLevels } from '../../contract/field-notes.js'
import { type TokenOrigin, tokenRemedy } from '../token-remedy.js'
import { allOf, didYouMean, lines, paragraph, quoted } from '../words.js'
import { entry, type None } from './entry.js'

/** The site and its settings, and what is sent unchecked. */
export const siteEntries = {
  'site/url': entry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service, `{base_url}`',
    title: 'The address of the site cannot be used',
    message: ({ problem }) => `the address of the site ${problem}`,
    help: () => 'write the base URL of the administrator API, such as https://gis.example.org/arcgis/admin',
    explanation: paragraph(
      'Passwords and tokens are sent to this address, so it has to be plain to read and encrypted on the way.',
      'It is the base of the administrator API, over https, with no user name, query or fragment.',
      'Plain http is for an emulator on the same machine only.',
    ),
    example: {
      wrong: lines('site: { url: "http://gis.example.org/arcgis/admin" }'),
      right: lines('site: { url: "https://gis.example.org/arcgis/admin" }'),
    },
  }),
  'site/url-capitals': entry<None>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The path of the address has capitals',
    message: () => 'the path of the address has upper-case letters',
    help: () => 'write it in lower case, as the site was deployed, unless the site answers there alone',
    explanation: paragraph(
      'Some servers take capitals in a path for other letters, and some do not.',
      'The state of a site belongs to one address: called by another spelling, the site is refused until its state is moved.',
      'Keep to one spelling; contexts of sites are reported in lower case.',
    ),
    example: {
      wrong: lines('site: { url: "https://gis.example.org/arcgis/Admin" }'),
      right: lines('site: { url: "https://gis.example.org/arcgis/admin" }'),
    },
  }),
  'site/shared': entry<{ readonly other: string; readonly url: string }>({
    severity: 'warning',
    phase: 'files',
    marks: 'value',
    source: 'Landform',
    title: 'Two manifests are for one site',
    message: ({ other }) => `${quoted(other)} is for the same site`,
    help: () => 'give each manifest a site of its own',
    explanation: paragraph(
      'Two manifests for one address would undo each other, in whichever order they are applied.',
      'Commands for many sites refuse them; this is told of files that are checked together.',
    ),
    example: {
      wrong: lines('site: { url: "https://gis.example.org/arcgis/admin" }'),
      right: lines('site: { url: "https://test.example.org/arcgis/admin" }'),
    },
  }),
  'site/sign-in': entry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: configuration script 10.9.1, Terraform modules',
    title: 'The sign-in names no account, or two',
    message: ({ problem }) => `\`signIn\` ${problem}`,
    help: () => 'write `as: administrator`, or `username` and `password` of another account',
    explanation: paragraph(
      'An apply can sign in at the token service of the site where the site asks for a token.',
      'It does so as the administrator of the manifest, or as another account that `username` and `password` name.',
      'With both nobody could tell who signs in; with half of an account nobody can.',
    ),
    example: {
      wrong: lines('site:', '  signIn: { username: operations }'),
      right: lines('site:', '  signIn: { as: administrator }'),
    },
  }),
  'profile/development-in-production': entry<{ readonly where: string; readonly says: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §2.10',
    title: 'The development profile in production',
    message: ({ where, says }) =>
      `the profile \`development\` is unsupported for production, and ${quoted(where)} says ${quoted(says)}`,
    help: () => 'use `standard-availability` or `enhanced-availability`',
    explanation: paragraph(
      'The development profile is for testing and evaluation: only the publishing tools run in more than one pod.',
      'The profile is named when the organization is created, and no documented operation changes it later.',
      'For production choose `standard-availability` or `enhanced-availability`; if the site is none, say so in its name.',
    ),
    example: {
      wrong: lines('metadata: { name: gis-prod }', 'spec:', '  profile: development'),
      right: lines('metadata: { name: gis-prod }', 'spec:', '  profile: standard-availability'),
    },
  }),
  'log/level': entry<{
    readonly found: string
    readonly suggestion: string | undefined
    /** The reported level, where only the capitals differ. */
    readonly otherCase: string | undefined
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: administrator API reference, deployment guides, Helm charts 11.1 to 11.3',
    title: 'A log level that no public source names',
    message: ({ found }) => `${quoted(found)} is no log level that public sources name`,
    help: ({ suggestion }) => didYouMean(suggestion) ?? `they name ${allOf(reportedLogLevels)}`,
    fix: ({ otherCase }) => (otherCase === undefined ? undefined : { kind: 'replace', by: otherCase }),
    explanation: paragraph(
      'The service document does not list the log levels; public sources agree on six, in capitals.',
      'What the service does with another one is not known: it may refuse the request or log nothing of use.',
    ),
    example: {
      wrong: lines('logLevel: warn'),
      right: lines('logLevel: WARNING'),
    },
  }),
  'site/system-property': entry<{
    readonly found: string
    readonly suggestion: string
    readonly otherCase: boolean
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: administrator API reference 10.9.1 to 11.2',
    title: 'A system property that resembles a reported one',
    message: ({ found }) => `${quoted(found)} is no system property that public sources name`,
    help: ({ suggestion }) => didYouMean(suggestion),
    fix: ({ suggestion, otherCase }) => (otherCase ? { kind: 'rename', to: suggestion } : undefined),
    explanation: paragraph(
      'The service document does not list the system properties, so any name may stand here and is sent as it is.',
      'This one is a letter or a capital away from a reported name, and the service may pass over a misspelt property without a word.',
      'If it is another property, leave it.',
    ),
    example: {
      wrong: lines('systemProperties: { containerStartupTimeoutSeconds: 1800 }'),
      right: lines('systemProperties: { containerStartUpTimeoutSeconds: 1800 }'),
    },
  }),
  'site/token-missing': entry<{ readonly origin: TokenOrigin }>({
    severity: 'warning',
    phase: 'plan',
    marks: 'value',
    source: 'Reported: administrator API reference, configuration script 10.9.1',
    title: 'The site tells its settings for a token only',
    message: () => 'the site tells its settings for a token only, and none is at hand',
    help: ({ origin }) => tokenRemedy(origin, 'no-token'),
    explanation: paragraph(
      'Some sites tell their upgrade configuration, profile, log level and system properties, and want a token for that.',
      'Without one a plan compares with the record of the last apply, or not at all, and keeps nothing of what the site has beside the manifest.',
      'The token that `spec.site.token` names is used for reading where it is there; only an update needs it.',
    ),
    example: {
      wrong: lines('site: { token: { env: LANDFORM_TOKEN } } # and LANDFORM_TOKEN is not set'),
      right: lines('site: { token: { env: LANDFORM_TOKEN } } # and LANDFORM_TOKEN is set'),
    },
  }),
  'site/token-refused': entry<{ readonly origin: TokenOrigin }>({
    severity: 'warning',
    phase: 'plan',
    marks: 'value',
    source: 'Reported: administrator API reference, configuration script 10.9.1',
    title: 'The site does not accept the token',
    message: () => 'the site did not accept the token, and so it told nothing of its settings',
    help: ({ origin }) => tokenRemedy(origin, 'not-allowed'),
    explanation: paragraph(
      'Tokens end after some hours, belong to one site, and count for what their user may do.',
      'Without one that is accepted a plan compares with the record of the last apply, or not at all; an update would be refused, too.',
      'Get a new token of a user who may administer the site.',
    ),
  }),
  'site/upgrading': entry<None>({
    severity: 'warning',
    phase: 'plan',
    marks: 'key',
    source: 'Reported: administrator API reference',
    title: 'An upgrade of the site is under way',
    message: () => 'an upgrade of the site is under way, and its upgrade configuration cannot be reached',
    help: () => 'plan and apply again once the upgrade has ended',
    explanation: paragraph(
      'While an upgrade runs, a site answers nothing about its upgrade configuration and takes no update of it.',
      'So the policy was not compared with the site, and what the site has beside it is not known.',
      'An apply would be refused; wait for the end of the upgrade.',
    ),
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
    explanation: paragraph(
      'Under `extra` stands only what Landform does not know, and it is sent unchecked.',
      'A known parameter has a field of its own, where it is checked and where a secret is only a reference.',
      'Move the value there.',
    ),
    example: {
      wrong: lines('extra: { folderPathsToRegister: /data }'),
      right: lines('folders: [/data]'),
    },
  }),
  'extra/passed-through': entry<{ readonly parameter: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A parameter is sent unchecked',
    message: ({ parameter }) =>
      `${quoted(parameter)} is sent to \`configure\` as it is; nothing is known of it, so nothing is checked`,
    help: () =>
      'keep it if the documentation of your service version names it; the spelling is yours to check',
    explanation: paragraph(
      'A newer service may take parameters that Landform does not know, and `extra` sends them as they are.',
      'Nothing of them is checked: a misspelt name may be passed over by the service without a word.',
      'The warning stays as long as the parameter does.',
    ),
    example: {
      wrong: lines('extra: { logLevel: INFO }'),
      right: lines('logLevel: INFO'),
    },
  }),
} as const
