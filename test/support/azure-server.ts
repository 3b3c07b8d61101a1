import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { readRecording, recordedTexts } from './answers/recorded.js'
import {
  type ObjectAnswer,
  type ObjectServer,
  type ObjectServerFaults,
  objectServer,
  pageOf,
} from './object-server.js'

/** Faults of a blob server. */
export interface AzureFaults extends ObjectServerFaults {
  /** Answers this many requests to the container with this response. */
  answers?: ({ recorded: string } | ObjectAnswer) & { times: number }
}

/** A server whose URL is the `endpoint=` of a location. */
export interface AzureServer extends ObjectServer {
  readonly account: string
  readonly container: string
  /** The environment of a service principal; it also allows the URL of the server as an endpoint. */
  readonly environment: Readonly<Record<string, string>>
  readonly faults: AzureFaults
  readonly blobs: Map<string, { readonly text: string; readonly run: string | undefined }>
  /** The token that the server accepts. The token endpoint of Entra, below the path of the tenant, grants it. */
  token: string
}

const account = 'devstoreaccount1'
const container = 'state-of-tests'
const tenant = '11111111-2222-3333-4444-555555555555'
const client = 'client-of-a-test'
const secret = 'secret-of-a-test~/+='
/** The client assertion for which the token is granted. */
export const assertion = 'assertion-of-a-test'
/** Tokens that are rejected, each with its own error. */
export const formerToken = 'former-token-of-a-test'
export const foreignToken = 'foreign-token-of-a-test'
/** Small, to split listings into pages. */
const pageSize = 3

/** Serves one container with the recorded responses of Azurite, and grants the tokens for it. */
export async function azureServer(faults: AzureFaults = {}): Promise<AzureServer> {
  const blobs: AzureServer['blobs'] = new Map()
  const held = { token: 'token-of-a-test' }
  const answer = (request: IncomingMessage, body: Buffer) =>
    request.url === `/${tenant}/oauth2/v2.0/token`
      ? grant(new URLSearchParams(body.toString()), held.token)
      : answerFor({ request, body, blobs, faults, token: held.token })
  const server = await objectServer({ faults, answer })
  const environment = {
    AZURE_STORAGE_SERVICE_ENDPOINT: server.url,
    AZURE_AUTHORITY_HOST: server.url,
    AZURE_TENANT_ID: tenant,
    AZURE_CLIENT_ID: client,
    AZURE_CLIENT_SECRET: secret,
  }
  return Object.assign(held, { ...server, account, container, environment, faults, blobs })
}

const recorded = recordedTexts(readRecording('azurite'))

interface Asked extends Pick<AzureServer, 'blobs' | 'faults' | 'token'> {
  readonly request: IncomingMessage
  readonly body: Buffer
}

function answerFor({ request, body, blobs, faults, token }: Asked): ObjectAnswer {
  if (faults.answers !== undefined && faults.answers.times > 0) {
    faults.answers.times -= 1
    return 'recorded' in faults.answers ? recorded(faults.answers.recorded) : faults.answers
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://storage')
  const [, ownAccount, ownContainer, ...segments] = pathname.split('/')
  const name = segments.join('/')
  const isWrite = request.method === 'PUT'
  const refused = findTokenProblem(request.headers.authorization, token)
  if (refused !== undefined) return recorded(refused)
  if (ownAccount !== account) return recorded('a listing of an account that does not exist')
  if (ownContainer !== container) return recorded('a listing of a container that does not exist')
  if (isWrite) return put(name, { request, body, blobs, faults })
  if (name === '') return list(searchParams, blobs, faults)
  const blob = faults.findsAll === undefined ? blobs.get(name) : { text: faults.findsAll, run: undefined }
  if (blob === undefined) return recorded('a missing version')
  const { headers } = recorded('a version')
  return { status: 200, headers: { ...headers, [runHeader]: blob.run ?? '' }, body: blob.text }
}

function findTokenProblem(authorization: string | undefined, token: string): string | undefined {
  const own = /^Bearer (.+)$/.exec(authorization ?? '')?.[1]
  if (own === undefined) return 'no token'
  if (own === formerToken) return 'a token that has ended'
  if (own === foreignToken) return 'a token for another service'
  return own === token ? undefined : 'a text that is no token'
}

const runHeader = 'x-ms-meta-landformrun'

function put(name: string, { request, body, blobs, faults }: Omit<Asked, 'token'>): ObjectAnswer {
  const { 'if-none-match': condition, 'x-ms-blob-type': type, 'x-ms-version': version } = request.headers
  if (condition !== '*' || type !== 'BlockBlob' || version === undefined) return { status: 400 }
  const made = recorded('a new version')
  if (faults.loses?.test(name)) return { ...made, body: '' }
  if (blobs.has(name) && !faults.ignoresConditions)
    return faults.confirmsAll ? { ...made, body: '' } : recorded('a version that exists')
  const text = faults.empties?.test(name) ? '' : body.toString()
  blobs.set(name, { text, run: request.headers[runHeader]?.toString() })
  return { ...made, body: '' }
}

/** Returns a recorded listing with other entries. */
function list(query: URLSearchParams, blobs: AzureServer['blobs'], faults: AzureFaults): ObjectAnswer {
  const [prefix, page] = [query.get('prefix') ?? '', query.get('marker')]
  const listed = [...blobs].slice(0, faults.listsFirst)
  const below = listed
    .filter(([name]) => name.startsWith(prefix))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const from = Number(page?.replace(/^&page=/, '') ?? 0)
  const limit = Number(query.get('maxresults') ?? pageSize)
  const { some, next } = pageOf(below, { from, limit }, faults)
  const empty = recorded('an empty listing')
  const entries = some.map(([name, { text }]) =>
    entry.replace(/(?<=<Name>)[^<]*/, name).replace(/(?<=<Content-MD5>)[^<]*/, digestOf(text)),
  )
  const limits = query.has('maxresults') ? { MaxResults: `${limit}` } : {}
  const texts: Readonly<Record<string, string>> = { Prefix: prefix, ...limits }
  const body = Object.entries(texts)
    .reduce((so, [name, text]) => so.replace(new RegExp(`(?<=<${name}>)[^<]*`), text), empty.body)
    .replace('<Marker/>', page === null ? '<Marker/>' : `<Marker>${page.replace('&', '&amp;')}</Marker>`)
    .replace('<Blobs/>', entries.length === 0 ? '<Blobs/>' : `<Blobs>${entries.join('')}</Blobs>`)
    .replace(
      '<NextMarker/>',
      next === undefined ? '<NextMarker/>' : `<NextMarker>&amp;page=${next}</NextMarker>`,
    )
  return { ...empty, body }
}

/** The entry of a blob in a recorded listing. */
const [entry = ''] = /<Blob>.*<\/Blob>/s.exec(recorded('a listing').body) ?? []

function digestOf(text: string): string {
  return createHash('md5').update(text).digest('base64')
}

/** Answers a token request as Entra does, with the form of its errors. RFC 6749 §5. */
function grant(form: URLSearchParams, token: string): ObjectAnswer {
  const isAsked =
    form.get('grant_type') === 'client_credentials' &&
    form.get('scope') === 'https://storage.azure.com/.default' &&
    form.get('client_id') === client
  const isKnown =
    form.get('client_secret') === secret ||
    (form.get('client_assertion') === assertion &&
      form.get('client_assertion_type') === 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  const refused = {
    error: 'invalid_client',
    error_description: `AADSTS7000215: Invalid client secret provided: ${form.get('client_secret')}`,
  }
  const granted = { token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: token }
  const isGranted = isAsked && isKnown
  return { status: isGranted ? 200 : 401, headers, body: JSON.stringify(isGranted ? granted : refused) }
}
