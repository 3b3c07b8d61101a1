import { parse } from 'node:path'
import { isLoopback } from '../manifest/site-url.js'
import type { Result } from '../result.js'
import { failAzure } from '../state/azure-store.js'
import type { AzureReason, AzureSource, TriedSource } from '../state/state-failure.js'
import { describeProgramDefect, runCredentialProgram } from './credential-program.js'
import { askNearby, classifyStoreFailure, findStoreRoute, sendToStore } from './reach-store.js'
import { readLimited } from './read-files.js'
import { type Fields, parseFields, textIn } from './unchecked-fields.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Provides the token for requests to Azure Storage. */
export interface AzureTokens {
  find(): Promise<Result<string, AzureReason>>
  /** Forgets a token that the server rejected; returns false if there was none. */
  forget(): boolean
}

interface TokenOptions {
  readonly environment: Environment
  now(): number
}

interface GrantedToken {
  readonly token: string
  readonly expiresAtMs: number
}

/** A token, the code of a failure, or the reason to end the search, such as a busy server. */
type Attempt = Result<GrantedToken, string | AzureReason>

interface Source {
  readonly source: AzureSource
  /** The variables that it needs. If all of them are set, no later source is tried. */
  readonly needs: readonly string[]
  /** Requests a token. Every needed variable has a value. */
  ask(variable: (name: string) => string, options: TokenOptions): Promise<Attempt>
}

/** Tokens are renewed this long before they expire, because clocks differ. */
const renewBeforeMs = 120_000
/** Far larger than a token or an answer that contains one. */
const maxTokenBytes = 64 * 1024
/** The audience of every storage account, in each cloud of Azure. */
const audience = 'https://storage.azure.com/'
const application = ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID']

/** In the order of docs/how-to/state.md; `report/state-reasons.ts` names them in messages. */
const sources: readonly Source[] = [
  {
    source: 'workload-identity',
    needs: ['AZURE_FEDERATED_TOKEN_FILE', ...application],
    async ask(variable, options) {
      const token = readLimited(variable('AZURE_FEDERATED_TOKEN_FILE'), { maxBytes: maxTokenBytes })
      if (!token.ok) return failed('unreadable-file')
      return exchangeAssertion(token.value.toString('utf8').trim(), readApplication(variable), options)
    },
  },
  {
    source: 'client-secret',
    needs: ['AZURE_CLIENT_SECRET', ...application],
    ask: (variable, options) =>
      requestToken({ client_secret: variable('AZURE_CLIENT_SECRET') }, readApplication(variable), options),
  },
  {
    source: 'github',
    needs: ['ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', ...application],
    async ask(variable, options) {
      const url = addQuery(variable('ACTIONS_ID_TOKEN_REQUEST_URL'), {
        audience: 'api://AzureADTokenExchange',
      })
      const headers = { authorization: `Bearer ${variable('ACTIONS_ID_TOKEN_REQUEST_TOKEN')}` }
      const assertion = await requestAssertion({ method: 'GET', url, headers }, 'value', options)
      return assertion.ok ? exchangeAssertion(assertion.value, readApplication(variable), options) : assertion
    },
  },
  {
    source: 'azure-devops',
    needs: [
      'SYSTEM_OIDCREQUESTURI',
      'SYSTEM_ACCESSTOKEN',
      'AZURESUBSCRIPTION_SERVICE_CONNECTION_ID',
      'AZURESUBSCRIPTION_CLIENT_ID',
      'AZURESUBSCRIPTION_TENANT_ID',
    ],
    async ask(variable, options) {
      const url = addQuery(variable('SYSTEM_OIDCREQUESTURI'), {
        'api-version': '7.1',
        serviceConnectionId: variable('AZURESUBSCRIPTION_SERVICE_CONNECTION_ID'),
      })
      const headers = {
        authorization: `Bearer ${variable('SYSTEM_ACCESSTOKEN')}`,
        'content-type': 'application/json',
        'content-length': '0',
        // Without this header the service redirects to a sign-in page.
        'x-tfs-fedauthredirect': 'Suppress',
      }
      const assertion = await requestAssertion({ method: 'POST', url, headers }, 'oidcToken', options)
      if (!assertion.ok) return assertion
      const [client, tenant] = [
        variable('AZURESUBSCRIPTION_CLIENT_ID'),
        variable('AZURESUBSCRIPTION_TENANT_ID'),
      ]
      return exchangeAssertion(assertion.value, { client, tenant }, options)
    },
  },
  { source: 'managed-identity', needs: [], ask: askManagedIdentity },
  {
    source: 'azure-cli',
    needs: [],
    async ask(_, { environment }) {
      const args = ['account', 'get-access-token', '--resource', audience, '--output', 'json']
      // Outside any checkout, because `az` runs Python, which may load modules from its working folder.
      const folder = parse(process.cwd()).root
      const printed = await runCredentialProgram({ program: 'az', args, environment, folder })
      if (!printed.ok) return failed(describeProgramDefect(printed.error))
      const token = textIn(printed.value, 'accessToken')
      // Before 2.54, `az` printed only the local time.
      const expiresAtMs = readSeconds(printed.value) ?? Date.parse(textIn(printed.value, 'expiresOn') ?? '')
      return token === undefined
        ? failed('no-token')
        : { ok: true, value: { token, expiresAtMs: expiresAtMs || 0 } }
    },
  },
]

/** Provides tokens from the first source that has one, and keeps each until shortly before it expires. */
export function createAzureTokens(options: TokenOptions): AzureTokens {
  let granted: GrantedToken | undefined
  let asking: ReturnType<typeof findToken> | undefined
  return {
    async find() {
      if (granted !== undefined && options.now() < granted.expiresAtMs - renewBeforeMs)
        return { ok: true, value: granted.token }
      // Concurrent requests wait for the same token.
      asking ??= findToken(options).finally(() => {
        asking = undefined
      })
      const reply = await asking
      if (!reply.ok) return reply
      granted = reply.value
      return { ok: true, value: granted.token }
    },
    forget() {
      const had = granted !== undefined
      granted = undefined
      return had
    },
  }
}

async function findToken(options: TokenOptions): Promise<Result<GrantedToken, AzureReason>> {
  const read = (name: string) => options.environment[name]?.trim() || undefined
  const tried: TriedSource[] = []
  for (const { source, needs, ask } of sources) {
    const unset = needs.filter(name => read(name) === undefined)
    if (unset.length > 0) {
      tried.push({ source, unset })
      continue
    }
    const attempt = await ask(name => read(name) ?? '', options)
    if (attempt.ok) return attempt
    const { error } = attempt
    tried.push({ source, said: typeof error === 'string' ? error : (error.said ?? `${error.cause}`) })
    if (typeof error !== 'string') return { ok: false, error: { ...error, tried } }
    if (needs.length > 0) break
  }
  return failAzure('no-token', { tried })
}

function failed(said: string): Result<never, string> {
  return { ok: false, error: said }
}

/** The identity of an application in its tenant. */
interface Application {
  readonly client: string
  readonly tenant: string
}

function readApplication(variable: (name: string) => string): Application {
  return { client: variable('AZURE_CLIENT_ID'), tenant: variable('AZURE_TENANT_ID') }
}

function exchangeAssertion(
  assertion: string,
  application: Application,
  options: TokenOptions,
): Promise<Attempt> {
  const form = {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  }
  return requestToken(form, application, options)
}

/** Requests a token from Entra with the credentials of an application. RFC 6749 §4.4, RFC 7523 §2.2. */
async function requestToken(
  credentials: Readonly<Record<string, string>>,
  { client, tenant }: Application,
  { environment, now }: TokenOptions,
): Promise<Attempt> {
  if (!/^[A-Za-z0-9.-]+$/.test(tenant)) return failed('invalid-tenant')
  const authority = environment['AZURE_AUTHORITY_HOST']?.trim() || 'https://login.microsoftonline.com'
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client,
    scope: `${audience}.default`,
    ...credentials,
  })
  const bytes = Buffer.from(form.toString())
  const contentType = 'application/x-www-form-urlencoded'
  const headers = { 'content-type': contentType, 'content-length': `${bytes.byteLength}` }
  const url = `${authority.replace(/\/+$/, '')}/${tenant}/oauth2/v2.0/token`
  const answer = await askServer({ method: 'POST', url, headers, body: { contentType, bytes } }, environment)
  return answer.ok ? readGrant(answer.value, now) : answer
}

type TokenRequest = Omit<Parameters<typeof sendToStore>[0], 'path'>

/** Requests the OIDC token that identifies a pipeline. */
async function requestAssertion(
  request: TokenRequest,
  field: string,
  { environment }: TokenOptions,
): Promise<Result<string, string | AzureReason>> {
  const answer = await askServer(request, environment)
  if (!answer.ok) return answer
  const token = textIn(answer.value, field)
  return token === undefined ? failed('no-token') : { ok: true, value: token }
}

/** Sends one request with a secret, over TLS. Keeps only the codes of an error, because its text may quote anything. */
async function askServer(
  request: TokenRequest,
  environment: Environment,
): Promise<Result<Fields, string | AzureReason>> {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined
  if (url === undefined || (url.protocol !== 'https:' && !isLoopback(url.hostname))) return failed('address')
  const route = findStoreRoute(url.href, environment)
  if (!route.ok) return failAzure('proxy-unusable', { said: route.error })
  const path = `${url.pathname}${url.search}`
  const reply = await sendToStore({ ...request, url: url.origin, path }, route.value)
  if (!reply.ok) {
    const { said, ...failure } = classifyStoreFailure(reply.error)
    return { ok: false, error: { kind: 'azblob', ...failure, said: `${url.host}: ${said}` } }
  }
  const { status, bytes, retryAfterMs } = reply.value
  return readAnswer(status, bytes.toString('utf8'), { said: `${url.host}: HTTP ${status}`, retryAfterMs })
}

function readAnswer(
  status: number,
  text: string,
  { said, retryAfterMs }: { readonly said: string; readonly retryAfterMs?: number | undefined },
): Result<Fields, string | AzureReason> {
  if (status === 429 || status >= 500)
    return failAzure('busy', { said, ...(retryAfterMs !== undefined && { retryAfterMs }) })
  const fields = parseFields(text)
  if (status === 200 && fields !== undefined) return { ok: true, value: fields }
  const code = /^[a-z_]{1,40}$/.exec(textIn(fields ?? {}, 'error') ?? '')?.[0]
  const number = /^AADSTS\d{1,10}/.exec(textIn(fields ?? {}, 'error_description') ?? '')?.[0]
  return failed([code ?? said, number].filter(Boolean).join(' '))
}

function readGrant(fields: Fields, now: () => number): Attempt {
  const token = textIn(fields, 'access_token')
  if (token === undefined) return failed('no-token')
  const lastsMs = Number(fields['expires_in']) * 1000
  return { ok: true, value: { token, expiresAtMs: readSeconds(fields) ?? now() + (lastsMs || 0) } }
}

/** Reads `expires_on`, in seconds since 1970. */
function readSeconds(fields: Fields): number | undefined {
  const seconds = Number(fields['expires_on'])
  return seconds > 0 ? seconds * 1000 : undefined
}

/** The metadata service of a virtual machine: a fixed address, answered by the machine's host. */
const metadataService = 'http://169.254.169.254'
/** The first request to the metadata service of Azure, which does not respond outside of Azure. */
const probeDeadlineMs = 1000

/** Requests a token for the managed identity of this machine, from the endpoint of a container or the metadata service. */
async function askManagedIdentity(
  _: (name: string) => string,
  { environment, now }: TokenOptions,
): Promise<Attempt> {
  const { AZURE_CLIENT_ID: client, IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: secret } = environment
  const identity = { resource: audience, ...(client && { client_id: client }) }
  if (endpoint && secret) {
    const url = addQuery(endpoint, { 'api-version': '2019-08-01', ...identity })
    return askForIdentity(url, { 'x-identity-header': secret }, now)
  }
  const host = environment['AZURE_POD_IDENTITY_AUTHORITY_HOST'] || metadataService
  const base = `${host.replace(/\/+$/, '')}/metadata/identity/oauth2/token`
  // Without the header `metadata` the service rejects a request at once, which shows that it exists.
  const probed = await askNearby(base, {}, probeDeadlineMs)
  if (!probed.ok) return failed(probed.error)
  // A 5xx may come from a proxy of the network, not from the service.
  if (probed.value.status >= 500) return failed(`HTTP ${probed.value.status}`)
  return askForIdentity(
    addQuery(base, { 'api-version': '2018-02-01', ...identity }),
    { metadata: 'true' },
    now,
  )
}

async function askForIdentity(
  url: string,
  headers: Readonly<Record<string, string>>,
  now: () => number,
): Promise<Attempt> {
  const answer = await askNearby(url, headers)
  if (!answer.ok) return failed(answer.error)
  const { status, text } = answer.value
  const fields = readAnswer(status, text, { said: `HTTP ${status}` })
  return fields.ok ? readGrant(fields.value, now) : fields
}

function addQuery(address: string, query: Readonly<Record<string, string>>): string {
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`
}
