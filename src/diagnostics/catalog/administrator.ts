import { disputedUsernameSymbol, reportedUserTypes } from '../../contract/field-notes.js'
import { limits } from '../../contract/limits.js'
import { secretQuestions } from '../../contract/questions.js'
import { describePasswordGaps, type PasswordGap } from '../reference-defect.js'
import { formatAll, formatSuggestion, joinLines, joinSentences, quote } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'

/** The initial administrator. */
export const administratorEntries = {
  'administrator/username': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3, §8',
    title: 'The user name is too short',
    message: () => `\`username\` is too short: it needs at least ${limits.usernameCharacters} characters`,
    explanation: () =>
      joinSentences(
        `The service requires at least ${limits.usernameCharacters} characters.`,
        'Choose a longer name; the first administrator signs in with it.',
      ),
    example: () => ({
      wrong: joinLines('administrator:', '  username: admin'),
      right: joinLines('administrator:', '  username: siteadmin'),
    }),
  }),
  'administrator/username-space': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3',
    title: 'The user name contains a space',
    message: () => '`username` contains a space',
    help: () => 'remove the space, or use `_` or `-` instead',
    explanation: () =>
      joinSentences(
        'The service accepts letters, digits and a limited set of symbols in a user name.',
        'No public source allows a space.',
      ),
    example: () => ({
      wrong: joinLines('administrator:', '  username: site admin'),
      right: joinLines('administrator:', '  username: site_admin'),
    }),
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
        : 'use letters A-Z and a-z, digits, `@`, `.`, `_` and `-`',
    explanation: () =>
      joinSentences(
        'The service accepts letters, digits and a few symbols; its document does not list the symbols.',
        'Three deployment sources allow `@`, `.`, `_` and `-`; the API reference allows a comma instead of the period.',
        'A name made of letters, digits, `@`, `_` and `-` satisfies all of them.',
        'Landform sends the name unchanged; only the service can accept or reject it.',
      ),
    example: () => ({
      wrong: joinLines('administrator:', '  username: site,admin'),
      right: joinLines('administrator:', '  username: site_admin'),
    }),
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
    explanation: () =>
      joinSentences(
        'The user type of the first administrator must be included in the license and be compatible with the Administrator role.',
        'The service document does not list the user types; the known names are examples from public guides.',
        'Compare the value with the license file, and keep it if the license includes it.',
      ),
    example: () => ({
      wrong: joinLines('administrator:', '  userType: creator'),
      right: joinLines('administrator:', '  userType: creatorUT'),
    }),
  }),
  'administrator/email': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3',
    title: 'The email address is not valid',
    message: () => '`email` is not a valid email address',
    help: () => 'write one address, such as admin@example.org',
    explanation: () =>
      joinSentences(
        'The service requires an email address for the administrator.',
        'Landform checks for one `@` with text on both sides, and rejects blanks, display names and lists.',
        'It does not check that mail arrives.',
      ),
    example: () => ({
      wrong: joinLines('administrator:', '  email: Site Admin <admin@example.org>'),
      right: joinLines('administrator:', '  email: admin@example.org'),
    }),
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
    explanation: () =>
      joinSentences(
        'The service requires a minimum length, a letter and a digit; it allows every special character.',
        'Landform reads the password through its reference and never shows it.',
        'Change it in the variable or the file; the manifest does not change.',
      ),
  }),
  'administrator/password-plain': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'references',
    marks: 'value',
    source: 'Reported: deployment guides, Helm charts 11.1 to 11.3, Terraform modules',
    title: 'The password has no special character',
    message: () => 'the password that `password` refers to contains only letters and digits',
    help: () => 'add a special character, such as `-` or `!`',
    explanation: () =>
      joinSentences(
        'The service document requires a letter and a digit; three deployment sources also require a special character.',
        'A password with a special character satisfies all of them; a rejected password may leave the installation incomplete.',
        'Landform reads the password through its reference and never shows it.',
      ),
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
    explanation: () =>
      joinSentences(
        `The service has a list of ${secretQuestions.length} questions and accepts the number of one.`,
        'A manifest may name the question by its text, which reads better, or by its number.',
        'If both are set they could contradict each other; if neither is set there is nothing to send.',
      ),
    example: () => ({
      wrong: joinLines(
        'administrator:',
        '  securityQuestion:',
        '    answer: { env: LANDFORM_SECURITY_ANSWER }',
      ),
      right: joinLines(
        'administrator:',
        '  securityQuestion:',
        '    question: What is your dream job?',
        '    answer: { env: LANDFORM_SECURITY_ANSWER }',
      ),
    }),
  }),
} as const

function isOnlyDisputed(symbols: readonly string[]): boolean {
  return symbols.every(symbol => symbol === disputedUsernameSymbol)
}
