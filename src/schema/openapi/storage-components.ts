import { limits } from '../../contract/limits.js'
import { volumesWrapper } from '../../contract/structures.js'
import {
  componentMeanings,
  documentedProvisioningType,
  volumeComponents,
  volumeFields,
} from '../../contract/volumes.js'
import type { JsonObject } from '../json-schema.js'
import { buildStorageDefinitions } from '../manifest/storage.js'
import { amendSchema, buildChoice, buildComponentReference, convertRequest } from './wire-schema.js'

type Fields = Record<keyof typeof volumeFields, JsonObject>

const volumeSchemas: Fields = {
  provisioningType: {
    type: 'string',
    examples: [documentedProvisioningType],
    'x-not-shown': 'other values; the default',
  },
  component: buildChoice(componentMeanings),
  size: { type: 'string', examples: ['16Gi'], 'x-not-shown': 'the unit suffixes' },
  storageClass: { type: 'string' },
  labels: {
    type: 'object',
    additionalProperties: { type: 'string' },
    'x-not-shown': 'the keys of the tier label and of the app label',
  },
}

const { DataStore = {}, FileServer = {} } = buildStorageDefinitions()

/** Builds the schemas of volumes and data stores in `configure`. Service §2.4, §2.6. */
export const storageComponents: Readonly<Record<string, JsonObject>> = {
  VolumesConfig: {
    description: 'Storage of the eight persistent volumes, one entry for each component.',
    type: 'object',
    properties: {
      [volumesWrapper]: {
        type: 'array',
        items: buildComponentReference('Volume'),
        minItems: limits.volumes,
        maxItems: limits.volumes,
        allOf: volumeComponents.map(name => ({
          contains: { type: 'object', properties: { component: { const: name } }, required: ['component'] },
        })),
      },
    },
    required: [volumesWrapper],
    'x-service-section': '4.3',
  },
  Volume: {
    description: 'One persistent volume.',
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(volumeSchemas).map(([name, schema]) => [
        name,
        { description: volumeFields[name as keyof Fields], ...schema },
      ]),
    ),
    'x-service-section': '2.4',
    'x-not-shown': 'which fields are optional',
  },
  UserManagedStores: {
    description: 'The service finds data stores in these roots on a network file share.',
    type: 'array',
    items: buildComponentReference('DataStore'),
    'x-service-section': '2.6',
  },
  DataStore: amendSchema(convertRequest(DataStore), { type: { 'x-not-shown': 'the allowed values' } }),
  FileServer: amendSchema(convertRequest(FileServer), {
    fileServerType: { 'x-not-shown': 'the allowed values' },
  }),
}
