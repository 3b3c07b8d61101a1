import { findQuestionIndex, secretQuestions } from '../../contract/questions.js'
import { buildChoice, buildRecord, describeField } from '../fields.js'
import { type JsonSchema, markAsRule } from '../json-schema.js'
import { buildFieldsBelow, buildParameterField, listRequiredBelow } from './contract-fields.js'

const questions = Object.fromEntries(
  secretQuestions.map(question => [question, `Sent as ${findQuestionIndex(question)}.`]),
)

/** The initial administrator. Service §4.3, §2.9. */
export function buildAdministratorDefinitions(): { readonly [name: string]: JsonSchema } {
  return {
    Administrator: describeField(
      'This is the initial administrator of the organization.',
      'Service §4.3',
      buildRecord(buildFieldsBelow('/spec/administrator'), listRequiredBelow('/spec/administrator')),
    ),
    SecurityQuestion: describeField(
      'The administrator has this secret question, by text or by number, and this answer.',
      'Service §2.9',
      {
        'x-compare': 'question',
        ...buildRecord(
          {
            question: describeField(
              'This is the text of the secret question.',
              'Service §2.9',
              buildChoice(questions),
            ),
            index: buildParameterField('/spec/administrator/securityQuestion', {
              type: 'integer',
              examples: [13],
              minimum: 1,
              maximum: secretQuestions.length,
            }),
            ...buildFieldsBelow('/spec/administrator/securityQuestion'),
          },
          listRequiredBelow('/spec/administrator/securityQuestion'),
        ),
        allOf: [
          markAsRule('administrator/security-question', {
            oneOf: [{ required: ['question'] }, { required: ['index'] }],
          }),
        ],
      },
    ),
  }
}
