import { disputedUsernameSymbol, reportedUserTypes } from '../../contract/field-notes.js'
import { limits } from '../../contract/limits.js'
import { secretQuestions } from '../../contract/questions.js'
import { describePasswordGaps, type PasswordGap } from '../reference-defect.js'
import { allOf, didYouMean, lines, paragraph, quoted } from '../words.js'
import { entry, type None } from './entry.js'

/** The initial administrator. */
export const administratorEntries = {
  'administrator/username': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3, §8',
    title: 'The user name is too short',
    message: () => `\`username\` has at least ${limits.usernameCharacters} characters`,
    explanation: paragraph(
      `The service wants at least ${limits.usernameCharacters} characters, and Landform says so before anything is sent.`,
      'Choose a longer one; it is the name that the first administrator signs in with.',
    ),
    example: {
      wrong: lines('administrator:', '  username: admin'),
      right: lines('administrator:', '  username: siteadmin'),
    },
  }),
  'administrator/username-space': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3',
    title: 'The user name has a space in it',
    message: () => '`username` holds a space, which is no letter, digit or symbol',
    help: () => 'take it out, or write `_` or `-` in its place',
    explanation: paragraph(
      'The service takes letters, digits and a limited set of symbols in a user name.',
      'A space is none of them, and no public source allows one.',
    ),
    example: {
      wrong: lines('administrator:', '  username: site admin'),
      right: lines('administrator:', '  username: site_admin'),
    },
  }),
  'administrator/username-symbols': entry<{ readonly symbols: readonly string[] }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: deployment guides, Helm charts 11.1 to 11.3, Terraform modules',
    title: 'The user name holds a symbol that the service may refuse',
    message: ({ symbols }) =>
      onlyDisputed(symbols)
        ? '`username` holds a comma, which the public sources disagree about'
        : `\`username\` holds ${allOf(symbols)}, which no public source allows in a user name`,
    help: ({ symbols }) =>
      onlyDisputed(symbols)
        ? 'leave it out: one page allows it, and three deployment sources do not'
        : 'use letters A-Z and a-z, digits, `@`, `.`, `_` and `-`',
    explanation: paragraph(
      'The service takes letters, digits and a few symbols, and its document does not say which ones.',
      'Three deployment sources name `@`, `.`, `_` and `-`; the API reference names a comma in place of the full stop.',
      'A name of letters, digits, `@`, `_` and `-` pleases all of them.',
      'Landform sends the name as it is: whether the service takes it shows only when it is sent.',
    ),
    example: {
      wrong: lines('administrator:', '  username: site,admin'),
      right: lines('administrator:', '  username: site_admin'),
    },
  }),
  'administrator/user-type': entry<{
    readonly found: string
    readonly suggestion: string | undefined
    /** The reported type, where only the capitals differ. */
    readonly otherCase: string | undefined
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: deployment guides up to 12.1, Helm charts 11.1 to 11.3',
    title: 'A user type that no public source names',
    message: ({ found }) => `${quoted(found)} is no user type that public sources name`,
    help: ({ suggestion }) =>
      didYouMean(suggestion) ?? `they name ${allOf(reportedUserTypes)}; your license decides which exist`,
    fix: ({ otherCase }) => (otherCase === undefined ? undefined : { kind: 'replace', by: otherCase }),
    explanation: paragraph(
      'The user type of the first administrator must be one that the license holds and that goes with the Administrator role.',
      'The service document does not list them; the names here are examples in public guides.',
      'Compare yours with the license file, and leave it where the license has it.',
    ),
    example: {
      wrong: lines('administrator:', '  userType: creator'),
      right: lines('administrator:', '  userType: creatorUT'),
    },
  }),
  'administrator/email': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3',
    title: 'The e-mail address has the wrong form',
    message: () => '`email` is not an e-mail address',
    help: () => 'write one address, such as admin@example.org',
    explanation: paragraph(
      'The service wants the address of the administrator.',
      'Landform looks for one `@` with something on both sides and for no blanks, names or lists.',
      'Whether mail arrives there is not checked.',
    ),
    example: {
      wrong: lines('administrator:', '  email: Site Admin <admin@example.org>'),
      right: lines('administrator:', '  email: admin@example.org'),
    },
  }),
  'administrator/password': entry<{ readonly gaps: readonly PasswordGap[] }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Service §4.3, §8',
    title: 'The password breaks a rule of the service',
    message: ({ gaps }) => `the password that \`password\` refers to lacks ${describePasswordGaps(gaps)}`,
    help: () =>
      `the service wants at least ${limits.passwordCharacters} characters, one letter A-Z or a-z, and one digit`,
    explanation: paragraph(
      'The service wants a certain length, a letter and a digit; it allows every special character.',
      'The password is looked at where the reference leads, and never shown.',
      'Change it there, in the variable or the file; the manifest stays as it is.',
    ),
  }),
  'administrator/password-plain': entry<None>({
    severity: 'warning',
    phase: 'references',
    marks: 'value',
    source: 'Reported: deployment guides, Helm charts 11.1 to 11.3, Terraform modules',
    title: 'The password has no special character',
    message: () => 'the password that `password` refers to is of letters and digits alone',
    help: () => 'add a special character, such as `-` or `!`',
    explanation: paragraph(
      'The service document wants a letter and a digit; three deployment sources want a special character, too.',
      'A password with one pleases all of them, and one that is refused may leave an installation half-made.',
      'The password is looked at where the reference leads, and never shown.',
    ),
  }),
  'administrator/security-question': entry<{ readonly problem: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.9',
    title: 'The secret question is not chosen in one way',
    message: ({ problem }) => `\`securityQuestion\` ${problem}`,
    help: () =>
      `choose it by its text (\`question\`) or by its number from 1 to ${secretQuestions.length} (\`index\`)`,
    explanation: paragraph(
      `The service has a list of ${secretQuestions.length} questions and takes the number of one.`,
      'A manifest may name the question by its text, which reads better, or by its number.',
      'With both, they could contradict each other; with neither, there is nothing to send.',
    ),
    example: {
      wrong: lines('administrator:', '  securityQuestion:', '    answer: { env: LANDFORM_SECURITY_ANSWER }'),
      right: lines(
        'administrator:',
        '  securityQuestion:',
        '    question: What is your dream job?',
        '    answer: { env: LANDFORM_SECURITY_ANSWER }',
      ),
    },
  }),
} as const

function onlyDisputed(symbols: readonly string[]): boolean {
  return symbols.every(symbol => symbol === disputedUsernameSymbol)
}
