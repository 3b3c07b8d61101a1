import { format, type Parameter } from './parameter.js'
import { type ServiceVersion, since } from './versions.js'

const configureSince = since('configure')

type ConfigureParameter = Omit<Parameter, 'since' | 'section'> & { readonly since?: ServiceVersion }

function ofConfigure<const P extends ConfigureParameter>(parameter: P) {
  return { since: configureSince, section: '4.3', ...parameter }
}

/**
 * Every parameter of `configure` that has a name, in the order of the document. Service §4.3.
 *
 * The optional server license file has no name there; see `serverLicensePart` in the field notes.
 */
export const configureParameters = [
  ofConfigure({
    name: 'username',
    type: 'string',
    encoding: 'text',
    required: 'yes',
    meaning: 'User name of the initial administrator: at least six letters, digits or symbols.',
  }),
  ofConfigure({
    name: 'password',
    type: 'string',
    encoding: 'text',
    required: 'yes',
    secret: true,
    meaning: 'Password of the initial administrator: at least eight characters with a letter and a digit.',
  }),
  ofConfigure({
    name: 'email',
    type: 'string',
    encoding: 'text',
    required: 'yes',
    meaning: 'E-mail address of the administrator.',
  }),
  ofConfigure({
    name: 'fullName',
    type: 'string',
    encoding: 'text',
    required: 'yes',
    meaning: 'Full name of the administrator.',
  }),
  ofConfigure({
    name: 'firstName',
    type: 'string',
    encoding: 'text',
    required: 'no',
    meaning: 'First name of the administrator.',
  }),
  ofConfigure({
    name: 'lastName',
    type: 'string',
    encoding: 'text',
    required: 'no',
    meaning: 'Last name of the administrator.',
  }),
  ofConfigure({
    name: 'description',
    type: 'string',
    encoding: 'text',
    required: 'no',
    meaning: 'Description of the administrator account.',
  }),
  ofConfigure({
    name: 'securityQuestionIdx',
    type: 'integer',
    encoding: 'text',
    required: 'yes',
    meaning: 'Position of the secret question in the list of fourteen, counted from 1.',
  }),
  ofConfigure({
    name: 'securityQuestionAns',
    type: 'string',
    encoding: 'text',
    required: 'yes',
    secret: true,
    meaning: 'Answer to the secret question.',
  }),
  ofConfigure({
    name: 'userLicenseTypeId',
    type: 'string',
    encoding: 'text',
    required: 'yes',
    meaning: 'User type of the administrator; it must be compatible with the Administrator role.',
  }),
  ofConfigure({
    name: 'licenseFile',
    type: 'file',
    encoding: 'file',
    required: 'yes',
    secret: true,
    meaning: 'License file of the deployment.',
  }),
  ofConfigure({
    name: 'volumesConfig',
    type: 'JSON object',
    encoding: 'json',
    required: 'yes',
    meaning: 'Storage of the eight persistent volumes.',
  }),
  ofConfigure({
    name: 'cloudConfig',
    type: 'JSON array',
    encoding: 'json',
    required: 'no',
    since: since('cloudConfig'),
    meaning: 'Cloud storage, one entry a provider.',
  }),
  ofConfigure({
    name: 'logSettings',
    type: 'JSON object',
    encoding: 'json',
    required: 'no',
    meaning: 'Log level used while the organization is created.',
  }),
  ofConfigure({
    name: 'systemProperties',
    type: 'JSON object',
    encoding: 'json',
    required: 'no',
    meaning:
      'System properties set before the organization is created; another operation can change them later.',
  }),
  ofConfigure({
    name: 'systemArchitectureProfile',
    type: 'JSON object',
    encoding: 'json',
    required: 'no',
    meaning: 'Architecture profile: how much redundancy and hardware the deployment gets.',
  }),
  ofConfigure({
    name: 'folderPathsToRegister',
    type: 'string',
    encoding: 'text',
    required: 'no',
    meaning: 'Root folders of data stores to register at creation, which avoids stopping services later.',
  }),
  ofConfigure({
    name: 'userManagedStores',
    type: 'JSON array',
    encoding: 'json',
    required: 'no',
    since: since('userManagedStores'),
    meaning: 'Roots of data stores on a network file share.',
  }),
  format('4.3', configureSince, 'no'),
] as const satisfies readonly Parameter[]
