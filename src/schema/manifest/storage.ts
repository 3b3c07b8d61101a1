import { dataStoreFields, fileServerFields } from '../../contract/data-stores.js'
import { ignoredBesideCloudStorage, reportedContents, smallestSizes } from '../../contract/field-notes.js'
import { subdomainForm } from '../../contract/kubernetes.js'
import { quantityCharacters, quantityForm, zeroForm } from '../../contract/quantity.js'
import {
  componentMeanings,
  documentedProvisioningType,
  type VolumeComponent,
  volumeComponents,
  volumeFields,
} from '../../contract/volumes.js'
import { anyText, buildRecord, buildReference, buildText, describeField } from '../fields.js'
import { type JsonSchema, markAsRule } from '../json-schema.js'
import { buildParameterField } from './contract-fields.js'
import { dataStoreSnippet, volumesSnippet } from './snippets.js'

const fileServerExamples: Readonly<Record<keyof typeof fileServerFields, string>> = {
  fileServerHost: 'nfs.example.org',
  fileServerType: 'NFS',
  fileServerPath: '/export/imagery',
}

/** Inlined for each component with its description, because a description beside a reference would be ignored. */
function buildVolume(component: VolumeComponent): JsonSchema {
  const smallest = smallestSizes[component]
  const unused = component === ignoredBesideCloudStorage ? ', and is ignored beside cloud storage' : ''
  return describeField(
    `${componentMeanings[component]} Reported: it ${reportedContents[component]}, on at least \`${smallest}\`${unused}.`,
    'Service §2.4; reported: deployment guides',
    {
      'x-shape': 'Volume',
      ...buildRecord(
        {
          provisioningType: describeField(volumeFields.provisioningType, 'Service §2.4', {
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
          storageClass: describeField(volumeFields.storageClass, 'Service §2.4', {
            ...anyText,
            maxLength: subdomainForm.longest,
            allOf: [buildText('volume/storage-class', subdomainForm)],
            examples: ['gp3'],
          }),
          labels: buildReference('Labels'),
        },
        ['size', 'storageClass'],
      ),
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
