import {
  disputedUsernameSymbol,
  mergedUserTypes,
  reportedUsernameSymbols,
  reportedUserTypes,
} from '../../contract/field-notes.js'
import { emailForm, limits } from '../../contract/field-row.js'
import { secretQuestions } from '../../contract/questions.js'
import { includes } from '../../contract/versions.js'
import { isObject } from '../../schema/json-schema.js'
import { select } from '../../schema/select.js'
import { describeUnknownValue, findMisspelledFields } from '../did-you-mean.js'
import { describePasswordGaps, type PasswordGap } from '../reference-defect.js'
import { formatAll, formatSuggestion, quote } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'
import { defineRule } from './rule.js'

const otherEncoding =
  'Reported: Jakarta Servlet 6.0, whose default for a request is ISO-8859-1; Tomcat 10.1 sets UTF-8 in its own web.xml'

/** The initial administrator. */
export const administratorEntries = {
  'administrator/username': defineRule({
    severity: 'error',
    marks: 'value',
    source: 'Service §4.3, §8',
    title: 'The user name is too short',
    *check({ index }) {
      for (const { pointer, value: username } of select(index, '/spec/administrator/username'))
        if (typeof username === 'string' && [...username].length < limits.usernameCharacters)
          yield [pointer, {}]
    },
    message: () => `\`username\` is too short: it needs at least ${limits.usernameCharacters} characters`,
  }),
  'administrator/username-space': defineRule({
    severity: 'error',
    marks: 'value',
    source: 'Service §4.3',
    title: 'The user name contains a space',
    *check({ index }) {
      for (const { pointer, value: username } of select(index, '/spec/administrator/username'))
        if (typeof username === 'string' && /\s/.test(username)) yield [pointer, {}]
    },
    message: () => '`username` contains a space',
    help: () => 'remove the space, or use `_` or `-` instead',
  }),
  'administrator/username-symbols': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Reported: deployment guides, Helm charts 11.1 to 11.3, Terraform modules',
    title: 'The user name contains a symbol that the service may reject',
    *check({ index }) {
      for (const { pointer, value: username } of select(index, '/spec/administrator/username')) {
        if (typeof username !== 'string') continue
        const symbols = [...new Set(username)].filter(
          symbol => !/[A-Za-z0-9\s]/.test(symbol) && !reportedUsernameSymbols.includes(symbol),
        )
        // More symbols would not help to find them.
        if (symbols.length > 0) yield [pointer, { symbols: symbols.slice(0, 5) }]
      }
    },
    message: ({ symbols }) =>
      isOnlyDisputed(symbols)
        ? '`username` contains a comma, on which public sources disagree'
        : `\`username\` contains ${formatAll(symbols)}, which no public source allows in a user name`,
    help: ({ symbols }) =>
      isOnlyDisputed(symbols)
        ? 'remove it: one page allows it, and three deployment sources do not'
        : `use letters A-Z and a-z, digits, \`@\`, \`.\`, \`_\` and \`-\`${isAscii(symbols) ? '' : '; a server may read others as different characters'}`,
  }),
  'administrator/user-type': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Reported: deployment guides up to 12.1, Helm charts 11.1 to 11.3',
    title: 'Unknown user type',
    *check({ index }) {
      for (const { pointer, value: written } of select(index, '/spec/administrator/userType')) {
        const stranger = describeUnknownValue(written, reportedUserTypes)
        if (stranger !== undefined) yield [pointer, stranger]
      }
    },
    message: ({ found }) => `${quote(found)} is not a user type that public sources name`,
    help: ({ suggestion }) =>
      formatSuggestion(suggestion) ??
      `known user types: ${formatAll(reportedUserTypes)}; your license determines which are available`,
    fix: ({ otherCase }) => (otherCase === undefined ? undefined : { kind: 'replace', by: otherCase }),
  }),
  'administrator/user-type-merged': defineRule({
    severity: 'warning',
    marks: 'value',
    source: "Reported: the vendor's page what's new in 11.4",
    title: 'A user type that was merged into another',
    *check({ index, version }) {
      if (version === undefined || !includes(version, mergedUserTypes.since)) return
      for (const { pointer, value: written } of select(index, '/spec/administrator/userType')) {
        const found = mergedUserTypes.names.find(name => name === written)
        if (found !== undefined) yield [pointer, { found }]
      }
    },
    message: ({ found }) =>
      `${quote(found)} was merged into Creator in ${mergedUserTypes.since}; a retired user type cannot be the first administrator`,
    help: () => `write ${quote(mergedUserTypes.into)}, if your license has it`,
  }),
  'administrator/email': defineRule({
    severity: 'error',
    marks: 'value',
    source: 'Service §4.3',
    title: 'The email address is not valid',
    *check({ index }) {
      for (const { pointer, value: email } of select(index, '/spec/administrator/email'))
        if (typeof email === 'string' && !emailForm.test(email)) yield [pointer, {}]
    },
    message: () => '`email` is not a valid email address',
    help: () => 'write one address, such as admin@example.org',
  }),
  'administrator/password': defineEntry<{ readonly gaps: readonly PasswordGap[] }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Service §4.3, §8',
    title: 'The password does not meet the requirements of the service',
    message: ({ gaps }) => `the password that \`password\` refers to lacks ${describePasswordGaps(gaps)}`,
    help: () =>
      `the service requires at least ${limits.passwordCharacters} characters, one letter A-Z or a-z, and one digit`,
  }),
  'administrator/password-plain': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'references',
    marks: 'value',
    source: 'Reported: deployment guides, Helm charts 11.1 to 11.3, Terraform modules',
    title: 'The password has no special character',
    message: () => 'the password that `password` refers to contains only letters and digits',
    help: () => 'add a special character, such as `-` or `!`',
  }),
  'administrator/password-not-ascii': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'references',
    marks: 'value',
    source: otherEncoding,
    title: 'The password has characters outside of ASCII',
    message: () =>
      'the password that `password` refers to has characters outside of ASCII, which a server may read as others',
    help: () => 'use ASCII letters, digits and symbols: what is stored by mistake cannot be seen',
  }),
  'administrator/security-question': defineRule({
    severity: 'error',
    marks: 'key',
    source: 'Service §2.9',
    title: 'The secret question must be chosen in exactly one way',
    *check({ index }) {
      for (const { pointer, value: chosen } of select(index, '/spec/administrator/securityQuestion')) {
        if (!isObject(chosen)) continue
        const misspelt = findMisspelledFields(chosen, ['question', 'index', 'answer'])
        const ways = ['question', 'index'].filter(way => way in chosen || misspelt.includes(way))
        const problem =
          ways.length === 0 ? 'has neither `question` nor `index`' : 'has both `question` and `index`'
        if (ways.length !== 1) yield [pointer, { problem }]
      }
    },
    message: ({ problem }) => `\`securityQuestion\` ${problem}`,
    help: () =>
      `set either \`question\` (its text) or \`index\` (its number, 1 to ${secretQuestions.length})`,
  }),
} as const

function isOnlyDisputed(symbols: readonly string[]): boolean {
  return symbols.every(symbol => symbol === disputedUsernameSymbol)
}

function isAscii(symbols: readonly string[]): boolean {
  return symbols.every(symbol => symbol <= '\x7f')
}
