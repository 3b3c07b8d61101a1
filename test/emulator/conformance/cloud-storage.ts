import { accepts, refuses } from './cases.js'
import { configure, type Fields } from './requests.js'
import type { Case, Section } from './sentence.js'

/** For each credential type, the fields of its secret and of its connection, spelled as in the document. */
const credentials = {
  'IAM-ROLE': { secret: [], connection: ['bucketName', 'region', 'rootDir'] },
  'ACCESS-KEY': { secret: ['secret_key', 'access_key'], connection: ['bucket_name', 'region', 'rootDir'] },
  'MANAGED-IDENTITY': { secret: ['storageAccountName'], connection: ['containerName', 'rootDir'] },
  'STORAGE-ACCOUNT-KEY': {
    secret: ['storageAccountName', 'storageAccountKey'],
    connection: ['containerName', 'rootDir'],
  },
  'HMAC-KEYS': { secret: ['secretKey', 'accessKey'], connection: ['bucketName', 'rootDir'] },
} as const

type Type = keyof typeof credentials
const types = Object.keys(credentials) as Type[]

const texts = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, 'some-text']))

const storageService = (type: Type, changes: Fields = {}): Fields => ({
  name: 'Objects',
  type: 'objectStore',
  usage: 'DEFAULT',
  category: 'storage',
  connection: texts(credentials[type].connection),
  ...changes,
})

const provider = (type: Type, changes: Fields = {}): Fields => ({
  name: 'Cloud',
  credential: { type, ...(type !== 'IAM-ROLE' && { secret: texts(credentials[type].secret) }) },
  cloudServices: [storageService(type)],
  ...changes,
})

const cloud = (...providers: readonly unknown[]) => configure({ cloudConfig: JSON.stringify(providers) })

/** Returns a case for each kind of provider, with the same change. */
const everyProvider = (what: string, changes: (type: Type) => Fields, verdict: typeof accepts): Case[] =>
  types.map(type => [`${what} with ${type}`, verdict(cloud(provider(type, changes(type))))])

const everyService = (what: string, changes: Fields, verdict: typeof accepts): Case[] =>
  everyProvider(what, type => ({ cloudServices: [storageService(type, changes)] }), verdict)

const secretCases = (type: Type): readonly Case[] => {
  const { secret } = credentials[type]
  const withSecret = (value: unknown) =>
    refuses(cloud(provider(type, { credential: { type, secret: value } })))
  const others = types
    .flatMap(other => credentials[other].secret)
    .filter(name => !secret.some(own => own === name))
  return [
    ['is accepted', accepts(cloud(provider(type)))],
    ['is rejected without a secret', refuses(cloud(provider(type, { credential: { type } })))],
    ['is rejected with an empty secret', withSecret({})],
    ['is rejected with a secret that is text', withSecret('some-text')],
    ['is rejected with a secret that is null', withSecret(null)],
    ...secret.flatMap((name): Case[] => [
      [`is rejected without ${name}`, withSecret({ ...texts(secret), [name]: undefined })],
      [`is rejected with an empty ${name}`, withSecret({ ...texts(secret), [name]: '' })],
      [`is rejected with a number as ${name}`, withSecret({ ...texts(secret), [name]: 1 })],
    ]),
    ...[...new Set(others)].map(
      (name): Case => [`is rejected with ${name} as well`, withSecret({ ...texts(secret), [name]: 'x' })],
    ),
  ]
}

const connectionCases = (...wanted: readonly Type[]): readonly Case[] =>
  wanted.flatMap((type): Case[] => {
    const names = credentials[type].connection
    const withConnection = (value: unknown) =>
      refuses(cloud(provider(type, { cloudServices: [storageService(type, { connection: value })] })))
    const every = ['bucketName', 'bucket_name', 'containerName', 'region', 'rootDir']
    return [
      [`${names.join(', ')} with ${type}`, accepts(cloud(provider(type)))],
      [`${type} without ${names[0]} is rejected`, withConnection({ ...texts(names), [names[0]]: undefined })],
      ...names.flatMap((name): Case[] => [
        [`${type} with an empty ${name} is rejected`, withConnection({ ...texts(names), [name]: '' })],
        [`${type} with a number as ${name} is rejected`, withConnection({ ...texts(names), [name]: 1 })],
      ]),
      ...every
        .filter(name => !names.some(own => own === name))
        .map(
          (name): Case => [
            `${type} with ${name} is rejected`,
            withConnection({ ...texts(names), [name]: 'x' }),
          ],
        ),
    ]
  })

/** Cases for a field of a storage service that has one allowed value. */
const onlyValue = (name: string, value: string): readonly Case[] => [
  ...everyService(value, { [name]: value }, accepts),
  ...[
    undefined,
    null,
    '',
    value.toUpperCase() === value ? value.toLowerCase() : value.toUpperCase(),
    [value],
  ].map(
    (other): Case => [
      `${JSON.stringify(other) ?? 'nothing'} is rejected`,
      refuses(
        cloud(provider('IAM-ROLE', { cloudServices: [storageService('IAM-ROLE', { [name]: other })] })),
      ),
    ],
  ),
]

export const cloudStorage: Section = {
  section: '2.5',
  title: 'cloud storage configuration',
  sentences: [
    {
      says: 'a provider has a name',
      shown: [
        ...everyProvider('any name is accepted', () => ({ name: 'Any cloud' }), accepts),
        ...everyProvider('a missing name is rejected', () => ({ name: undefined }), refuses),
        ['an empty name is rejected', refuses(cloud(provider('IAM-ROLE', { name: '' })))],
        ['two providers are accepted', accepts(cloud(provider('IAM-ROLE'), provider('HMAC-KEYS')))],
        ['an empty list is accepted', accepts(cloud())],
        [
          'the second one is validated as well',
          refuses(cloud(provider('IAM-ROLE'), provider('HMAC-KEYS', { name: 1 }))),
        ],
        ['a provider that is a text is rejected', refuses(cloud('AWS'))],
        ['an unknown field is rejected', refuses(cloud(provider('IAM-ROLE', { region: 'eu-west-1' })))],
      ],
    },
    {
      says: 'its credential is an object with a type and, except for roles, a secret that is an object',
      shown: [
        ...everyProvider('a missing credential is rejected', () => ({ credential: undefined }), refuses),
        ...everyProvider('a text is rejected', type => ({ credential: type }), refuses),
        ...everyProvider(
          'a missing type is rejected',
          type => ({ credential: { secret: texts(credentials[type].secret) } }),
          refuses,
        ),
        ...['PASSWORD', 'iam-role', '', null, 1].map(
          (type): Case => [
            `the type ${JSON.stringify(type)} is rejected`,
            refuses(cloud(provider('IAM-ROLE', { credential: { type } }))),
          ],
        ),
      ],
    },
    {
      says: 'its cloudServices are an array of objects',
      shown: [
        ...everyProvider('one is accepted', () => ({}), accepts),
        ...everyProvider(
          'two are accepted',
          type => ({ cloudServices: [storageService(type), storageService(type, { name: 'More' })] }),
          accepts,
        ),
        ...everyProvider('a missing array is rejected', () => ({ cloudServices: undefined }), refuses),
        ...everyProvider('an object is rejected', type => ({ cloudServices: storageService(type) }), refuses),
        ...everyProvider('an array of texts is rejected', () => ({ cloudServices: ['x'] }), refuses),
      ],
    },
    {
      says: 'IAM-ROLE has no secret',
      shown: [
        ['is accepted without one', accepts(cloud(provider('IAM-ROLE')))],
        ...[{}, { accessKey: 'x' }, null].map(
          (secret): Case => [
            `is rejected with the secret ${JSON.stringify(secret)}`,
            refuses(cloud(provider('IAM-ROLE', { credential: { type: 'IAM-ROLE', secret } }))),
          ],
        ),
      ],
    },
    { says: 'ACCESS-KEY has secret_key and access_key', shown: secretCases('ACCESS-KEY') },
    { says: 'MANAGED-IDENTITY has storageAccountName', shown: secretCases('MANAGED-IDENTITY') },
    {
      says: 'STORAGE-ACCOUNT-KEY has storageAccountName and storageAccountKey',
      shown: secretCases('STORAGE-ACCOUNT-KEY'),
    },
    { says: 'HMAC-KEYS has secretKey and accessKey', shown: secretCases('HMAC-KEYS') },
    {
      says: 'a storage service has a name',
      shown: [
        ...everyService('any name is accepted', { name: 'Any store' }, accepts),
        ...everyService('a missing name is rejected', { name: undefined }, refuses),
        ...everyService('an empty name is rejected', { name: '' }, refuses),
        ...everyService('an unknown field is rejected', { size: '1Gi' }, refuses),
      ],
    },
    { says: 'its type is objectStore', shown: onlyValue('type', 'objectStore') },
    { says: 'its usage is DEFAULT', shown: onlyValue('usage', 'DEFAULT') },
    { says: 'its category is storage', shown: onlyValue('category', 'storage') },
    {
      says: 'its connection is an object with the fields of its kind of provider',
      shown: [
        ...everyService('a missing connection is rejected', { connection: undefined }, refuses),
        ...everyService('an empty connection is rejected', { connection: {} }, refuses),
        ...everyService('a text is rejected', { connection: 'bucket' }, refuses),
      ],
    },
    {
      says: 'an object storage has bucketName (bucket_name with access keys), region, rootDir',
      shown: connectionCases('IAM-ROLE', 'ACCESS-KEY'),
    },
    {
      says: 'a blob container has containerName and rootDir',
      shown: connectionCases('MANAGED-IDENTITY', 'STORAGE-ACCOUNT-KEY'),
    },
    {
      says: 'the third kind has bucketName and rootDir, and no region',
      shown: connectionCases('HMAC-KEYS'),
    },
  ],
}
