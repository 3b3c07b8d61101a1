import { reportedUserTypes } from '../../contract/field-notes.js'
import { limits } from '../../contract/limits.js'
import { questionIndex, secretQuestions } from '../../contract/questions.js'
import { choiceOf, field, longestSentText, record, reference } from '../fields.js'
import { type JsonSchema, saidByRule } from '../json-schema.js'
import { parameterField, secretParameter } from './shared.js'

const text: JsonSchema = { type: 'string', minLength: 1, maxLength: longestSentText }

const questions = Object.fromEntries(
  secretQuestions.map(question => [question, `Sent as ${questionIndex(question)}.`]),
)

/** The initial administrator. Service §4.3, §2.9. */
export const administratorDefinitions: { readonly [name: string]: JsonSchema } = {
  Administrator: field(
    'The initial administrator of the organization.',
    'Service §4.3',
    record(
      {
        username: parameterField('configure', 'username', {
          type: 'string',
          maxLength: longestSentText,
          examples: ['siteadmin'],
          allOf: [
            saidByRule('administrator/username', { minLength: limits.usernameCharacters }),
            saidByRule('administrator/username-space', { pattern: '^\\S*$' }),
          ],
        }),
        password: secretParameter('configure', 'password'),
        email: parameterField('configure', 'email', {
          type: 'string',
          maxLength: longestSentText,
          examples: ['admin@example.org'],
          allOf: [saidByRule('administrator/email', { format: 'email' })],
        }),
        fullName: parameterField('configure', 'fullName', { ...text, examples: ['Site Administrator'] }),
        firstName: parameterField('configure', 'firstName', { ...text, examples: ['Ada'] }),
        lastName: parameterField('configure', 'lastName', { ...text, examples: ['Admin'] }),
        description: parameterField('configure', 'description', {
          ...text,
          examples: ['Initial administrator'],
        }),
        userType: parameterField('configure', 'userLicenseTypeId', { ...text, examples: reportedUserTypes }),
        securityQuestion: reference('SecurityQuestion'),
      },
      ['username', 'password', 'email', 'fullName', 'userType', 'securityQuestion'],
    ),
  ),
  SecurityQuestion: field(
    'The secret question of the administrator, by text or by number, and its answer.',
    'Service §2.9',
    {
      'x-compare': 'question',
      ...record(
        {
          question: field('The secret question, by its text.', 'Service §2.9', choiceOf(questions)),
          index: parameterField('configure', 'securityQuestionIdx', {
            type: 'integer',
            examples: [13],
            minimum: 1,
            maximum: secretQuestions.length,
          }),
          answer: secretParameter('configure', 'securityQuestionAns'),
        },
        ['answer'],
      ),
      allOf: [
        saidByRule('administrator/security-question', {
          oneOf: [{ required: ['question'] }, { required: ['index'] }],
        }),
      ],
    },
  ),
}
