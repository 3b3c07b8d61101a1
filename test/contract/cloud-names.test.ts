import type { ProviderKind } from '../../src/contract/cloud.js'
import { cloudNames, findPlaceDoubts, isAcceptedName } from '../../src/contract/cloud-names.js'

const long = (length: number) => 'a'.repeat(length)

/** For each provider and field, names as in the provider's documentation: first valid ones, then invalid ones. */
const names: readonly (readonly [ProviderKind, string, readonly string[], readonly string[]])[] = [
  [
    'bucket',
    'bucketName',
    ['amzn-s3-demo-bucket', 'example.com', '2my-s3-bucket', 'log-delivery-march-2020', 'abc', long(63)],
    [
      'ab',
      long(64),
      'GIS',
      'gis_objects',
      '-gis',
      'gis-',
      'a..b',
      '192.168.5.4',
      'xn--gis',
      's3://gis',
      'gis/prod',
    ],
  ],
  [
    'bucket',
    'bucketName',
    ['gis-abcd1234efgh-s3alias', 'arn:aws:s3:us-west-2:123456789012:accesspoint/gis'],
    ['arn:aws:s3:::gis', 'https://gis.s3.amazonaws.com'],
  ],
  [
    'bucket',
    'region',
    [
      'us-east-1',
      'eu-central-2',
      'us-gov-west-1',
      'cn-north-1',
      'ap-southeast-5',
      'us-iso-east-1',
      'eusc-de-east-1',
    ],
    ['US East', 'eu_west_1', 'Frankfurt', 'eu-west', 'useast1', 's3.eu-west-1.amazonaws.com'],
  ],
  [
    'bucket',
    'regionEndpointUrl',
    ['https://s3.eu-west-1.amazonaws.com', 'https://minio.example.org:9000', 'http://minio'],
    ['s3.eu-west-1.amazonaws.com', 'https://minio.example.org/', 'https://minio.example.org/gis', 's3://gis'],
  ],
  [
    'bucket',
    'rootDir',
    ['prod', 'gis/prod', '/prod', 'prod/', 'Größe', 'my folder', 'a=b/c+d', 'v1.2'],
    ['s3://gis/prod', 'a//b', '..', 'a/../b', './a', 'C:\\gis', ''],
  ],
  [
    'container',
    'containerName',
    ['my-container', 'container1', '$root', '123', long(63)],
    ['ab', long(64), 'Container', 'my_container', 'my--container', '-a1', 'a1-', 'my.container', '$logs2'],
  ],
  [
    'container',
    'storageAccountName',
    ['gisobjects', 'abc', '1234567890', long(24)],
    ['ab', long(25), 'gis-objects', 'GisObjects', 'gis.objects', 'gisobjects.blob.core.windows.net'],
  ],
  [
    'container',
    'accountEndpointUrl',
    [
      'https://gis1.blob.core.windows.net',
      'https://gis1.blob.core.usgovcloudapi.net',
      'https://gis1.z6.blob.storage.azure.net',
    ],
    [
      'https://gis1.blob.core.windows.net/',
      'https://gis1.blob.core.windows.net/objects',
      'gis1.blob.core.windows.net',
    ],
  ],
  [
    'container',
    'managedIdentityClientId',
    ['6b9f3d2c-1a2b-4c5d-8e9f-0a1b2c3d4e5f', '6B9F3D2C-1A2B-4C5D-8E9F-0A1B2C3D4E5F'],
    ['gis-identity', '6b9f3d2c1a2b4c5d8e9f0a1b2c3d4e5f', '/subscriptions/1/resourceGroups/gis'],
  ],
  [
    'regionless-bucket',
    'bucketName',
    [
      'my-travel-maps',
      '0f75d593-8e7b-4418-a5ba-cb2970f0b91e',
      'my_bucket',
      'maps.example.org',
      `${long(60)}.${long(60)}`,
    ],
    [
      'ab',
      long(64),
      'Maps',
      'goog-maps',
      'my-google-maps',
      '_maps',
      'maps-',
      '192.168.5.4',
      'gs://maps',
      'a..b',
    ],
  ],
]

test.each(names)("a %s accepts the provider's names as its %s", (kind, field, accepted, rejected) => {
  const grammar = cloudNames[kind][field]
  if (grammar === undefined) throw new Error(`${field} has no rule`)
  const isAccepted = (name: string) => isAcceptedName(grammar, field, name, undefined)
  expect(accepted.filter(name => !isAccepted(name))).toEqual([])
  expect(rejected.filter(isAccepted)).toEqual([])
  expect(isAccepted(grammar.example)).toBe(true)
})

test('self-hosted storage accepts other names and regions, Amazon does not', () => {
  const { bucketName, region } = cloudNames.bucket
  if (bucketName === undefined || region === undefined) throw new Error('a bucket has both')
  const accepts = (endpoint: string) => [
    isAcceptedName(bucketName, 'bucketName', 'GIS_Objects', endpoint),
    isAcceptedName(region, 'region', 'default', endpoint),
  ]
  expect(accepts('https://minio.example.org:9000')).toEqual([true, true])
  expect(accepts('https://s3.eu-west-1.amazonaws.com')).toEqual([false, false])
})

test.each([
  [{ region: 'us-east-1a' }, undefined, ['zone']],
  [
    { region: 'us-east-1', regionEndpointUrl: 'https://s3.eu-west-1.amazonaws.com' },
    undefined,
    ['other-region'],
  ],
  [{ region: 'eu-west-1', regionEndpointUrl: 'https://s3.eu-west-1.amazonaws.com' }, undefined, []],
  [{ region: 'eu-west-1', regionEndpointUrl: 'https://minio.example.org' }, undefined, []],
  [{ accountEndpointUrl: 'https://gis2.blob.core.windows.net' }, 'gis1', ['other-account']],
  [{ accountEndpointUrl: 'https://gis1.blob.core.windows.net' }, 'gis1', []],
  [{ accountEndpointUrl: 'https://gis2.blob.core.windows.net' }, { env: 'LANDFORM_ACCOUNT' }, []],
])('%j with the account %j: %j', (connection, account, kinds) => {
  expect([...findPlaceDoubts(connection, account)].map(({ kind }) => kind)).toEqual(kinds)
})
