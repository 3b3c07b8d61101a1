import { cloudServiceFields, findWireName } from '../../contract/cloud.js'
import { recommendedLabels, smallestSizes } from '../../contract/field-notes.js'
import { isQuirk, type Quirk } from '../../contract/field-row.js'
import { type Field, listFields } from '../../contract/fields.js'
import { findQuestionIndex } from '../../contract/questions.js'
import { reportedClouds, reportedProviderNames } from '../../contract/reported-cloud.js'
import { volumesWrapper } from '../../contract/structures.js'
import { documentedProvisioningType, volumeComponents } from '../../contract/volumes.js'
import type { JsonObject, JsonValue } from '../json-schema.js'
import { formatSent } from './sent-text.js'

const aws = reportedClouds.aws

const volumes = volumeComponents.map(component => ({
  provisioningType: documentedProvisioningType,
  component,
  size: smallestSizes[component],
  storageClass: aws.storageClass,
  labels: recommendedLabels[component],
}))

const spellFields = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [findWireName('ACCESS-KEY', name), value]))

const { type, usage, category } = cloudServiceFields
const provider: JsonObject = {
  name: reportedProviderNames.bucket,
  credential: {
    type: 'ACCESS-KEY',
    secret: spellFields({ secretKey: 'not-a-real-secret', accessKey: 'not-a-real-key' }),
  },
  cloudServices: [
    {
      name: aws.service,
      type: type.value,
      usage: usage.value,
      category: category.value,
      connection: spellFields({ bucketName: 'gis-objects', region: 'eu-west-1', rootDir: 'prod' }),
    },
  ],
}

const store: JsonObject = {
  clientPath: '/data/imagery',
  type: 'folder',
  info: { fileServerHost: 'nfs.example.org', fileServerType: 'NFS', fileServerPath: '/export/imagery' },
}

const quirkExamples: Readonly<Record<Quirk, JsonValue>> = {
  question: findQuestionIndex('What is your dream job?'),
  volumes: JSON.stringify({ [volumesWrapper]: volumes }),
  cloudStorage: JSON.stringify([provider]),
  folders: '/data/vectors',
  dataStores: JSON.stringify([store]),
}

/** Creates a `configure` request with every parameter except `f`. Sizes and labels are from public sources. Service §4.3. */
export const configureExample: Readonly<Record<string, JsonValue>> = Object.fromEntries(
  listFields('configure')
    .filter(({ source }) => source !== 'reported')
    .map(field => [field.name, buildExample(field)]),
)

function buildExample({ shape, sent }: Field): JsonValue {
  if (isQuirk(sent)) return quirkExamples[sent]
  if (shape.kind === 'file') return 'the bytes of the file'
  return formatSent(sent, shape.kind === 'choice' ? shape.default : 'example' in shape ? shape.example : {})
}
