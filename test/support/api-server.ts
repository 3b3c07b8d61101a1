import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerOptions } from 'node:https'
import { type ObjectServer, type ObjectServerFaults, objectServer } from './object-server.js'

/** What is wrong with an API server. */
export interface ApiServerFaults extends ObjectServerFaults {
  /** So many requests are answered with this in place of what they ask for. */
  answers?: { status: number; reason?: string; times: number }
}

interface Secret {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> }
  readonly data: Readonly<Record<string, string>>
}

export interface ApiServer extends ObjectServer {
  readonly token: string
  readonly faults: ApiServerFaults
  readonly secrets: Map<string, Secret>
}

export const namespace = 'gis-state'
const token = 'token-of-a-pod'
/** Small, so that listings have pages. */
const pageSize = 4

/**
 * Serves the Secrets of one namespace as the documentation of the Kubernetes API describes it, for an account with a Role of
 * `create`, `get` and `list`; over TLS with a key and a certificate.
 */
export async function apiServer(faults: ApiServerFaults = {}, tls?: ServerOptions): Promise<ApiServer> {
  const secrets: ApiServer['secrets'] = new Map()
  const answer = (request: IncomingMessage, body: Buffer) => answerFor(request, body, { secrets, faults })
  const server = await objectServer({ faults, answer, send, tls })
  return { ...server, token, faults, secrets }
}

type Answer = readonly [number, object]

function answerFor(
  request: IncomingMessage,
  body: Buffer,
  { secrets, faults }: Pick<ApiServer, 'secrets' | 'faults'>,
): Answer {
  const url = new URL(request.url ?? '/', 'http://cluster')
  if (faults.answers !== undefined && faults.answers.times > 0) {
    faults.answers.times -= 1
    const { status: code, reason } = faults.answers
    return reason === undefined ? [code, { page: 'of a gateway' }] : status(code, reason)
  }
  if (request.headers.authorization !== `Bearer ${token}`) return status(401, 'Unauthorized')
  const [, place, name] = /^\/api\/v1\/namespaces\/([^/]+)\/secrets(?:\/([^/]+))?$/.exec(url.pathname) ?? []
  if (place === undefined) return status(404, 'NotFound')
  if (place === 'forbidden') return status(403, 'Forbidden')
  if (request.method === 'POST' && name === undefined) {
    if (place !== namespace) return status(404, 'NotFound')
    return create(request, body, { secrets, faults })
  }
  if (request.method !== 'GET') return status(403, 'Forbidden')
  if (name === undefined)
    return list(url.searchParams, request, place === namespace ? secrets : new Map(), faults)
  const found = place === namespace ? secrets.get(name) : undefined
  return found === undefined ? status(404, 'NotFound') : [200, found]
}

function create(
  request: IncomingMessage,
  body: Buffer,
  { secrets, faults }: Pick<ApiServer, 'secrets' | 'faults'>,
): Answer {
  if (request.headers['content-type'] !== 'application/json') return status(415, 'UnsupportedMediaType')
  const secret = JSON.parse(body.toString())
  const problem = findProblem(secret)
  if (problem !== undefined) return status(422, 'Invalid', problem)
  const { name } = secret.metadata
  if (faults.loses?.test(name)) return [201, secret]
  if (secrets.has(name) && !faults.ignoresConditions)
    return faults.confirmsAll ? [201, secret] : status(409, 'AlreadyExists')
  secrets.set(name, secret)
  return [201, secret]
}

/** The checks of the API server for a Secret, and that it is one of the state. */
function findProblem(secret: Record<string, unknown>): string | undefined {
  const { apiVersion, kind, metadata, type, immutable, data, ...others } = secret
  const { name, labels, ...more } = metadata as Secret['metadata'] & object
  if (Object.keys(others).length + Object.keys(more).length > 0) return 'unknown fields'
  if (apiVersion !== 'v1' || kind !== 'Secret' || type !== 'Opaque' || immutable !== true) return 'kind'
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name) || name.length > 253) return 'metadata.name'
  const isLabel = /^([A-Za-z0-9][A-Za-z0-9_.-]{0,61})?[A-Za-z0-9]$/
  if (
    !Object.entries(labels)
      .flat()
      .every(one => isLabel.test(one))
  )
    return 'metadata.labels'
  const values = Object.entries(data as Secret['data'])
  const isRight = values.every(
    ([key, value]) => /^[\w.-]+$/.test(key) && Buffer.from(value, 'base64').toString('base64') === value,
  )
  if (!isRight) return 'data'
  const bytes = values.reduce((sum, [, value]) => sum + Buffer.from(value, 'base64').length, 0)
  return bytes > 1_048_576 ? 'data: Too long' : undefined
}

function list(
  query: URLSearchParams,
  request: IncomingMessage,
  secrets: ApiServer['secrets'],
  faults: ApiServerFaults,
): Answer {
  const [label = '', value] = (query.get('labelSelector') ?? '').split('=')
  const all = [...secrets.values()].slice(0, faults.listsFirst)
  const found = all.filter(({ metadata: { labels } }) =>
    value === undefined ? label in labels : labels[label] === value,
  )
  const from = Number(query.get('continue') ?? 0)
  const limit = Math.min(pageSize, Number(query.get('limit') ?? pageSize))
  const isPartial =
    request.headers.accept?.startsWith('application/json;as=PartialObjectMetadataList;') ?? false
  const items = found
    .slice(from, from + limit)
    .map(({ metadata, ...secret }) => ({ ...(!isPartial && secret), metadata }))
  const rest = from + limit < found.length ? { continue: `${from + limit}` } : {}
  return [
    200,
    {
      kind: isPartial ? 'PartialObjectMetadataList' : 'SecretList',
      metadata: { resourceVersion: '1', ...rest },
      // As Go writes an empty list.
      items: items.length === 0 ? null : items,
    },
  ]
}

function status(code: number, reason: string, message = `a message with ${token}`): Answer {
  return [code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }]
}

function send(response: ServerResponse, [code, answer]: Answer): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}
