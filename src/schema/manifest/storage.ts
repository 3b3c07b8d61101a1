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
import { anyText, field, formed, record, reference } from '../fields.js'
import { type JsonSchema, saidByRule } from '../json-schema.js'
import { parameterField } from './contract-fields.js'
import { dataStoreSnippet, volumesSnippet } from './snippets.js'

const fileServerExamples: Readonly<Record<keyof typeof fileServerFields, string>> = {
  fileServerHost: 'nfs.example.org',
  fileServerType: 'NFS',
  fileServerPath: '/export/imagery',
}

/** Inlined for each component with its description, because a description beside a reference would be ignored. */
function volumeOf(component: VolumeComponent): JsonSchema {
  const smallest = smallestSizes[component]
  const unused = component === ignoredBesideCloudStorage ? ', and is ignored beside cloud storage' : ''
  return field(
    `${componentMeanings[component]} Reported: it ${reportedContents[component]}, on at least \`${smallest}\`${unused}.`,
    'Service §2.4; reported: deployment guides',
    {
      'x-shape': 'Volume',
      ...record(
        {
          provisioningType: field(volumeFields.provisioningType, 'Service §2.4', {
            ...anyText,
            default: documentedProvisioningType,
          }),
          size: field(volumeFields.size, 'Service §2.4', {
            type: 'string',
            'x-compare': 'quantity',
            maxLength: quantityCharacters,
            allOf: [
              saidByRule('volume/size', {
                pattern: quantityForm.source,
                patternErrorMessage: 'be a storage quantity with a unit suffix, such as 16Gi',
                not: { type: 'string', pattern: zeroForm.source },
              }),
            ],
            examples: [smallest],
          }),
          storageClass: field(volumeFields.storageClass, 'Service §2.4', {
            ...anyText,
            maxLength: subdomainForm.longest,
            allOf: [formed('volume/storage-class', subdomainForm)],
            examples: ['gp3'],
          }),
          labels: reference('Labels'),
        },
        ['size', 'storageClass'],
      ),
    },
  )
}

/** Volumes and data stores. Service §2.4, §2.6. */
export const storageDefinitions: { readonly [name: string]: JsonSchema } = {
  Volumes: parameterField('/spec/volumes', {
    ...record(Object.fromEntries(volumeComponents.map(name => [name, volumeOf(name)])), []),
    defaultSnippets: [volumesSnippet],
    allOf: [saidByRule('volume/missing-component', { required: volumeComponents })],
  }),
  DataStore: field('Root of a data store on a network file share.', 'Service §2.6', {
    defaultSnippets: [dataStoreSnippet],
    ...record(
      {
        clientPath: field(dataStoreFields.clientPath, 'Service §2.6', {
          ...anyText,
          examples: ['/data/imagery'],
        }),
        type: field(dataStoreFields.type, 'Service §2.6', { ...anyText, examples: ['folder'] }),
        info: reference('FileServer'),
      },
      ['clientPath', 'type', 'info'],
    ),
  }),
  FileServer: field(
    'The file server of the data store.',
    'Service §2.6',
    record(
      Object.fromEntries(
        Object.entries(fileServerFields).map(([name, meaning]) => {
          const examples = [fileServerExamples[name as keyof typeof fileServerFields]]
          return [name, field(meaning, 'Service §2.6', { ...anyText, examples })]
        }),
      ),
      Object.keys(fileServerFields),
    ),
  ),
}
