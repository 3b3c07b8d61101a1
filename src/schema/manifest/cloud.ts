import {
  type ConnectionField,
  type CredentialType,
  type CredentialTypeName,
  cloudFields,
  cloudServiceFields,
  connectionFields,
  credentialTypeNames,
  credentialTypes,
  type SecretField,
} from '../../contract/cloud.js'
import { reportedProviderNames } from '../../contract/field-notes.js'
import { anyText, field, record, reference } from '../fields.js'
import { type JsonSchema, saidByRule, when } from '../json-schema.js'
import { providerSnippets } from './cloud-snippets.js'
import { secretReference, textOrReference } from './references.js'

const section = 'Service §2.5'
const allConnectionFields = [...new Set(Object.values<readonly ConnectionField[]>(connectionFields).flat())]
const allSecretFields = credentialTypeNames.flatMap(name => secretFieldsOf(name))

const connectionExamples: Readonly<Record<string, string>> = {
  bucketName: 'gis-objects',
  containerName: 'objects',
  region: 'eu-west-1',
}

/** Cloud storage: one entry a provider. Service §2.5. */
export const cloudDefinitions: { readonly [name: string]: JsonSchema } = {
  CloudProvider: field('Cloud storage at one provider.', section, {
    defaultSnippets: providerSnippets,
    ...record(
      {
        name: field(cloudFields.name, section, {
          ...anyText,
          examples: Object.values(reportedProviderNames),
        }),
        credential: reference('Credential'),
        cloudServices: field(cloudFields.cloudServices, section, {
          type: 'array',
          items: reference('CloudService'),
          minItems: 1,
        }),
      },
      ['name', 'credential', 'cloudServices'],
    ),
    allOf: credentialTypeNames.map(connectionOf),
  }),
  Credential: field(cloudFields.credential, section, {
    ...record(
      {
        type: field('Kind of credential; it decides the fields of `secret` and of `connection`.', section, {
          enum: credentialTypeNames,
          enumDescriptions: credentialTypeNames.map(meaningOf),
        }),
        secret: field('The parts of the credential; its type decides which.', section, {
          type: 'object',
          properties: secretProperties(allSecretFields),
        }),
      },
      ['type'],
    ),
    allOf: [
      saidByRule('cloud/secret-fields', {
        type: 'object',
        discriminator: { propertyName: 'type' },
        required: ['type'],
        oneOf: credentialTypeNames.map(credentialOf),
      }),
    ],
  }),
  CloudService: field(
    'One storage service of the provider.',
    section,
    record(
      {
        name: field(cloudServiceFields.name.meaning, section, { ...anyText, examples: ['AWS S3'] }),
        type: documented('type'),
        usage: documented('usage'),
        category: documented('category'),
        connection: reference('Connection'),
      },
      ['name', 'connection'],
    ),
  ),
  Connection: field(
    cloudServiceFields.connection.meaning,
    section,
    record(
      Object.fromEntries(
        allConnectionFields.map(({ name, meaning }) => {
          const examples = [connectionExamples[name] ?? 'prod']
          return [name, field(meaning, section, { ...anyText, examples })]
        }),
      ),
      [],
    ),
  ),
}

/** A field whose one documented value is its default; whether others exist is not shown. */
function documented(name: 'type' | 'usage' | 'category'): JsonSchema {
  const { meaning, value } = cloudServiceFields[name]
  return field(meaning, section, { ...anyText, default: value })
}

function secretFieldsOf(name: CredentialTypeName): readonly SecretField[] {
  return credentialTypes[name].secret
}

function secretProperties(fields: readonly SecretField[]): JsonSchema['properties'] & {} {
  return Object.fromEntries(
    fields.map(({ name, confidential, meaning }) => [
      name,
      field(meaning, section, confidential ? secretReference : textOrReference),
    ]),
  )
}

/** What a credential type is, with the fields that go with it. */
function meaningOf(name: CredentialTypeName): string {
  const { meaning, secret, provider }: CredentialType = credentialTypes[name]
  const connection = connectionFields[provider].map(entry => entry.name).join(', ')
  const parts = secret.map(entry => entry.name).join(', ')
  return `${meaning} ${parts === '' ? '' : `Secret: ${parts}. `}Connection: ${connection}.`
}

function credentialOf(name: CredentialTypeName): JsonSchema {
  const { secret, meaning }: CredentialType = credentialTypes[name]
  const type = field(meaning, section, { const: name })
  const names = secret.map(entry => entry.name)
  return {
    title: `${name} credential`,
    ...(secret.length === 0
      ? record({ type }, ['type'])
      : record({ type, secret: record(secretProperties(secret), names) }, ['type', 'secret'])),
  }
}

/** The connection fields that go with one credential type. */
function connectionOf(name: CredentialTypeName): JsonSchema {
  const fields = connectionFields[credentialTypes[name].provider]
  const foreign = allConnectionFields.filter(candidate => !fields.some(({ name }) => name === candidate.name))
  const connection: JsonSchema = {
    required: [fields[0].name],
    properties: Object.fromEntries(foreign.map(entry => [entry.name, false] as const)),
  }
  const services: JsonSchema = { items: { properties: { connection } } }
  return when(
    { properties: { credential: { properties: { type: { const: name } }, required: ['type'] } } },
    saidByRule('cloud/connection-fields', { properties: { cloudServices: services } }),
  )
}
