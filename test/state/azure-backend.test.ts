import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeStateReason } from '../../src/report/state-reasons.js'
import { tool } from '../../src/version.js'
import { azurePlace } from '../support/azure-place.js'
import {
  type AzureFaults,
  type AzureServer,
  assertion,
  azureServer,
  foreignToken,
  formerToken,
} from '../support/azure-server.js'
import { httpDouble, json } from '../support/http-double.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const site = 'https://gis.example.org/arcgis/admin'
const first = { serial: 1, text: '{"n":1}' }
const made = { ok: true, value: true }
const empty = { ok: true, value: undefined }
const failure = (kind: string, cause: string | number) => ({
  ok: false,
  error: { kind, reason: { kind: 'azblob', cause } },
})

const servers: AzureServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  await removeTemporaryFolders()
})

async function serve(faults: AzureFaults = {}): Promise<AzureServer> {
  const server = await azureServer(faults)
  servers.push(server)
  return server
}

const countTokens = ({ requests }: AzureServer) => requests.filter(line => line.includes('/oauth2/')).length

describe('a server of blobs', () => {
  test('has an address for the notes of a machine', async () => {
    const server = await serve()
    expect(await azurePlace(server).address?.()).toBe(`${server.url}/devstoreaccount1/state-of-tests`)
  })

  test('may be busy for a moment', async () => {
    const server = await serve()
    const series = azurePlace(server).series(site)
    const code = (name: string) => `<?xml version="1.0"?><Error><Code>${name}</Code></Error>`
    for (const answers of [
      { status: 503, body: code('ServerBusy'), times: 1 },
      { status: 500, body: code('OperationTimedOut'), times: 1 },
      { status: 429, times: 1 },
      { status: 502, body: '<html>', times: 1 },
    ]) {
      server.faults.answers = answers
      expect(await series.newest()).toEqual(empty)
      expect(server.faults.answers.times).toBe(0)
    }
  })

  test.each<[number, string, string | number]>([
    [403, 'AuthorizationPermissionMismatch', 'access-denied'],
    [403, 'AuthorizationFailure', 'network-denied'],
    [401, 'InvalidAuthenticationInfo', 'wrong-credentials'],
    [404, '', 'not-blob-storage'],
    [200, '', 'not-blob-storage'],
  ])('that responds with %d %s does not count as an empty one', async (status, code, cause) => {
    const body = code === '' ? '<html>' : `<Error><Code>${code}</Code></Error>`
    const server = await serve({ answers: { status, body, times: 2 } })
    const reply = await azurePlace(server).series(site).newest()
    expect(reply).toMatchObject(failure('unreadable', cause))
  })

  test.each(['ContainerNotFound', 'ResourceNotFound', ''])(
    'with a 404 and %s does not mean that a version is missing',
    async code => {
      const server = await serve()
      const series = azurePlace(server).series(site)
      expect(await series.add(first)).toEqual(made)
      server.faults.answers = { status: 404, body: `<Error><Code>${code}</Code></Error>`, times: 1 }
      expect(await series.newest()).toMatchObject({ ok: false, error: { kind: 'unreadable' } })
    },
  )

  test.each([
    ['another account', { account: 'nobody' }, 'ResourceNotFound', 404],
    ['another container', { container: 'missing' }, 'ContainerNotFound', 'no-container'],
  ])('is reported with its code for %s', async (_, changes, said, cause) => {
    const server = await serve()
    const reply = await azurePlace({ ...server, ...changes })
      .series(site)
      .add(first)
    expect(reply).toMatchObject({ ok: false, error: { reason: { cause, said } } })
  })
})

describe('a token', () => {
  const application = ({ environment }: AzureServer) => ({
    AZURE_AUTHORITY_HOST: environment['AZURE_AUTHORITY_HOST'] ?? '',
    AZURE_TENANT_ID: environment['AZURE_TENANT_ID'] ?? '',
    AZURE_CLIENT_ID: environment['AZURE_CLIENT_ID'] ?? '',
  })
  /** No identity service responds here, and no programs are found. */
  const nowhere = { AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://127.0.0.1:1', PATH: '/nowhere' }
  const wordsOf = async (server: AzureServer, environment: Readonly<Record<string, string>>) => {
    const reply = await azurePlace(server, environment).series(site).newest()
    return reply.ok ? 'ok' : describeStateReason(reply.error.reason)
  }

  test('is requested once for many requests, and again after it was rejected', async () => {
    const server = await serve()
    const place = azurePlace(server)
    const series = place.series(site)
    for (const serial of [1, 2, 3, 4]) expect(await series.add({ serial, text: '{}' })).toEqual(made)
    await Promise.all([series.all(), place.series(`${site}/other`).all()])
    expect(countTokens(server)).toBe(1)
    server.token = 'another-token'
    server.faults.answers = { status: 401, body: '', times: 1 }
    expect(await series.newest()).toMatchObject({ ok: true })
    expect(countTokens(server)).toBe(2)
  })

  test.each([
    ['that has expired', formerToken],
    ['for another service', foreignToken],
    ['that is not a token', 'x'],
  ])('%s is rejected with its reason, and not repeated', async (_, token) => {
    const server = await serve()
    const entra = await httpDouble([{ reply: json({ access_token: token, expires_in: 3599 }) }])
    const environment = { ...server.environment, AZURE_AUTHORITY_HOST: `http://${entra.host}` }
    const words = await wordsOf(server, environment)
    expect(words).toContain('the server rejected the token')
    expect(words).not.toContain(token.length > 1 ? token : '\n')
  })

  test('for a service principal is requested without showing its secret anywhere', async () => {
    const server = await serve()
    const secret = { ...server.environment, AZURE_CLIENT_SECRET: 'wrong~secret' }
    const words = await wordsOf(server, secret)
    expect(words).toBe(
      'no token for Azure Storage; tried, in this order: workload identity (not set: AZURE_FEDERATED_TOKEN_FILE); a client secret (invalid_client AADSTS7000215)',
    )
  })

  test.each([
    ['http://login.example.org', 'the address is not an https URL'],
    ['login.example.org', 'the address is not an https URL'],
  ])('is not requested at %s', async (authority, why) => {
    const server = await serve()
    const environment = { ...server.environment, AZURE_AUTHORITY_HOST: authority }
    expect(await wordsOf(server, environment)).toContain(`a client secret (${why})`)
  })

  test('is not requested for a tenant that would change the URL', async () => {
    const server = await serve()
    const environment = { ...server.environment, AZURE_TENANT_ID: '../x' }
    expect(await wordsOf(server, environment)).toContain('a client secret (the tenant is not valid)')
    expect(server.requests).toEqual([])
  })

  test('for a workload identity is exchanged for the content of its file, which is read again each time', async () => {
    const server = await serve()
    const file = join(await temporaryFolder(), 'token')
    await writeFile(file, `${assertion}\n`)
    const environment = { ...application(server), AZURE_FEDERATED_TOKEN_FILE: file }
    expect(await azurePlace(server, environment).series(site).add(first)).toEqual(made)
    expect(await wordsOf(server, { ...environment, AZURE_FEDERATED_TOKEN_FILE: `${file}.gone` })).toBe(
      'no token for Azure Storage; tried, in this order: workload identity (the file cannot be read)',
    )
  })

  test('for a job in GitHub Actions', async () => {
    const server = await serve()
    const github = await httpDouble([{ method: 'GET', reply: json({ value: assertion }) }])
    const environment = {
      ...application(server),
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://${github.host}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'token-of-a-job',
    }
    expect(await azurePlace(server, environment).series(site).newest()).toEqual(empty)
    const [{ path, head } = { path: '', head: '' }] = github.requests
    expect(path).toBe('/token?api-version=2.0&audience=api%3A%2F%2FAzureADTokenExchange')
    expect(`${head}\r\n`.toLowerCase()).toContain('\r\nauthorization: bearer token-of-a-job\r\n')
    const denied = await httpDouble([{ reply: json({ message: 'token-of-a-job' }, 403) }])
    const elsewhere = { ACTIONS_ID_TOKEN_REQUEST_URL: `http://${denied.host}/token?a=b` }
    const words = await wordsOf(server, { ...environment, ...elsewhere })
    expect(words).toContain(`GitHub Actions (${denied.host}: HTTP 403)`)
    expect(words).not.toContain('token-of-a-job')
  })

  test('for a service connection in Azure DevOps', async () => {
    const server = await serve()
    const devops = await httpDouble([{ method: 'POST', reply: json({ oidcToken: assertion }) }])
    const { AZURE_AUTHORITY_HOST, AZURE_TENANT_ID, AZURE_CLIENT_ID } = application(server)
    const environment = {
      AZURE_AUTHORITY_HOST,
      AZURESUBSCRIPTION_TENANT_ID: AZURE_TENANT_ID,
      AZURESUBSCRIPTION_CLIENT_ID: AZURE_CLIENT_ID,
      AZURESUBSCRIPTION_SERVICE_CONNECTION_ID: 'connection-1',
      SYSTEM_OIDCREQUESTURI: `http://${devops.host}/oidctoken`,
      SYSTEM_ACCESSTOKEN: 'token-of-a-job',
    }
    expect(await azurePlace(server, environment).series(site).newest()).toEqual(empty)
    const [{ path, head } = { path: '', head: '' }] = devops.requests
    expect(path).toBe('/oidctoken?api-version=7.1&serviceConnectionId=connection-1')
    expect(head.toLowerCase()).toContain('\r\nauthorization: bearer token-of-a-job\r\n')
    expect(await wordsOf(server, { ...environment, ...nowhere, SYSTEM_ACCESSTOKEN: '' })).toContain(
      'Azure DevOps (not set: SYSTEM_ACCESSTOKEN)',
    )
  })

  test('for the managed identity of a virtual machine', async () => {
    const server = await serve()
    const expires = `${Math.floor(Date.now() / 1000) + 86_400}`
    const metadata = await httpDouble([
      {
        reply: ({ head, path }) => {
          if (!/\r\nmetadata: true/i.test(head)) return json({ error: 'invalid_request' }, 400)
          return path.includes('client_id=other')
            ? json({ error: 'invalid_request', error_description: 'Identity not found' }, 400)
            : json({ access_token: server.token, expires_on: expires })
        },
      },
    ])
    const environment = { ...nowhere, AZURE_POD_IDENTITY_AUTHORITY_HOST: `http://${metadata.host}` }
    expect(await azurePlace(server, environment).series(site).newest()).toEqual(empty)
    expect(metadata.requests.map(({ path }) => path)).toEqual([
      '/metadata/identity/oauth2/token',
      '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fstorage.azure.com%2F',
    ])
    const other = { ...environment, AZURE_CLIENT_ID: 'other' }
    expect(await wordsOf(server, other)).toContain('the managed identity of this machine (invalid_request)')
  })

  test('for the managed identity of a container', async () => {
    const server = await serve()
    const endpoint = await httpDouble([{ reply: json({ access_token: server.token, expires_on: 1 }) }])
    const environment = {
      ...nowhere,
      IDENTITY_ENDPOINT: `http://${endpoint.host}/msi/token`,
      IDENTITY_HEADER: 'header-of-a-container',
      AZURE_CLIENT_ID: 'own',
    }
    expect(await azurePlace(server, environment).series(site).newest()).toEqual(empty)
    const [{ path, head } = { path: '', head: '' }] = endpoint.requests
    expect(path).toBe(
      '/msi/token?api-version=2019-08-01&resource=https%3A%2F%2Fstorage.azure.com%2F&client_id=own',
    )
    expect(`${head}\r\n`.toLowerCase()).toContain('\r\nx-identity-header: header-of-a-container\r\n')
    expect(`${head}\r\n`.toLowerCase()).toContain(`\r\nuser-agent: ${tool}\r\n`)
    const elsewhere = { ...environment, IDENTITY_ENDPOINT: 'http://example.org/msi/token' }
    expect(await wordsOf(server, elsewhere)).toContain(
      'the managed identity of this machine (the address is not an https URL)',
    )
  })

  describe('from the Azure CLI', () => {
    /** An `az` that prints this; `seen` returns how it was run. */
    async function anAz(printed: string, exitCode = 0) {
      const folder = await temporaryFolder()
      await mkdir(join(folder, 'bin'))
      await writeFile(join(folder, 'printed'), printed)
      const script = `#!/bin/sh\n{ pwd; echo "$*"; env; } > ${folder}/seen\ncat ${folder}/printed\nexit ${exitCode}\n`
      await writeFile(join(folder, 'bin', 'az'), script, { mode: 0o700 })
      const environment = { ...nowhere, PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }
      return { environment, seen: () => readFile(join(folder, 'seen'), 'utf8') }
    }

    test.each([
      ['with seconds', { expires_on: 4_102_444_800 }],
      ['with a local time', { expiresOn: '2099-12-31 23:59:59.000000' }],
    ])(
      '%s is accepted; the CLI runs outside every checkout, without the secrets of sites',
      async (_, expires) => {
        const server = await serve()
        const az = await anAz(JSON.stringify({ accessToken: server.token, ...expires }))
        const environment = { ...az.environment, LANDFORM_ADMIN_PASSWORD: 'canary' }
        const series = azurePlace(server, environment).series(site)
        expect(await series.newest()).toEqual(empty)
        const [folder, words, ...variables] = (await az.seen()).split('\n')
        expect([folder, words]).toEqual([
          '/',
          'account get-access-token --resource https://storage.azure.com/ --output json',
        ])
        expect(variables.filter(line => line.startsWith('LANDFORM_'))).toEqual([])
      },
    )

    test('is the last source, and a failure names all sources', async () => {
      const server = await serve()
      const az = await anAz('token-that-must-not-be-shown', 1)
      expect(await wordsOf(server, az.environment)).toBe(
        [
          'no token for Azure Storage; tried, in this order: workload identity (not set: AZURE_FEDERATED_TOKEN_FILE, AZURE_CLIENT_ID, AZURE_TENANT_ID)',
          'a client secret (not set: AZURE_CLIENT_SECRET, AZURE_CLIENT_ID, AZURE_TENANT_ID)',
          'GitHub Actions (not set: ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN, AZURE_CLIENT_ID, AZURE_TENANT_ID)',
          'Azure DevOps (not set: SYSTEM_OIDCREQUESTURI, SYSTEM_ACCESSTOKEN, AZURESUBSCRIPTION_SERVICE_CONNECTION_ID, AZURESUBSCRIPTION_CLIENT_ID, AZURESUBSCRIPTION_TENANT_ID)',
          'the managed identity of this machine (no response)',
          '`az account get-access-token` (exit code 1)',
        ].join('; '),
      )
      expect(await wordsOf(server, nowhere)).toContain('`az account get-access-token` (not installed)')
      const { environment } = await anAz('{}')
      expect(await wordsOf(server, environment)).toContain(
        '`az account get-access-token` (no token in the response)',
      )
    })
  })

  test('service that cannot be reached is named, with the earlier sources', async () => {
    const server = await serve()
    const environment = {
      ...server.environment,
      AZURE_AUTHORITY_HOST: 'https://login.example.org',
      https_proxy: 'socks://127.0.0.1:1',
    }
    expect(await wordsOf(server, environment)).toMatch(
      /^the proxy that the environment names is not .*; tried, in this order: workload identity \(not set: AZURE_FEDERATED_TOKEN_FILE\); a client secret \(https_proxy\)$/,
    )
  })

  test.each([503, 429])('is requested again if Entra responds with %d', async status => {
    const server = await serve()
    const grant = json({ access_token: server.token, expires_in: 3599 })
    const answers = [json({}, status), grant]
    const entra = await httpDouble([{ reply: () => answers.shift() ?? grant }])
    const environment = { ...server.environment, AZURE_AUTHORITY_HOST: `http://${entra.host}` }
    expect(await azurePlace(server, environment).series(site).newest()).toEqual(empty)
    expect(entra.requests).toHaveLength(2)
  })
})
