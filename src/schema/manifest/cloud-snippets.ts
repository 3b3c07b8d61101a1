import {
  type ConnectionField,
  type CredentialType,
  type CredentialTypeName,
  connectionFields,
  credentialTypes,
  listCredentialTypes,
} from '../../contract/cloud.js'
import { findReportedCloud, reportedProviderNames } from '../../contract/reported-cloud.js'
import type { ServiceVersion } from '../../contract/versions.js'
import type { Snippet } from '../json-schema.js'

const connectionValues: Readonly<Record<string, string>> = {
  bucketName: 'gis-objects',
  containerName: 'gis-objects',
  region: 'eu-west-1',
  rootDir: 'prod',
}

/** Creates a snippet for each credential type of a version, with the fields of every version. Service §2.5. */
export function buildProviderSnippets(version: ServiceVersion): readonly Snippet[] {
  return listCredentialTypes(version).map(buildProviderSnippet)
}

function buildProviderSnippet(type: CredentialTypeName): Snippet {
  const { provider, secret, meaning, beside = [] }: CredentialType = credentialTypes[type]
  const parts = secret.map(({ name, confidential }, index) => {
    const variable = name.replaceAll(/[A-Z]/g, letter => `_${letter}`).toUpperCase()
    return [
      name,
      confidential ? `{ env: LANDFORM_\${${index + 1}:${variable}} }` : `\${${index + 1}:account}`,
    ]
  })
  const others = beside.map(({ name }, index) => [name, `\${${parts.length + index + 1}:client-id}`])
  const before = parts.length + others.length
  const connection = connectionFields[provider]
    .filter((one: ConnectionField) => one.reported === undefined)
    .map(({ name }, index) => [name, `\${${before + index + 1}:${connectionValues[name]}}`])
  return {
    label: `cloud storage with ${type}`,
    description: meaning,
    body: {
      name: reportedProviderNames[provider],
      credential: {
        type,
        ...Object.fromEntries(others),
        ...(parts.length > 0 && { secret: Object.fromEntries(parts) }),
      },
      cloudServices: [
        { name: findReportedCloud(provider).service, connection: Object.fromEntries(connection) },
      ],
    },
  }
}
