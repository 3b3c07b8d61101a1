import { cloudServiceFields, wireName } from '../../contract/cloud.js'
import {
  recommendedLabels,
  reportedClouds,
  reportedLogLevels,
  reportedProviderNames,
  reportedSystemProperties,
  reportedUserTypes,
  smallestSizes,
} from '../../contract/field-notes.js'
import type { ParameterName } from '../../contract/operations.js'
import { defaultProfile } from '../../contract/profiles.js'
import { questionIndex } from '../../contract/questions.js'
import { logLevelField, profileField, volumesWrapper } from '../../contract/structures.js'
import { documentedProvisioningType, volumeComponents } from '../../contract/volumes.js'
import type { JsonObject, JsonValue } from '../json-schema.js'

const aws = reportedClouds.aws

const volumes = volumeComponents.map(component => ({
  provisioningType: documentedProvisioningType,
  component,
  size: smallestSizes[component],
  storageClass: aws.storageClass,
  labels: recommendedLabels[component],
}))

const spelled = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [wireName('ACCESS-KEY', name), value]))

const { type, usage, category } = cloudServiceFields
const provider: JsonObject = {
  name: reportedProviderNames.bucket,
  credential: {
    type: 'ACCESS-KEY',
    secret: spelled({ secretKey: 'not-a-real-secret', accessKey: 'not-a-real-key' }),
  },
  cloudServices: [
    {
      name: aws.service,
      type: type.value,
      usage: usage.value,
      category: category.value,
      connection: spelled({ bucketName: 'gis-objects', region: 'eu-west-1', rootDir: 'prod' }),
    },
  ],
}

const store: JsonObject = {
  clientPath: '/data/imagery',
  type: 'folder',
  info: { fileServerHost: 'nfs.example.org', fileServerType: 'NFS', fileServerPath: '/export/imagery' },
}

/** A `configure` request with every parameter but `f`. Sizes and labels are what public sources report. Service §4.3. */
export const configureExample: Readonly<Record<Exclude<ParameterName<'configure'>, 'f'>, JsonValue>> = {
  username: 'siteadmin',
  password: 'not-a-real-password-1',
  email: 'admin@example.org',
  fullName: 'Ada Admin',
  firstName: 'Ada',
  lastName: 'Admin',
  description: 'Initial administrator',
  securityQuestionIdx: questionIndex('What is your dream job?'),
  securityQuestionAns: 'not a real answer',
  userLicenseTypeId: reportedUserTypes[0],
  licenseFile: 'the bytes of the file',
  volumesConfig: JSON.stringify({ [volumesWrapper]: volumes }),
  cloudConfig: JSON.stringify([provider]),
  logSettings: JSON.stringify({ [logLevelField]: reportedLogLevels[2] }),
  systemProperties: JSON.stringify({ [reportedSystemProperties[0]]: 1800 }),
  systemArchitectureProfile: JSON.stringify({ [profileField]: defaultProfile }),
  folderPathsToRegister: '/data/vectors',
  userManagedStores: JSON.stringify([store]),
}
