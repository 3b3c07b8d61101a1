import type { connectionStringFields } from '../../contract/export-site-parameters.js'
import { profileMeanings } from '../../contract/profiles.js'
import { logLevelField, profileField } from '../../contract/structures.js'
import type { JsonObject } from '../json-schema.js'
import { buildPlacementDefinitions } from '../manifest/placement.js'
import { buildChoice, convertRequest } from './wire-schema.js'

const connection: Record<(typeof connectionStringFields)[number], JsonObject> = {
  accountName: { description: 'Name of the account.', type: 'string' },
  accountKey: { description: 'Key of the account.', type: 'string', writeOnly: true, format: 'password' },
  accountEndpoint: { description: 'Endpoint of the account.', type: 'string' },
}

const { Upgrade = {}, NodeAffinity = {}, ...placement } = buildPlacementDefinitions()

/** Builds the schemas of the other JSON parameters. The placement policy is sent as in a manifest. Service §2.7, §4.1, §4.3. */
export const settingsComponents: Readonly<Record<string, JsonObject>> = {
  LogSettings: {
    description: 'The service logs at this level while it creates the organization.',
    type: 'object',
    properties: {
      [logLevelField]: { type: 'string', 'x-not-shown': 'the level values; the default' },
    },
    'x-service-section': '2.7',
  },
  SystemProperties: {
    description: 'System properties by name.',
    type: 'object',
    'x-service-section': '4.3',
    'x-not-shown': 'the names of the properties',
  },
  ArchitectureProfile: {
    description: 'Redundancy and hardware of the deployment.',
    type: 'object',
    properties: { [profileField]: buildChoice(profileMeanings) },
    required: [profileField],
    'x-service-section': '2.7',
  },
  ContainerConnection: {
    description: 'Connection to the backup container.',
    type: 'object',
    properties: connection,
    'x-service-section': '4.1',
    'x-not-shown': 'which fields are optional',
  },
  UpgradeConfig: convertRequest(Upgrade),
  // The only object that is documented to have no other fields.
  NodeAffinity: { ...convertRequest(NodeAffinity), additionalProperties: false },
  ...Object.fromEntries(Object.entries(placement).map(([name, schema]) => [name, convertRequest(schema)])),
}
