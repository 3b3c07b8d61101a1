import { buildCloudConfigCheck } from '../../../src/emulator/service/cloud-config.js'
import type { EmulatorJsonObject, Json } from '../../../src/emulator/service/json.js'

const service = (connection: EmulatorJsonObject, change: EmulatorJsonObject = {}): EmulatorJsonObject => ({
  name: 'Store',
  type: 'objectStore',
  usage: 'DEFAULT',
  category: 'storage',
  connection,
  ...change,
})

const provider = (
  credential: EmulatorJsonObject,
  ...cloudServices: readonly EmulatorJsonObject[]
): EmulatorJsonObject => ({
  name: 'Provider',
  credential,
  cloudServices,
})

const documented = buildCloudConfigCheck({ version: '11.2', fidelity: 'document' })
const reported = buildCloudConfigCheck({ version: '11.5', fidelity: 'field' })
const check = (...providers: readonly Json[]) => documented(providers, 'cloudConfig')

// Written out by hand from the tables of Service §2.5, so that a wrong contract shows here.
const spelled = [
  {
    type: 'IAM-ROLE',
    secret: undefined,
    connection: { bucketName: 'b', region: 'r', rootDir: 'd' },
  },
  {
    type: 'ACCESS-KEY',
    secret: { secret_key: 's', access_key: 'a' },
    connection: { bucket_name: 'b', region: 'r', rootDir: 'd' },
  },
  {
    type: 'MANAGED-IDENTITY',
    secret: { storageAccountName: 'n' },
    connection: { containerName: 'c', rootDir: 'd' },
  },
  {
    type: 'STORAGE-ACCOUNT-KEY',
    secret: { storageAccountName: 'n', storageAccountKey: 'k' },
    connection: { containerName: 'c', rootDir: 'd' },
  },
  {
    type: 'HMAC-KEYS',
    secret: { secretKey: 's', accessKey: 'a' },
    connection: { bucketName: 'b', rootDir: 'd' },
  },
] as const

const credentialOf = ({ type, secret }: (typeof spelled)[number]): EmulatorJsonObject =>
  secret === undefined ? { type } : { type, secret }

test.each(spelled)('$type is right as the document spells it', kind => {
  const { connection } = kind
  expect(check(provider(credentialOf(kind), service(connection)))).toBeUndefined()
})

test.each(spelled)('with $type only the bucket or container is needed to connect', kind => {
  const [[name, value] = ['', '']] = Object.entries(kind.connection)
  expect(check(provider(credentialOf(kind), service({ [name]: value })))).toBeUndefined()
  expect(check(provider(credentialOf(kind), service({ rootDir: 'd' })))).toMatch(/connection\.\w+ is missing/)
})

test.each(spelled)('with $type an unknown field in the connection is wrong', kind => {
  const connection = { ...kind.connection, zone: 'z' }
  expect(check(provider(credentialOf(kind), service(connection)))).toMatch(
    /cloudServices\[0\]\.connection has the unknown field "zone"/,
  )
})

test.each(spelled.filter(kind => kind.secret !== undefined))('with $type every secret is needed', kind => {
  for (const name of Object.keys(kind.secret ?? {})) {
    const secret = Object.fromEntries(Object.entries(kind.secret ?? {}).filter(([other]) => other !== name))
    expect(check(provider({ type: kind.type, secret }))).toMatch(new RegExp(`secret\\.${name} is missing`))
    const empty = { ...kind.secret, [name]: '' }
    expect(check(provider({ type: kind.type, secret: empty }))).toMatch(new RegExp(`secret\\.${name} must`))
  }
  expect(check(provider({ type: kind.type }))).toMatch(/credential\.secret is missing/)
  const more = { ...kind.secret, more: 'm' }
  expect(check(provider({ type: kind.type, secret: more }))).toMatch(/secret has the unknown field "more"/)
})

const accessKey = credentialOf(spelled[1])
const role = { type: 'IAM-ROLE' }

test.each([
  ['a role with a secret', provider({ type: 'IAM-ROLE', secret: {} }), /unknown field "secret"/],
  ['bucketName with ACCESS-KEY', provider(accessKey, service({ bucketName: 'b' })), /"bucketName"/],
  ['bucket_name with IAM-ROLE', provider(role, service({ bucket_name: 'b' })), /"bucket_name"/],
  [
    'region with HMAC-KEYS',
    provider(credentialOf(spelled[4]), service({ bucketName: 'b', region: 'r' })),
    /"region"/,
  ],
  [
    'camel case with ACCESS-KEY',
    provider({ type: 'ACCESS-KEY', secret: { secretKey: 's', accessKey: 'a' } }),
    /"secretKey"/,
  ],
  [
    'underscores with HMAC-KEYS',
    provider({ type: 'HMAC-KEYS', secret: { secret_key: 's', access_key: 'a' } }),
    /"secret_key"/,
  ],
  ['an unknown credential type', provider({ type: 'KERBEROS' }), /\[0\]\.credential\.type must be one of/],
  ['an inherited credential type', provider({ type: 'constructor' }), /credential\.type must be one of/],
  ['no credential', { name: 'a', cloudServices: [] }, /credential\.type must be one of/],
  ['no services', { name: 'a', credential: role }, /\[0\]\.cloudServices is missing/],
  ['an unknown field', { ...provider(role), region: 'r' }, /\[0\] has the unknown field "region"/],
  ['another service type', provider(role, service({ bucketName: 'b' }, { type: 'queue' })), /\.type must be/],
  ['another usage', provider(role, service({ bucketName: 'b' }, { usage: 'BACKUP' })), /\.usage must be/],
  ['another category', provider(role, service({ bucketName: 'b' }, { category: 'x' })), /\.category must be/],
  ['a service without a name', provider(role, service({ bucketName: 'b' }, { name: '' })), /\.name must be/],
  ['a provider that is no object', 'AWS', /\[0\]\.credential\.type must be one of/],
] satisfies [string, Json, RegExp][])('%s is wrong', (_what, entry, expected) => {
  expect(check(entry)).toMatch(expected)
})

test('a second provider is looked at as well as the first', () => {
  expect(check(provider(role), provider({ type: '' }))).toMatch(/^cloudConfig\[1\]\.credential\.type/)
})

test('a configuration that is no list is wrong', () => {
  expect(documented(provider(role), 'cloudConfig')).toBe('cloudConfig must be a JSON array.')
})

// Written out by hand from field notes §1.6.
test.each([
  [
    'a user-assigned identity',
    {
      type: 'USER-ASSIGNED-IDENTITY',
      managedIdentityClientId: 'id',
      secret: { storageAccountName: 'a' },
    },
    {
      containerName: 'c',
      accountEndpointUrl: 'https://a.example.org',
      regionEndpointUrl: 'https://r.example.org',
    },
  ],
  [
    'a system-assigned identity',
    { type: 'SYSTEM-ASSIGNED-IDENTITY', secret: { storageAccountName: 'a' } },
    { containerName: 'c', rootDir: 'd' },
  ],
  [
    'an access key as charts spell it',
    { type: 'ACCESS-KEY', secret: { secretKey: 's', accessKey: 'a' } },
    { bucketName: 'b', region: 'r', regionEndpointUrl: 'https://r.example.org' },
  ],
] satisfies [string, EmulatorJsonObject, EmulatorJsonObject][])(
  '%s is taken from 11.3 on, as reported',
  (_, credential, connection) => {
    const entry = [provider(credential, service(connection))]
    expect(reported(entry, 'cloudConfig')).toBeUndefined()
    expect(documented(entry, 'cloudConfig')).toMatch(/^cloudConfig\[0\]/)
  },
)

test('the reported spelling is taken in a reported version, whatever the fidelity', () => {
  const key = { type: 'ACCESS-KEY', secret: { secretKey: 's', accessKey: 'a' } }
  const entry = [provider(key, service({ bucketName: 'b', region: 'r' }))]
  expect(
    buildCloudConfigCheck({ version: '11.5', fidelity: 'document' })(entry, 'cloudConfig'),
  ).toBeUndefined()
  expect(buildCloudConfigCheck({ version: '11.2', fidelity: 'field' })(entry, 'cloudConfig')).toBeUndefined()
  expect(documented(entry, 'cloudConfig')).toMatch(/secret/)
})

test('a user-assigned identity without its client ID is refused', () => {
  const credential = { type: 'USER-ASSIGNED-IDENTITY', secret: { storageAccountName: 'a' } }
  expect(reported([provider(credential, service({ containerName: 'c' }))], 'cloudConfig')).toMatch(
    /managedIdentityClientId/,
  )
})

test('one spelling is not mixed with the other', () => {
  const credential = { type: 'ACCESS-KEY', secret: { secret_key: 's', access_key: 'a' } }
  expect(reported([provider(credential, service({ bucketName: 'b' }))], 'cloudConfig')).toMatch(/bucket/)
})
