import {
  type ConnectionField,
  type CredentialType,
  type CredentialTypeName,
  cloudFields,
  cloudServiceFields,
  credentialTypes,
  listConnectionFields,
  listCredentialTypes,
  type SecretField,
} from '../../contract/cloud.js'
import { reportedProviderNames } from '../../contract/reported-cloud.js'
import type { ServiceVersion } from '../../contract/versions.js'
import { anyText, buildRecord, buildReference, describeField } from '../fields.js'
import { buildCondition, type JsonSchema, markAsRule } from '../json-schema.js'
import { secretReference, textOrReference } from './references.js'
import { buildProviderSnippets } from './snippets.js'

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
export function buildCloudDefinitions(version: ServiceVersion): { readonly [name: string]: JsonSchema } {
  const types = listCredentialTypes(version)
  const connection = listAllConnectionFields(version)
  return {
    CloudProvider: describeField('This is the cloud storage at one provider.', section, {
      defaultSnippets: buildProviderSnippets(version),
      ...buildRecord(
        {
          name: describeField(cloudFields.name, section, {
            ...anyText,
            examples: Object.values(reportedProviderNames),
          }),
          credential: buildReference('Credential'),
          cloudServices: describeField(cloudFields.cloudServices, section, {
            type: 'array',
            items: buildReference('CloudService'),
            minItems: 1,
          }),
        },
        ['name', 'credential', 'cloudServices'],
      ),
      allOf: types.map(type => buildConnection(type, version)),
    }),
    Credential: describeField(cloudFields.credential, section, {
      ...buildRecord(
        {
          type: describeField(
            'The credential is of this type, which determines the fields of `secret` and of `connection`.',
            section,
            {
              'x-open': 'text',
              enum: types,
              enumDescriptions: types.map(type => describeCredentialType(type, version)),
            },
          ),
          secret: describeField(
            'The credential consists of these parts, which its type determines.',
            section,
            {
              type: 'object',
              'x-open': 'secret',
              properties: buildSecretProperties(types.flatMap(name => findCredentialType(name).secret)),
            },
          ),
          ...buildTextFields(types.flatMap(name => findCredentialType(name).beside ?? [])),
        },
        ['type'],
      ),
      allOf: [
        markAsRule('cloud/secret-fields', {
          type: 'object',
          discriminator: { propertyName: 'type' },
          required: ['type'],
          oneOf: types.map(buildCredential),
        }),
      ],
    }),
    CloudService: describeField(
      'This is one storage service of the provider.',
      section,
      buildRecord(
        {
          name: describeField(cloudServiceFields.name.meaning, section, { ...anyText, examples: ['AWS S3'] }),
          type: buildDocumentedField('type'),
          usage: buildDocumentedField('usage'),
          category: buildDocumentedField('category'),
          connection: buildReference('Connection'),
        },
        ['name', 'connection'],
      ),
    ),
    Connection: describeField(cloudServiceFields.connection.meaning, section, {
      'x-open': 'text',
      ...buildRecord(buildTextFields(connection), []),
    }),
  }
}

/** Creates a field with its one documented value as default; the document does not show whether others exist. */
function buildDocumentedField(name: 'type' | 'usage' | 'category'): JsonSchema {
  const { meaning, value } = cloudServiceFields[name]
  return describeField(meaning, section, { ...anyText, default: value })
}

function listAllConnectionFields(version: ServiceVersion): readonly ConnectionField[] {
  return [...new Set(listCredentialTypes(version).flatMap(type => listConnectionFields(type, version)))]
}

function findCredentialType(name: CredentialTypeName): CredentialType {
  return credentialTypes[name]
}

function buildTextFields(fields: readonly ConnectionField[]): JsonSchema['properties'] & {} {
  return Object.fromEntries(
    fields.map(({ name, meaning, reported }) => {
      const examples = [exampleTexts[name] ?? 'prod']
      return [name, describeField(meaning, reported?.source ?? section, { ...anyText, examples })]
    }),
  )
}

function buildSecretProperties(fields: readonly SecretField[]): JsonSchema['properties'] & {} {
  return Object.fromEntries(
    fields.map(({ name, confidential, meaning }) => [
      name,
      describeField(meaning, section, confidential ? secretReference : textOrReference),
    ]),
  )
}

/** Describes a credential type with its fields. */
function describeCredentialType(name: CredentialTypeName, version: ServiceVersion): string {
  const { meaning, secret, beside = [], reported } = findCredentialType(name)
  const connection = listConnectionFields(name, version)
    .map(entry => entry.name)
    .join(', ')
  const others = beside.map(entry => `Beside it: ${entry.name}. `).join('')
  const parts = secret.map(entry => entry.name).join(', ')
  const source = reported === undefined ? '' : ` ${reported.source}.`
  return `${meaning} ${parts === '' ? '' : `Secret: ${parts}. `}${others}Connection: ${connection}.${source}`
}

function buildCredential(name: CredentialTypeName): JsonSchema {
  const { secret, meaning, beside = [], reported } = findCredentialType(name)
  const type = describeField(meaning, reported?.source ?? section, { const: name })
  const names = (fields: readonly { readonly name: string }[]) => fields.map(entry => entry.name)
  const parts =
    secret.length === 0 ? {} : { secret: buildRecord(buildSecretProperties(secret), names(secret)) }
  return {
    title: `${name} credential`,
    ...buildRecord({ type, ...parts, ...buildTextFields(beside) }, [
      'type',
      ...Object.keys(parts),
      ...names(beside),
    ]),
  }
}

/** Builds the schema of the connection of one credential type. */
function buildConnection(name: CredentialTypeName, version: ServiceVersion): JsonSchema {
  const fields = listConnectionFields(name, version)
  const foreign = listAllConnectionFields(version).filter(
    candidate => !fields.some(({ name }) => name === candidate.name),
  )
  const connection: JsonSchema = {
    required: [fields[0].name],
    properties: Object.fromEntries(foreign.map(entry => [entry.name, false] as const)),
  }
  const services: JsonSchema = { items: { properties: { connection } } }
  return buildCondition(
    { properties: { credential: { properties: { type: { const: name } }, required: ['type'] } } },
    markAsRule('cloud/connection-fields', { properties: { cloudServices: services } }),
  )
}
