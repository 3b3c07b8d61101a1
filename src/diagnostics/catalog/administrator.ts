import { disputedUsernameSymbol, mergedUserTypes, reportedUserTypes } from '../../contract/field-notes.js'
import { limits } from '../../contract/field-row.js'
import { secretQuestions } from '../../contract/questions.js'
import { describePasswordGaps, type PasswordGap } from '../reference-defect.js'
import { formatAll, formatSuggestion, quote } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'

const otherEncoding =
  'Reported: Jakarta Servlet 6.0, whose default for a request is ISO-8859-1; Tomcat 10.1 sets UTF-8 in its own web.xml'

/** The initial administrator. */
export const administratorEntries = {
  'administrator/username': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3, §8',
    title: 'The user name is too short',
    message: () => `\`username\` is too short: it needs at least ${limits.usernameCharacters} characters`,
  }),
  'administrator/username-space': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3',
    title: 'The user name contains a space',
    message: () => '`username` contains a space',
    help: () => 'remove the space, or use `_` or `-` instead',
  }),
  'administrator/username-symbols': defineEntry<{ readonly symbols: readonly string[] }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: deployment guides, Helm charts 11.1 to 11.3, Terraform modules',
    title: 'The user name contains a symbol that the service may reject',
    message: ({ symbols }) =>
      isOnlyDisputed(symbols)
        ? '`username` contains a comma, on which public sources disagree'
        : `\`username\` contains ${formatAll(symbols)}, which no public source allows in a user name`,
    help: ({ symbols }) =>
      isOnlyDisputed(symbols)
        ? 'remove it: one page allows it, and three deployment sources do not'
        : `use letters A-Z and a-z, digits, \`@\`, \`.\`, \`_\` and \`-\`${isAscii(symbols) ? '' : '; a server may read others as different characters'}`,
  }),
  'administrator/user-type': defineEntry<{
    readonly found: string
    readonly suggestion: string | undefined
    /** The reported type, where only the capitals differ. */
    readonly otherCase: string | undefined
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: deployment guides up to 12.1, Helm charts 11.1 to 11.3',
    title: 'Unknown user type',
    message: ({ found }) => `${quote(found)} is not a user type that public sources name`,
    help: ({ suggestion }) =>
      formatSuggestion(suggestion) ??
      `known user types: ${formatAll(reportedUserTypes)}; your license determines which are available`,
    fix: ({ otherCase }) => (otherCase === undefined ? undefined : { kind: 'replace', by: otherCase }),
  }),
  'administrator/user-type-merged': defineEntry<{ readonly found: string }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: "Reported: the vendor's page what's new in 11.4",
    title: 'A user type that was merged into another',
    message: ({ found }) =>
      `${quote(found)} was merged into Creator in ${mergedUserTypes.since}; a retired user type cannot be the first administrator`,
    help: () => `write ${quote(mergedUserTypes.into)}, if your license has it`,
  }),
  'administrator/email': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3',
    title: 'The email address is not valid',
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
  'administrator/security-question': defineEntry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.9',
    title: 'The secret question must be chosen in exactly one way',
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
