import {
  type CredentialType,
  type CredentialTypeName,
  cloudFields,
  cloudServiceFields,
  credentialTypeNames,
  credentialTypes,
  findWireName,
  listConnectionFields,
} from '../../contract/cloud.js'
import { newestVersion } from '../../contract/versions.js'
import type { JsonObject } from '../json-schema.js'
import { buildComponentReference } from './wire-schema.js'

const section = { 'x-service-section': '2.5' } as const
const leftOut = { 'x-not-shown': 'which fields are optional' } as const

/** Builds the schemas of cloud storage in `configure`: one for each credential type, with its own spellings. Service §2.5. */
export const cloudComponents: Readonly<Record<string, JsonObject>> = {
  CloudConfig: {
    description: 'The site keeps its objects in this cloud storage; each provider has one entry.',
    type: 'array',
    items: { oneOf: credentialTypeNames.map(type => buildComponentReference(formatProviderName(type))) },
    ...section,
  },
  ...Object.fromEntries(credentialTypeNames.map(type => [formatProviderName(type), buildProvider(type)])),
}

/** Formats the name of the schema for one credential type, such as `IamRoleProvider`. */
export function formatProviderName(type: CredentialTypeName): string {
  return `${type.toLowerCase().replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Provider`
}

function buildProvider(type: CredentialTypeName): JsonObject {
  const { meaning }: CredentialType = credentialTypes[type]
  return {
    description: `Cloud storage with \`${type}\`: ${meaning}`,
    type: 'object',
    properties: {
      name: { description: cloudFields.name, type: 'string' },
      credential: buildCredential(type),
      cloudServices: {
        description: cloudFields.cloudServices,
        type: 'array',
        items: buildService(type),
      },
    },
    required: ['credential'],
    ...section,
    'x-not-shown': 'which other fields are optional',
  }
}

function buildCredential(type: CredentialTypeName): JsonObject {
  const { secret }: CredentialType = credentialTypes[type]
  const named = { const: type }
  const parts = secret.map(({ name, confidential, meaning }) => [
    findWireName(type, name),
    {
      description: meaning,
      type: 'string',
      ...(confidential ? { writeOnly: true, format: 'password' } : {}),
    },
  ])
  const secretPart: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(parts),
    required: parts.map(([name]) => String(name)),
  }
  return {
    description: cloudFields.credential,
    type: 'object',
    properties: secret.length === 0 ? { type: named } : { type: named, secret: secretPart },
    required: secret.length === 0 ? ['type'] : ['type', 'secret'],
    ...(secret.length === 0 ? { not: { required: ['secret'] } } : {}),
  }
}

function buildService(type: CredentialTypeName): JsonObject {
  const { connection, ...others } = cloudServiceFields
  const places = listConnectionFields(type, newestVersion).map(({ name, meaning }) => [
    findWireName(type, name),
    { description: meaning, type: 'string' },
  ])
  const fields = Object.entries<{ readonly meaning: string; readonly value?: string }>(others).map(
    ([name, { meaning, value }]) => [
      name,
      {
        description: meaning,
        type: 'string',
        ...(value === undefined ? {} : { examples: [value], 'x-not-shown': 'other values' }),
      },
    ],
  )
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields),
      connection: {
        description: connection.meaning,
        type: 'object',
        properties: Object.fromEntries(places),
        ...leftOut,
      },
    },
    ...leftOut,
  }
}
