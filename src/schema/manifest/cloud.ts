import {
  type ConnectionField,
  type CredentialType,
  type CredentialTypeName,
  cloudFields,
  cloudServiceFields,
  connectionFieldsOf,
  credentialTypes,
  credentialTypesOf,
  type SecretField,
} from '../../contract/cloud.js'
import { reportedProviderNames } from '../../contract/reported-cloud.js'
import type { ServiceVersion } from '../../contract/versions.js'
import { anyText, field, record, reference } from '../fields.js'
import { type JsonSchema, saidByRule, when } from '../json-schema.js'
import { providerSnippets } from './cloud-snippets.js'
import { secretReference, textOrReference } from './references.js'

const section = 'Service §2.5'

const exampleTexts: Readonly<Record<string, string>> = {
  bucketName: 'gis-objects',
  containerName: 'objects',
  region: 'eu-west-1',
  managedIdentityClientId: '00000000-0000-0000-0000-000000000000',
  regionEndpointUrl: 'https://s3.eu-west-1.example.org',
  accountEndpointUrl: 'https://gisobjects.blob.example.org',
}

/** Builds the schema of cloud storage in one version: one entry for each provider. Service §2.5, field notes §1.6. */
export function cloudDefinitions(version: ServiceVersion): { readonly [name: string]: JsonSchema } {
  const types = credentialTypesOf(version)
  const connection = allConnectionFields(version)
  return {
    CloudProvider: field('Cloud storage at one provider.', section, {
      defaultSnippets: providerSnippets(version),
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
      allOf: types.map(type => connectionOf(type, version)),
    }),
    Credential: field(cloudFields.credential, section, {
      ...record(
        {
          type: field('Credential type; it determines the fields of `secret` and of `connection`.', section, {
            'x-open': 'text',
            enum: types,
            enumDescriptions: types.map(type => meaningOf(type, version)),
          }),
          secret: field('The parts of the credential, determined by its type.', section, {
            type: 'object',
            'x-open': 'secret',
            properties: secretProperties(types.flatMap(name => credentialOfType(name).secret)),
          }),
          ...textFields(types.flatMap(name => credentialOfType(name).beside ?? [])),
        },
        ['type'],
      ),
      allOf: [
        saidByRule('cloud/secret-fields', {
          type: 'object',
          discriminator: { propertyName: 'type' },
          required: ['type'],
          oneOf: types.map(credentialOf),
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
    Connection: field(cloudServiceFields.connection.meaning, section, {
      'x-open': 'text',
      ...record(textFields(connection), []),
    }),
  }
}

/** Creates a field with its one documented value as default; the document does not show whether others exist. */
function documented(name: 'type' | 'usage' | 'category'): JsonSchema {
  const { meaning, value } = cloudServiceFields[name]
  return field(meaning, section, { ...anyText, default: value })
}

function allConnectionFields(version: ServiceVersion): readonly ConnectionField[] {
  return [...new Set(credentialTypesOf(version).flatMap(type => connectionFieldsOf(type, version)))]
}

function credentialOfType(name: CredentialTypeName): CredentialType {
  return credentialTypes[name]
}

function textFields(fields: readonly ConnectionField[]): JsonSchema['properties'] & {} {
  return Object.fromEntries(
    fields.map(({ name, meaning, reported }) => {
      const examples = [exampleTexts[name] ?? 'prod']
      return [name, field(meaning, reported?.source ?? section, { ...anyText, examples })]
    }),
  )
}

function secretProperties(fields: readonly SecretField[]): JsonSchema['properties'] & {} {
  return Object.fromEntries(
    fields.map(({ name, confidential, meaning }) => [
      name,
      field(meaning, section, confidential ? secretReference : textOrReference),
    ]),
  )
}

/** Describes a credential type with its fields. */
function meaningOf(name: CredentialTypeName, version: ServiceVersion): string {
  const { meaning, secret, beside = [], reported } = credentialOfType(name)
  const connection = connectionFieldsOf(name, version)
    .map(entry => entry.name)
    .join(', ')
  const others = beside.map(entry => `Beside it: ${entry.name}. `).join('')
  const parts = secret.map(entry => entry.name).join(', ')
  const source = reported === undefined ? '' : ` ${reported.source}.`
  return `${meaning} ${parts === '' ? '' : `Secret: ${parts}. `}${others}Connection: ${connection}.${source}`
}

function credentialOf(name: CredentialTypeName): JsonSchema {
  const { secret, meaning, beside = [], reported } = credentialOfType(name)
  const type = field(meaning, reported?.source ?? section, { const: name })
  const names = (fields: readonly { readonly name: string }[]) => fields.map(entry => entry.name)
  const parts = secret.length === 0 ? {} : { secret: record(secretProperties(secret), names(secret)) }
  return {
    title: `${name} credential`,
    ...record({ type, ...parts, ...textFields(beside) }, ['type', ...Object.keys(parts), ...names(beside)]),
  }
}

/** Builds the schema of the connection of one credential type. */
function connectionOf(name: CredentialTypeName, version: ServiceVersion): JsonSchema {
  const fields = connectionFieldsOf(name, version)
  const foreign = allConnectionFields(version).filter(
    candidate => !fields.some(({ name }) => name === candidate.name),
  )
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
