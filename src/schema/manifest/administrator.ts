import { questionIndex, secretQuestions } from '../../contract/questions.js'
import { choiceOf, field, record } from '../fields.js'
import { type JsonSchema, saidByRule } from '../json-schema.js'
import { fieldsBelow, parameterField, requiredBelow } from './contract-fields.js'

const questions = Object.fromEntries(
  secretQuestions.map(question => [question, `Sent as ${questionIndex(question)}.`]),
)

/** The initial administrator. Service §4.3, §2.9. */
export const administratorDefinitions: { readonly [name: string]: JsonSchema } = {
  Administrator: field(
    'The initial administrator of the organization.',
    'Service §4.3',
    record(fieldsBelow('/spec/administrator'), requiredBelow('/spec/administrator')),
  ),
  SecurityQuestion: field(
    'The secret question of the administrator, by text or by number, and its answer.',
    'Service §2.9',
    {
      'x-compare': 'question',
      ...record(
        {
          question: field('The secret question, by its text.', 'Service §2.9', choiceOf(questions)),
          index: parameterField('/spec/administrator/securityQuestion', {
            type: 'integer',
            examples: [13],
            minimum: 1,
            maximum: secretQuestions.length,
          }),
          ...fieldsBelow('/spec/administrator/securityQuestion'),
        },
        requiredBelow('/spec/administrator/securityQuestion'),
      ),
      allOf: [
        saidByRule('administrator/security-question', {
          oneOf: [{ required: ['question'] }, { required: ['index'] }],
        }),
      ],
    },
  ),
}
