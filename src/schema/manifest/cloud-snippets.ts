import {
  type CredentialType,
  type CredentialTypeName,
  connectionFields,
  credentialTypeNames,
  credentialTypes,
} from '../../contract/cloud.js'
import { reportedCloudOf, reportedProviderNames } from '../../contract/field-notes.js'
import type { Snippet } from '../json-schema.js'

const connectionValues: Readonly<Record<string, string>> = {
  bucketName: 'gis-objects',
  containerName: 'gis-objects',
  region: 'eu-west-1',
  rootDir: 'prod',
}

/** One provider for each credential type, with the fields that go with it. Service §2.5. */
export const providerSnippets: readonly Snippet[] = credentialTypeNames.map(providerSnippet)

function providerSnippet(type: CredentialTypeName): Snippet {
  const { provider, secret, meaning }: CredentialType = credentialTypes[type]
  const parts = secret.map(({ name, confidential }, index) => {
    const variable = name.replaceAll(/[A-Z]/g, letter => `_${letter}`).toUpperCase()
    return [
      name,
      confidential ? `{ env: LANDFORM_\${${index + 1}:${variable}} }` : `\${${index + 1}:account}`,
    ]
  })
  const connection = connectionFields[provider].map(({ name }, index) => [
    name,
    `\${${parts.length + index + 1}:${connectionValues[name]}}`,
  ])
  return {
    label: `cloud storage with ${type}`,
    description: meaning,
    body: {
      name: reportedProviderNames[provider],
      credential: { type, ...(parts.length > 0 && { secret: Object.fromEntries(parts) }) },
      cloudServices: [
        { name: reportedCloudOf(provider).service, connection: Object.fromEntries(connection) },
      ],
    },
  }
}
