import { siteWriter } from '../../src/client/site-writer.js'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { type RequestPart, startEmulator } from '../../src/emulator/server.js'
import type { CloudProvider, Organization } from '../../src/manifest/manifest.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { Secret, type Secrets } from '../../src/secrets/secret.js'
import { aPolicy } from '../support/a-manifest.js'
import { anOrganization } from '../support/an-organization.js'
import { anUpdate } from '../support/an-update.js'
import { configured } from '../support/configured.js'
import { answeringSite, json } from '../support/http-double.js'
import { tap } from '../support/tapped.js'

const signal = new AbortController().signal
const running: Emulator[] = []

async function start() {
  const { inspect, requests } = tap()
  const emulator = await startEmulator({ stageMs: 0, inspect })
  running.push(emulator)
  return { ...emulator, requests }
}

afterEach(async () => {
  await Promise.all(running.splice(0).map(emulator => emulator.close()))
})

const password = 'Pässwörd-1 "\\'
const answer = 'Kartograf & Söhne'
const license = [0x7b, 0x00, 0xff, 0x0d, 0x0a, 0x2d, 0x2d]

function secrets(more: Readonly<Record<string, string>> = {}): Secrets {
  const contents: Readonly<Record<string, string | Buffer>> = {
    '/spec/administrator/password': password,
    '/spec/administrator/securityQuestion/answer': answer,
    '/spec/license/file': Buffer.from(license),
    '/spec/license/serverFile': 'ECP',
    ...more,
  }
  return new Map(
    Object.entries(contents).map(([pointer, content]) => [
      pointer as JsonPointer,
      new Secret(typeof content === 'string' ? Buffer.from(content) : content),
    ]),
  )
}

/** Sends a configuration to a new emulator; returns the reply and the request that arrived. */
async function sent(organization: Organization, more: Readonly<Record<string, string>> = {}) {
  const emulator = await start()
  const reply = await configured(siteWriter(emulator.url), organization, secrets(more))
  const [request, ...others] = emulator.requests.slice(1)
  expect(others).toEqual([])
  if (request === undefined) throw new Error('nothing arrived')
  return { reply, request }
}

function textOf(parts: readonly RequestPart[], name: string): string | undefined {
  const part = parts.find(one => one.name === name)
  return part?.kind === 'text' ? part.text : undefined
}

function jsonOf(parts: readonly RequestPart[], name: string): unknown {
  return JSON.parse(textOf(parts, name) ?? 'nothing was sent')
}

const bucket = (name: string, connection: CloudProvider['cloudServices'][0]['connection']) =>
  [{ name, connection }] as const

const providers: readonly CloudProvider[] = [
  {
    name: 'AWS role',
    credential: { type: 'IAM-ROLE' },
    cloudServices: bucket('S3 by role', { bucketName: 'b-role', region: 'eu-west-1', rootDir: 'prod' }),
  },
  {
    name: 'AWS key',
    credential: {
      type: 'ACCESS-KEY',
      secret: { accessKey: { env: 'LANDFORM_A' }, secretKey: { env: 'LANDFORM_B' } },
    },
    cloudServices: bucket('S3 by key', { bucketName: 'b-key', region: 'eu-west-2', rootDir: 'keyed' }),
  },
  {
    name: 'AZURE identity',
    credential: { type: 'MANAGED-IDENTITY', secret: { storageAccountName: 'plainaccount' } },
    cloudServices: bucket('Blob by identity', { containerName: 'c-identity', rootDir: 'prod' }),
  },
  {
    name: 'AZURE key',
    credential: {
      type: 'STORAGE-ACCOUNT-KEY',
      secret: { storageAccountName: { env: 'LANDFORM_C' }, storageAccountKey: { env: 'LANDFORM_D' } },
    },
    cloudServices: bucket('Blob by key', { containerName: 'c-key', rootDir: 'prod' }),
  },
  {
    name: 'GCP',
    credential: {
      type: 'HMAC-KEYS',
      secret: { accessKey: { env: 'LANDFORM_E' }, secretKey: { file: 'secrets/hmac' } },
    },
    cloudServices: [
      {
        name: 'GCS',
        type: 'objectStore',
        usage: 'DEFAULT',
        category: 'storage',
        connection: { bucketName: 'b-hmac', rootDir: 'prod' },
      },
    ],
  },
]

const cloudSecrets = {
  '/spec/cloudStorage/1/credential/secret/accessKey': 'AKIA"1',
  '/spec/cloudStorage/1/credential/secret/secretKey': 'sec\\ret/1+',
  '/spec/cloudStorage/3/credential/secret/storageAccountName': 'secretaccount',
  '/spec/cloudStorage/3/credential/secret/storageAccountKey': 'a2V5==',
  '/spec/cloudStorage/4/credential/secret/accessKey': 'GOOG1',
  '/spec/cloudStorage/4/credential/secret/secretKey': 'hmäc',
} as const

const service = (name: string, connection: Readonly<Record<string, string>>) => ({
  name,
  type: 'objectStore',
  usage: 'DEFAULT',
  category: 'storage',
  connection,
})

const cloudConfig = [
  {
    name: 'AWS role',
    credential: { type: 'IAM-ROLE' },
    cloudServices: [service('S3 by role', { bucketName: 'b-role', region: 'eu-west-1', rootDir: 'prod' })],
  },
  {
    name: 'AWS key',
    credential: { type: 'ACCESS-KEY', secret: { access_key: 'AKIA"1', secret_key: 'sec\\ret/1+' } },
    cloudServices: [service('S3 by key', { bucket_name: 'b-key', region: 'eu-west-2', rootDir: 'keyed' })],
  },
  {
    name: 'AZURE identity',
    credential: { type: 'MANAGED-IDENTITY', secret: { storageAccountName: 'plainaccount' } },
    cloudServices: [service('Blob by identity', { containerName: 'c-identity', rootDir: 'prod' })],
  },
  {
    name: 'AZURE key',
    credential: {
      type: 'STORAGE-ACCOUNT-KEY',
      secret: { storageAccountName: 'secretaccount', storageAccountKey: 'a2V5==' },
    },
    cloudServices: [service('Blob by key', { containerName: 'c-key', rootDir: 'prod' })],
  },
  {
    name: 'GCP',
    credential: { type: 'HMAC-KEYS', secret: { accessKey: 'GOOG1', secretKey: 'hmäc' } },
    cloudServices: [service('GCS', { bucketName: 'b-hmac', rootDir: 'prod' })],
  },
]

const labels = { 'arcgis/tier': 'storage', 'arcgis/app': 'postgres' }
const small = { size: '16Gi', storageClass: 'gp3', labels }

const fullOrganization = anOrganization({
  license: { file: 'licenses/Customer Inc.json', serverFile: 'licenses/server.ecp' },
  administrator: {
    username: 'siteadmin',
    password: { env: 'LANDFORM_ADMIN_PASSWORD' },
    email: 'admin@example.org',
    fullName: 'Ada "the" Ädmin',
    firstName: 'Ada',
    lastName: 'Ädmin',
    description: 'line 1\r\nline 2\n@file <tag>',
    userType: 'creatorUT',
    securityQuestion: {
      question: 'What is your dream job?',
      answer: { env: 'LANDFORM_SECURITY_ANSWER' },
    },
  },
  profile: 'enhanced-availability',
  // The order differs from that of the document and of the request.
  volumes: {
    REST_METRICS_API: { size: '30Gi', storageClass: 'premium', labels: {} },
    SHARING: { size: '17Gi', storageClass: 'gp3' },
    INDEXER: small,
    QUEUE: small,
    IN_MEM_CACHE: small,
    BLOB: { labels, provisioningType: 'STATIC', size: '32Gi' },
    RELATIONAL_SECONDARY: small,
    RELATIONAL_PRIMARY: small,
  },
  cloudStorage: providers,
  dataStores: [
    {
      clientPath: '/data/imagery',
      type: 'folder',
      info: { fileServerHost: 'nfs.example.org', fileServerType: 'NFS', fileServerPath: '/export/imagery' },
    },
  ],
  folders: ['/data/a', '/data/b c'],
  logLevel: 'INFO',
  systemProperties: { containerStartUpTimeoutSeconds: 1800, nested: { list: [true, null, 'x'] } },
})

describe('a configure request of a full 11.2 organization', () => {
  test('is accepted, and the reply is a configuration in progress with fourteen stages', async () => {
    const { reply, request } = await sent(fullOrganization, cloudSecrets)
    expect(request).toMatchObject({ method: 'POST', path: '/configure', operation: 'configure' })
    expect(request.accepted).toBe(true)
    expect(request.contentType).toMatch(/^multipart\/form-data; boundary=[-0-9a-f]{27,70}$/)
    expect(reply).toMatchObject({ ok: true, value: { kind: 'in-progress', version: '11.2.0' } })
    expect(reply.ok && reply.value.stages.length).toBe(14)
  })

  // The emulator accepts several providers in one request, since the document has an array.
  test('has the parameters of the document in its order, each in its form', async () => {
    const { request } = await sent(fullOrganization, cloudSecrets)
    const usual = { provisioningType: 'DYNAMIC', size: '16Gi', storageClass: 'gp3', labels }
    const file = { kind: 'file', contentType: 'application/octet-stream' }
    const json: Readonly<Record<string, unknown>> = {
      volumesConfig: {
        volumesConfig: [
          { ...usual, component: 'RELATIONAL_PRIMARY' },
          { ...usual, component: 'RELATIONAL_SECONDARY' },
          { component: 'BLOB', provisioningType: 'STATIC', size: '32Gi', labels },
          { ...usual, component: 'IN_MEM_CACHE' },
          { ...usual, component: 'QUEUE' },
          { ...usual, component: 'INDEXER' },
          { ...usual, component: 'SHARING', size: '17Gi', labels: {} },
          { ...usual, component: 'REST_METRICS_API', size: '30Gi', storageClass: 'premium', labels: {} },
        ],
      },
      cloudConfig,
      logSettings: { logLevel: 'INFO' },
      systemProperties: { containerStartUpTimeoutSeconds: 1800, nested: { list: [true, null, 'x'] } },
      systemArchitectureProfile: { name: 'enhanced-availability' },
      folderPathsToRegister: { paths: ['/data/a', '/data/b c'] },
      userManagedStores: [
        {
          clientPath: '/data/imagery',
          type: 'folder',
          info: {
            fileServerHost: 'nfs.example.org',
            fileServerType: 'NFS',
            fileServerPath: '/export/imagery',
          },
        },
      ],
    }
    const { parts } = request
    expect(parts.map(part => (part.name in json ? [part.name, jsonOf(parts, part.name)] : part))).toEqual([
      ...Object.entries({
        username: 'siteadmin',
        password: 'Pässwörd-1 "\\',
        email: 'admin@example.org',
        fullName: 'Ada "the" Ädmin',
        firstName: 'Ada',
        lastName: 'Ädmin',
        description: 'line 1\r\nline 2\n@file <tag>',
        securityQuestionIdx: '13',
        securityQuestionAns: 'Kartograf & Söhne',
        userLicenseTypeId: 'creatorUT',
      }).map(([name, text]) => ({ kind: 'text', name, text })),
      {
        ...file,
        name: 'licenseFile',
        fileName: 'license.json',
        bytes: new Uint8Array([0x7b, 0x00, 0xff, 0x0d, 0x0a, 0x2d, 0x2d]),
      },
      {
        ...file,
        name: 'serverLicenseFile',
        fileName: 'server-license.ecp',
        bytes: new Uint8Array([0x45, 0x43, 0x50]),
      },
      ...Object.entries(json),
      { kind: 'text', name: 'f', text: 'json' },
    ])
  })
})

describe('a configure request', () => {
  test('omits the fields that the manifest omits', async () => {
    const { reply, request } = await sent(anOrganization())
    expect(reply.ok).toBe(true)
    expect(request.parts.map(({ name }) => name)).toEqual([
      'username',
      'password',
      'email',
      'fullName',
      'securityQuestionIdx',
      'securityQuestionAns',
      'userLicenseTypeId',
      'licenseFile',
      'volumesConfig',
      'f',
    ])
  })

  test.each([0, 1, 2, 3, 4])('is accepted with only the credential type of provider %i', async index => {
    const cloudStorage = providers.slice(index, index + 1)
    const own = Object.entries(cloudSecrets)
      .filter(([pointer]) => pointer.startsWith(`/spec/cloudStorage/${index}/`))
      .map(([pointer, text]) => [pointer.replace(`/${index}/`, '/0/'), text] as const)
    const { reply, request } = await sent(anOrganization({ cloudStorage }), Object.fromEntries(own))
    expect(reply.ok).toBe(true)
    expect(jsonOf(request.parts, 'cloudConfig')).toEqual(cloudConfig.slice(index, index + 1))
  })

  test.each([
    ['a list with one folder', ['/data/a'], '{"paths":["/data/a"]}'],
    ['an empty list', [], '{"paths":[]}'],
    ['a plain string', '/data/a,/data/b', '/data/a,/data/b'],
    ['a string of JSON', '{"paths":["/x"]}', '{"paths":["/x"]}'],
  ])('sends %s of folders in its form', async (_what, folders, text) => {
    const { reply, request } = await sent(anOrganization({ folders }))
    expect(reply.ok).toBe(true)
    expect(textOf(request.parts, 'folderPathsToRegister')).toBe(text)
  })

  test.each([
    [{ question: 'What city were you born in?' }, '1'],
    [{ question: "What is your mother's maiden name?" }, '3'],
    [{ question: 'What is your dream job?' }, '13'],
    [{ question: 'Where did you go on your first date?' }, '14'],
    [{ index: 1 }, '1'],
    [{ index: 14 }, '14'],
  ] as const)('counts the questions from one: %j is %s', async (chosen, text) => {
    const { administrator } = anOrganization()
    const securityQuestion = { ...chosen, answer: { env: 'LANDFORM_SECURITY_ANSWER' } }
    const organization = anOrganization({ administrator: { ...administrator, securityQuestion } })
    const { reply, request } = await sent(organization)
    expect(reply.ok).toBe(true)
    expect(textOf(request.parts, 'securityQuestionIdx')).toBe(text)
  })

  test.each([
    ['site.json', 'license.json'],
    ['licenses/ACME 2026.ecp', 'license.ecp'],
    ['licenses/noending', 'license.lic'],
    ['a.b"; name=x', 'license.lic'],
    ['a.waytoolong', 'license.lic'],
    ['dotted.folder/file', 'license.lic'],
  ])('sends the license file %s with the name %s', async (file, fileName) => {
    const { request } = await sent(anOrganization({ license: { file } }))
    expect(request.parts.find(({ name }) => name === 'licenseFile')).toMatchObject({ fileName })
  })

  test('sends empty lists and maps', async () => {
    const { reply, request } = await sent(
      anOrganization({ cloudStorage: [], dataStores: [], systemProperties: {} }),
    )
    expect(reply.ok).toBe(true)
    expect(textOf(request.parts, 'cloudConfig')).toBe('[]')
    expect(textOf(request.parts, 'userManagedStores')).toBe('[]')
    expect(textOf(request.parts, 'systemProperties')).toBe('{}')
  })

  // The emulator rejects extra parameters.
  test('sends extra parameters before the format: text as it is, other values as JSON', async () => {
    const extra = { newName: 'as it "is"', newList: [1, { a: null }], newFlag: true, newNumber: 1.5 }
    const { reply, request } = await sent(anOrganization({ extra }))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'refused', code: 400 } })
    expect(request.parts.slice(-5)).toEqual([
      { kind: 'text', name: 'newName', text: 'as it "is"' },
      { kind: 'text', name: 'newList', text: '[1,{"a":null}]' },
      { kind: 'text', name: 'newFlag', text: 'true' },
      { kind: 'text', name: 'newNumber', text: '1.5' },
      { kind: 'text', name: 'f', text: 'json' },
    ])
  })

  test('escapes the name of an extra parameter', async () => {
    const hostile = 'x"\r\n\r\nowned\r\n--'
    const { request } = await sent(anOrganization({ extra: { [hostile]: 'value' } }))
    const names = request.parts.map(({ name }) => name)
    expect(names.slice(0, 2)).toEqual(['username', 'password'])
    expect(names.slice(-1)).toEqual(['f'])
    expect(names.length).toBe(11)
    expect(textOf(request.parts, names.at(-2) ?? '')).toBe('value')
  })

  test('is not sent if a secret was not resolved', async () => {
    const emulator = await start()
    const configuring = configured(siteWriter(emulator.url), anOrganization(), new Map())
    await expect(configuring).rejects.toThrow('not resolved')
    expect(emulator.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test('does not wipe the secrets, because the caller does', async () => {
    const emulator = await start()
    const mine = secrets()
    await configured(siteWriter(emulator.url), anOrganization(), mine)
    expect(mine.get('/spec/administrator/password')?.bytes.toString()).toBe(password)
  })
})

describe('an update request', () => {
  const token = 'tök=en&f=html+%41 ?'
  const policy = {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'pool', operator: 'In', values: ['upgrades', 'späre'] }] },
        ],
      },
    },
    tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'a&b', effect: 'NoSchedule' }],
  } as const

  async function aReadySite() {
    const emulator = await start()
    await configured(siteWriter(emulator.url), anOrganization(), secrets())
    return emulator
  }

  test('is accepted and carries the policy as JSON, the format and the token in a form', async () => {
    const emulator = await aReadySite()
    const reply = await siteWriter(emulator.url).update(
      anUpdate(policy),
      new Secret(Buffer.from(token)),
      signal,
    )
    expect(reply).toEqual({ ok: true, value: undefined })
    const request = emulator.requests[2]
    expect(request).toMatchObject({
      method: 'POST',
      path: '/system/upgrades/config/update',
      contentType: 'application/x-www-form-urlencoded; charset=UTF-8',
      accepted: true,
    })
    const parts = request?.parts ?? []
    expect(parts.map(({ name }) => name)).toEqual(['upgradeConfig', 'f', 'token'])
    expect(jsonOf(parts, 'upgradeConfig')).toEqual({
      podPlacementPolicy: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'pool', operator: 'In', values: ['upgrades', 'späre'] }] },
            ],
          },
        },
        tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'a&b', effect: 'NoSchedule' }],
      },
    })
    expect(textOf(parts, 'f')).toBe('json')
    expect(textOf(parts, 'token')).toBe(token)
    expect(emulator.world().upgradeConfig).toEqual({ podPlacementPolicy: policy })
  })

  test('sends an empty policy, which is a policy as well', async () => {
    const emulator = await aReadySite()
    const empty = { nodeAffinity: {}, tolerations: [] }
    const reply = await siteWriter(emulator.url).update(anUpdate(empty), new Secret(Buffer.from('t')), signal)
    expect(reply.ok).toBe(true)
    expect(textOf(emulator.requests[2]?.parts ?? [], 'upgradeConfig')).toBe(
      '{"podPlacementPolicy":{"nodeAffinity":{},"tolerations":[]}}',
    )
  })

  test('has no token if the manifest names none, which the document allows', async () => {
    const emulator = await aReadySite()
    const reply = await siteWriter(emulator.url).update(anUpdate(aPolicy()), undefined, signal)
    expect(reply).toMatchObject({ ok: true })
    expect(emulator.requests[2]?.parts.map(({ name }) => name)).toEqual(['upgradeConfig', 'f'])
  })

  test('keeps the token out of the address and the headers', async () => {
    const server = await answeringSite(json({ status: 'success' }))
    const client = siteWriter(server.url)
    const reply = await client.update(anUpdate(aPolicy()), new Secret(Buffer.from('t0ken')), signal)
    expect(reply).toEqual({ ok: true, value: undefined })
    const [head = '', body] = server.received[0]?.split('\r\n\r\n') ?? []
    expect(head.split('\r\n')[0]).toBe('POST /portal/admin/system/upgrades/config/update HTTP/1.1')
    expect(head).not.toContain('t0ken')
    expect(body).toContain('token=t0ken')
  })
})
