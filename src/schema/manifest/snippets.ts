import {
  type ConnectionField,
  type CredentialType,
  type CredentialTypeName,
  connectionFields,
  credentialTypes,
  findReportedCloud,
  listCredentialTypes,
  reportedProviderNames,
} from '../../contract/cloud.js'
import {
  mergedUserTypes,
  recommendedLabels,
  serverLicenseBefore,
  smallestSizes,
} from '../../contract/field-notes.js'
import { defaultProfile, profileNames, reportedProfiles } from '../../contract/profiles.js'
import { includes, type ServiceVersion } from '../../contract/versions.js'
import { volumeComponents } from '../../contract/volumes.js'
import { apiVersion, type JsonObject, kind, type Snippet } from '../json-schema.js'

const volumes: JsonObject = Object.fromEntries(
  volumeComponents.map(name => {
    const labels = Object.entries(recommendedLabels[name]).map(([key, value]) => `${key}: ${value}`)
    // All volumes share one placeholder: editors insert the text of the first in all of them.
    return [
      name,
      `{ size: ${smallestSizes[name]}, storageClass: \${1:gp3}, labels: { ${labels.join(', ')} } }`,
    ]
  }),
)

/** All eight volumes, with the smallest reported sizes and the recommended labels. */
export const volumesSnippet: Snippet = {
  label: 'volumes of all eight components',
  description: 'The volumes have the smallest reported sizes and the recommended labels.',
  body: volumes,
}

/** A site with every required field. */
export function buildManifestSnippet(version: ServiceVersion): Snippet {
  return {
    label: 'a whole manifest',
    description: 'This is one site, with every required field.',
    body: {
      apiVersion,
      kind,
      metadata: { name: `\${2:gis}` },
      spec: {
        site: {
          url: `\${3:https://gis.example.org/arcgis/admin}`,
          version: `"\${4:${version}}"`,
          token: '{ env: LANDFORM_TOKEN }',
        },
        license: {
          file: `\${5:licenses/site.json}`,
          ...(!includes(version, serverLicenseBefore) && { serverFile: 'licenses/server.ecp' }),
        },
        administrator: {
          username: `\${6:siteadmin}`,
          password: '{ env: LANDFORM_ADMIN_PASSWORD }',
          email: `\${7:admin@example.org}`,
          fullName: `\${8:Site Administrator}`,
          userType: `\${9:${mergedUserTypes.into}}`,
          securityQuestion: { index: `\${10:13}`, answer: '{ env: LANDFORM_SECURITY_ANSWER }' },
        },
        ...(includes(version, reportedProfiles.since)
          ? {
              deploymentProfiles: {
                // Only the site shows the names of the parameters. `validate` rejects these placeholders.
                availability: {
                  name: `\${11|standard,development,enhanced|}`,
                  parameter: `\${12:CHANGE-ME}`,
                },
                performance: { name: `\${13|standard,enhanced|}`, parameter: `\${14:CHANGE-ME}` },
              },
            }
          : {
              profile: `\${11|${[defaultProfile, ...profileNames.filter(name => name !== defaultProfile)].join(',')}|}`,
            }),
        volumes,
      },
    },
  }
}

/** A manifest that extends another. */
export const overlaySnippet: Snippet = {
  label: 'a manifest that extends another',
  description: 'Only the differences from the base are written; null removes a value.',
  body: {
    apiVersion,
    kind,
    extends: `\${1:../base.yaml}`,
    metadata: { name: `\${2:production}` },
    spec: { site: { url: `\${3:https://gis.example.org/arcgis/admin}` } },
  },
}

/** A data store root on a network file share. Service §2.6. */
export const dataStoreSnippet: Snippet = {
  label: 'a data store on a file share',
  description: 'The service finds data stores below this root on a network file share.',
  body: {
    clientPath: `\${1:/data/imagery}`,
    type: `\${2:folder}`,
    info: {
      fileServerHost: `\${3:nfs.example.org}`,
      fileServerType: `\${4:NFS}`,
      fileServerPath: `\${5:/export/imagery}`,
    },
  },
}

/** The two ways to tolerate a taint. Service §4.4 rule 3. */
export const tolerationSnippets: readonly Snippet[] = [
  {
    label: 'a toleration of one taint',
    description: 'The pods tolerate a taint with this key, value and effect.',
    body: {
      key: `\${1:dedicated}`,
      operator: 'Equal',
      value: `\${2:upgrades}`,
      effect: `\${3|NoSchedule,NoExecute,PreferNoSchedule|}`,
    },
  },
  {
    label: 'a toleration of a key',
    description: 'The pods tolerate every taint with the key, with any value and effect.',
    body: { key: `\${1:dedicated}`, operator: 'Exists' },
  },
]

/** Comparisons with values and without. Service §2.7. */
export const expressionSnippets: readonly Snippet[] = [
  {
    label: 'a label with one of some values',
    description: 'The label of the node has one of the values, or none of them.',
    body: { key: `\${1:pool}`, operator: `\${2|In,NotIn|}`, values: `[\${3:upgrades}]` },
  },
  {
    label: 'a label that is there',
    description: 'The node has the label, or does not.',
    body: { key: `\${1:pool}`, operator: `\${2|Exists,DoesNotExist|}` },
  },
]

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
  const others = beside.map(({ name }, index) => [
    name,
    `\${${parts.length + index + 1}:00000000-0000-0000-0000-000000000000}`,
  ])
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
