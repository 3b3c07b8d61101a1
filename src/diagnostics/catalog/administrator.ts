import { limits } from '../../contract/limits.js'
import { secretQuestions } from '../../contract/questions.js'
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
  }),
  'administrator/email': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3',
    title: 'The e-mail address has the wrong form',
    message: () => '`email` is not an e-mail address',
    help: () => 'write one address, such as admin@example.org',
  }),
  'administrator/password': entry<{ readonly lacks: readonly string[] }>({
    severity: 'error',
    phase: 'references',
    marks: 'value',
    source: 'Service §4.3, §8',
    title: 'The password breaks a rule of the service',
    message: ({ lacks }) => `the password that \`password\` refers to lacks ${lacks.join(' and ')}`,
    help: () =>
      `the service wants at least ${limits.passwordCharacters} characters, one letter A-Z or a-z, and one digit`,
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
  }),
} as const
