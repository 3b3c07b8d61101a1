import { reportedLogLevels, reportedSystemProperties } from '../../contract/field-notes.js'
import { nonProductionProfile, reportedProfiles } from '../../contract/profiles.js'
import { includes } from '../../contract/versions.js'
import { isObject } from '../../schema/json-schema.js'
import { appendSegment, formatDotted } from '../../schema/pointer.js'
import { select, selectAll } from '../../schema/select.js'
import {
  describeUnknownValue,
  findCertainMatch,
  findInOtherCase,
  findMisspelledFields,
} from '../did-you-mean.js'
import { describeTokenRemedy, type TokenOrigin } from '../token-remedy.js'
import { formatAll, formatSuggestion, quote } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'
import { defineRule } from './rule.js'

const accountFields = ['as', 'username', 'password'] as const
const incompleteAccounts: ReadonlyMap<string, string> = new Map([
  ['', 'has no account'],
  ['username', 'has `username` without `password`'],
  ['password', 'has `password` without `username`'],
])

/** Matches `gis-prod` and `Production`, but neither `products` nor `pre-prod`. */
const production = /(?<![a-z0-9])(?<!(?<![a-z0-9])(?:no|non|not|pre)[^a-z0-9]+)prod(?:uction)?(?![a-z0-9])/i

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
    message: () => 'the site URL does not end in `/admin`, unlike that of every reported site',
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
  'site/sign-in': defineRule({
    severity: 'error',
    marks: 'key',
    source: 'Reported: configuration script 10.9.1, Terraform modules',
    title: 'The sign-in does not name exactly one account',
    *check({ index }) {
      for (const { pointer, value: signIn } of select(index, '/spec/site/signIn')) {
        if (!isObject(signIn)) continue
        const misspelt = findMisspelledFields(signIn, [...accountFields, 'lifetime', 'path'])
        const named = accountFields.filter(name => name in signIn || misspelt.includes(name)).join(' ')
        if (named === 'as' || named === 'username password') continue
        yield [pointer, { problem: incompleteAccounts.get(named) ?? 'has two accounts' }]
      }
    },
    message: ({ problem }) => `\`signIn\` ${problem}`,
    help: () => 'write `as: administrator`, or `username` and `password` of another account',
  }),
  'profile/development-in-production': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Service §2.10',
    title: 'Development profile in production',
    *check({ index }) {
      const [profile] = select(index, '/spec/profile')
      if (profile?.value !== nonProductionProfile) return
      const mention = selectAll(index, ['/metadata/name', '/metadata/labels/*']).find(
        ({ value: text }) => typeof text === 'string' && production.test(text),
      )
      if (mention !== undefined)
        yield [profile.pointer, { where: formatDotted(mention.pointer), says: String(mention.value) }]
    },
    message: ({ where, says }) =>
      `the profile \`development\` is not supported for production, but ${quote(where)} is ${quote(says)}`,
    help: () => 'use `standard-availability` or `enhanced-availability`',
  }),
  'profile/replaced': defineRule<{ readonly isWritten: boolean }>({
    severity: 'warning',
    marks: 'key',
    source: reportedProfiles.source,
    title: 'Two profiles replace the one',
    *check({ index, version }) {
      if (version === undefined || !includes(version, reportedProfiles.since)) return
      for (const { pointer, value: spec } of select(index, '/spec')) {
        const [profile] = select(index, '/spec/profile')
        const isReplaced =
          select(index, '/spec/deploymentProfiles/*').length > 0 ||
          (isObject(spec) && findMisspelledFields(spec, ['deploymentProfiles']).length > 0)
        if (profile !== undefined) yield [profile.pointer, { isWritten: true }]
        else if (!isReplaced) yield [pointer, { isWritten: false }]
      }
    },
    message: ({ isWritten }) =>
      isWritten
        ? `\`profile\` was replaced in ${reportedProfiles.since} by an availability profile and a performance profile`
        : `no profile: since ${reportedProfiles.since} write an availability profile and a performance profile`,
    help: () =>
      'write `spec.deploymentProfiles`, with the parameter names that the `configure` page of the site shows',
  }),
  'log/level': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Reported: administrator API reference, deployment guides, Helm charts 11.1 to 11.3',
    title: 'Unknown log level',
    *check({ index }) {
      for (const { pointer, value: written } of select(index, '/spec/logLevel')) {
        const stranger = describeUnknownValue(written, reportedLogLevels)
        if (stranger !== undefined) yield [pointer, stranger]
      }
    },
    message: ({ found }) => `${quote(found)} is not a log level that public sources name`,
    help: ({ suggestion }) =>
      formatSuggestion(suggestion) ?? `known log levels: ${formatAll(reportedLogLevels)}`,
    fix: ({ otherCase }) => (otherCase === undefined ? undefined : { kind: 'replace', by: otherCase }),
  }),
  'site/system-property': defineRule({
    severity: 'warning',
    marks: 'key',
    source: 'Reported: administrator API reference 10.9.1 to 11.2',
    title: 'Possibly misspelled system property',
    *check({ index }) {
      for (const { pointer, value: properties } of select(index, '/spec/systemProperties')) {
        if (!isObject(properties)) continue
        const absent = reportedSystemProperties.filter(name => !(name in properties))
        for (const found of Object.keys(properties)) {
          if (reportedSystemProperties.some(name => name === found)) continue
          const suggestion = findCertainMatch(found, absent)
          if (suggestion === undefined) continue
          const otherCase = findInOtherCase(found, [suggestion]) !== undefined
          yield [appendSegment(pointer, found), { found, suggestion, otherCase }]
        }
      }
    },
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
      'the manifest has neither a token nor a sign-in, but sites require a token for this policy',
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
  'extra/known-parameter': defineEntry<{
    readonly parameter: string
    readonly home: string | undefined
    /** The field that contains the name. */
    readonly under: 'extra' | 'deploymentProfiles'
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A known parameter in `extra`',
    message: ({ parameter, home, under }) =>
      under === 'extra'
        ? `${quote(parameter)} is a known parameter and does not belong under \`extra\``
        : `${quote(parameter)} is already the parameter of ${home === undefined ? 'every request' : quote(home)}`,
    help: ({ home, under }) => {
      if (under !== 'extra') return 'write the name that the `configure` page of the site shows'
      return home === undefined ? 'remove it: Landform sets it automatically' : `write it as ${quote(home)}`
    },
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
