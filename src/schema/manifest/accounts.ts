import { tokenMinutes } from '../../contract/field-notes.js'
import { findQuestionIndex, secretQuestions } from '../../contract/questions.js'
import { buildChoice, buildRecord, describeField, longestText, secretReference } from '../fields.js'
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

const source =
  'Service §5, which does not show how to get a token; reported: configuration script 10.9.1, Terraform modules'

/** The sign-in of a command that obtains its own token; not in the service document (Service §5), but in public sources. */
export function buildSignInDefinitions(): { readonly [name: string]: JsonSchema } {
  return {
    SignIn: describeField(
      'With it, each command signs in at the token service of the site if the site requires a token, which it wipes after use.',
      source,
      {
        ...buildRecord(
          {
            as: describeField(
              'This account signs in.',
              source,
              buildChoice({ administrator: 'The account of spec.administrator.' }),
            ),
            username: describeField('Another account signs in with this user name.', source, {
              type: 'string',
              minLength: 1,
              maxLength: longestText,
              examples: ['operations'],
            }),
            password: describeField('This is the password of that account.', source, secretReference),
            lifetime: describeField(
              `A token is asked for with this lifetime; a site may cut it, and does beyond ${tokenMinutes.max / 1440} days. Landform renews it in time.`,
              source,
              {
                type: 'string',
                maxLength: 6,
                pattern: '^[1-9][0-9]{0,4}[mh]$',
                patternErrorMessage: 'be a time such as 60m or 6h',
                default: '60m',
              },
            ),
            path: describeField(
              'The token service is at this path on the host of the site, if it is not next to the administrator API.',
              source,
              {
                type: 'string',
                maxLength: longestText,
                pattern: '^(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$',
                patternErrorMessage: 'be a path such as /arcgis/sharing/rest/generateToken',
                examples: ['/arcgis/sharing/rest/generateToken'],
              },
            ),
          },
          [],
        ),
        allOf: [
          markAsRule('site/sign-in', {
            oneOf: [
              { required: ['as'], properties: { username: { not: {} }, password: { not: {} } } },
              { required: ['username', 'password'], properties: { as: { not: {} } } },
            ],
          }),
        ],
      },
    ),
  }
}
