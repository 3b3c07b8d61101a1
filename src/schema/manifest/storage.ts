import {
  type ConnectionField,
  type CredentialType,
  type CredentialTypeName,
  cloudFields,
  cloudServiceFields,
  credentialTypes,
  listConnectionFields,
  listCredentialTypes,
  reportedProviderNames,
  type SecretField,
} from '../../contract/cloud.js'
import {
  ignoredBesideCloudStorage,
  preparedProvisioningType,
  reportedContents,
  smallestSizes,
} from '../../contract/field-notes.js'
import { quantityCharacters, quantityForm, subdomainForm, zeroForm } from '../../contract/kubernetes.js'
import type { ServiceVersion } from '../../contract/versions.js'
import {
  componentMeanings,
  dataStoreFields,
  documentedProvisioningType,
  fileServerFields,
  type VolumeComponent,
  volumeComponents,
  volumeFields,
} from '../../contract/volumes.js'
import {
  anyText,
  buildRecord,
  buildReference,
  buildText,
  describeField,
  secretReference,
  textOrReference,
} from '../fields.js'
import { buildCondition, type JsonSchema, markAsRule } from '../json-schema.js'
import { buildParameterField } from './contract-fields.js'
import { buildProviderSnippets, dataStoreSnippet, volumesSnippet } from './snippets.js'

const fileServerExamples: Readonly<Record<keyof typeof fileServerFields, string>> = {
  fileServerHost: 'nfs.example.org',
  fileServerType: 'NFS',
  fileServerPath: '/export/imagery',
}

const section24 = 'Service §2.4; reported: deployment guides'

/** Public sources: no storage class provisions a volume that already exists. */
const isPrepared: JsonSchema = {
  properties: { provisioningType: { const: preparedProvisioningType } },
  required: ['provisioningType'],
}

/** Inlined for each component with its description, because a description beside a reference would be ignored. */
function buildVolume(component: VolumeComponent): JsonSchema {
  const smallest = smallestSizes[component]
  const unused = component === ignoredBesideCloudStorage ? ', and is ignored beside cloud storage' : ''
  return describeField(
    `${componentMeanings[component]} Reported: it ${reportedContents[component]}, on at least \`${smallest}\`${unused}.`,
    section24,
    {
      'x-shape': 'Volume',
      ...buildRecord(
        {
          provisioningType: describeField(volumeFields.provisioningType, section24, {
            ...anyText,
            default: documentedProvisioningType,
          }),
          size: describeField(volumeFields.size, 'Service §2.4', {
            type: 'string',
            'x-compare': 'quantity',
            maxLength: quantityCharacters,
            allOf: [
              markAsRule('volume/size', {
                pattern: quantityForm.source,
                patternErrorMessage: 'be a storage quantity with a unit suffix, such as 16Gi',
                not: { type: 'string', pattern: zeroForm.source },
              }),
            ],
            examples: [smallest],
          }),
          storageClass: describeField(volumeFields.storageClass, section24, {
            ...anyText,
            maxLength: subdomainForm.longest,
            allOf: [buildText('volume/storage-class', subdomainForm)],
            examples: ['gp3'],
          }),
          labels: buildReference('Labels'),
        },
        ['size'],
      ),
      ...buildCondition({ not: isPrepared }, { required: ['storageClass'] }),
    },
  )
}

/** Volumes and data stores. Service §2.4, §2.6. */
export function buildStorageDefinitions(): { readonly [name: string]: JsonSchema } {
  return {
    Volumes: buildParameterField('/spec/volumes', {
      ...buildRecord(Object.fromEntries(volumeComponents.map(name => [name, buildVolume(name)])), []),
      defaultSnippets: [volumesSnippet],
      allOf: [markAsRule('volume/missing-component', { required: volumeComponents })],
    }),
    DataStore: describeField('This is the root of a data store on a network file share.', 'Service §2.6', {
      defaultSnippets: [dataStoreSnippet],
      ...buildRecord(
        {
          clientPath: describeField(dataStoreFields.clientPath, 'Service §2.6', {
            ...anyText,
            examples: ['/data/imagery'],
          }),
          type: describeField(dataStoreFields.type, 'Service §2.6', { ...anyText, examples: ['folder'] }),
          info: buildReference('FileServer'),
        },
        ['clientPath', 'type', 'info'],
      ),
    }),
    FileServer: describeField(
      'The data store is on this file server.',
      'Service §2.6',
      buildRecord(
        Object.fromEntries(
          Object.entries(fileServerFields).map(([name, meaning]) => {
            const examples = [fileServerExamples[name as keyof typeof fileServerFields]]
            return [name, describeField(meaning, 'Service §2.6', { ...anyText, examples })]
          }),
        ),
        Object.keys(fileServerFields),
      ),
    ),
  }
}

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
