import { tokenMinutes } from '../../contract/field-operations.js'
import { buildChoice, buildRecord, describeField, longestText } from '../fields.js'
import { type JsonSchema, markAsRule } from '../json-schema.js'
import { secretReference } from './references.js'

const source =
  'Service §5, which does not show how to get a token; reported: configuration script 10.9.1, Terraform modules'

/** The sign-in for an apply that obtains its own token; not in the service document (Service §5), but in public sources. */
export function buildSignInDefinitions(): { readonly [name: string]: JsonSchema } {
  return {
    SignIn: describeField(
      'With it, `apply` signs in at the token service of the site if the site requires a token. Commands that only read never sign in.',
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
