import type { IncomingMessage } from 'node:http'
import type { ServerOptions } from 'node:https'
import { type RecordedAnswer, readRecording } from './answers/recorded.js'
import { type ObjectServer, type ObjectServerFaults, objectServer, pageOf } from './object-server.js'

/** Faults of an API server. */
export interface ApiServerFaults extends ObjectServerFaults {
  /** Answers this many requests with a recorded response, or with one that no real server could be made to give. */
  answers?: ({ recorded: string } | { status: number; reason?: string }) & { times: number }
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
/** Small, to split listings into pages. */
const pageSize = 4

/**
 * Serves the Secrets of one namespace with the recorded responses of a Kubernetes API server. The account has a Role with
 * `create`, `get` and `list` in that namespace. With a key and a certificate it uses TLS.
 */
export async function apiServer(faults: ApiServerFaults = {}, tls?: ServerOptions): Promise<ApiServer> {
  const secrets: ApiServer['secrets'] = new Map()
  const answer = (request: IncomingMessage, body: Buffer) => answerFor(request, body, { secrets, faults })
  const server = await objectServer({ faults, answer, tls })
  return { ...server, token, faults, secrets }
}

const { answers } = readRecording('kubernetes')
const recordedName = /landform-gis-example-org-0123456789ab-\d{6}/g

/** Returns a recorded answer, with the name of its Secret replaced by `name`. */
function recorded(what: string, name = ''): RecordedAnswer {
  const answer = answers[what]
  if (answer === undefined) throw new Error(`nothing is recorded of ${what}`)
  return JSON.parse(JSON.stringify(answer).replaceAll(recordedName, name)) as RecordedAnswer
}

/** Returns an answer that could not be recorded from a real server. */
function invented(status: number, reason: string): RecordedAnswer {
  const message = `a message with ${token}`
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    code: status,
  }
  return { status, headers: { 'content-type': 'application/json' }, body }
}

function answerFor(
  request: IncomingMessage,
  body: Buffer,
  { secrets, faults }: Pick<ApiServer, 'secrets' | 'faults'>,
): RecordedAnswer {
  const url = new URL(request.url ?? '/', 'http://cluster')
  if (faults.answers !== undefined && faults.answers.times > 0) {
    faults.answers.times -= 1
    const { answers: given } = faults
    if ('recorded' in given) return recorded(given.recorded)
    const { status, reason } = given
    const page = { status, headers: { 'content-type': 'application/json' }, body: { page: 'of a gateway' } }
    return reason === undefined ? page : invented(status, reason)
  }
  if (request.headers.authorization !== `Bearer ${token}`) return recorded('a wrong token')
  const [, place, name] = /^\/api\/v1\/namespaces\/([^/]+)\/secrets(?:\/([^/]+))?$/.exec(url.pathname) ?? []
  const isCreation = request.method === 'POST' && name === undefined
  // The account has its Role in one namespace, so the answer does not reveal which others exist.
  if (place !== namespace || (request.method !== 'GET' && !isCreation))
    return recorded(isCreation ? 'a new version that is forbidden' : 'a listing that is forbidden')
  if (isCreation) return create(request, body, { secrets, faults })
  if (name === undefined) return list(url.searchParams, request, secrets, faults)
  const any = [...secrets.values()][0]
  const found =
    faults.findsAll === undefined || any === undefined
      ? secrets.get(name)
      : { ...any, data: { ...any.data, state: Buffer.from(faults.findsAll).toString('base64') } }
  return found === undefined ? recorded('a missing version', name) : describe('a version', found)
}

/** Returns a recorded answer with this Secret. */
function describe(what: string, { metadata, data }: Secret): RecordedAnswer {
  const { body, ...answer } = recorded(what, metadata.name)
  const object = body as Secret
  return { ...answer, body: { ...object, metadata: { ...object.metadata, labels: metadata.labels }, data } }
}

function create(
  request: IncomingMessage,
  body: Buffer,
  { secrets, faults }: Pick<ApiServer, 'secrets' | 'faults'>,
): RecordedAnswer {
  if (request.headers['content-type'] !== 'application/json') return invented(415, 'UnsupportedMediaType')
  const secret = JSON.parse(body.toString())
  const { name } = secret.metadata
  const problem = findProblem(secret)
  if (problem === 'too large') return recorded('a version that is too large', name)
  if (problem !== undefined) return invented(400, problem)
  const made = describe('a new version', secret)
  if (faults.loses?.test(name)) return made
  if (secrets.has(name) && !faults.ignoresConditions)
    return faults.confirmsAll ? made : recorded('a version that exists', name)
  secrets.set(name, faults.empties?.test(name) ? { ...secret, data: { ...secret.data, state: '' } } : secret)
  return made
}

/** Checks a Secret as the API server does, and that it has the form of those for state. */
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
  return bytes > 1_048_576 ? 'too large' : undefined
}

function list(
  query: URLSearchParams,
  request: IncomingMessage,
  secrets: ApiServer['secrets'],
  faults: ApiServerFaults,
): RecordedAnswer {
  const [label = '', value] = (query.get('labelSelector') ?? '').split('=')
  const all = [...secrets.values()].slice(0, faults.listsFirst)
  const found = all.filter(({ metadata: { labels } }) =>
    value === undefined ? label in labels : labels[label] === value,
  )
  const from = Number(query.get('continue') ?? 0)
  const limit = Math.min(pageSize, Number(query.get('limit') ?? pageSize))
  if (!request.headers.accept?.startsWith('application/json;as=PartialObjectMetadataList;'))
    return invented(406, 'NotAcceptable')
  const { some: page, next } = pageOf(found, { from, limit }, faults)
  // In Go's JSON an empty list is `null`.
  const empty = recorded('an empty listing')
  if (page.length === 0 && faults.listsForever === undefined) return empty
  const answer = recorded(next === undefined ? 'a listing' : 'the first page of a listing')
  const { items, metadata, ...others } = answer.body as Listing
  const [item] = items
  return {
    ...answer,
    body: {
      ...others,
      metadata: { ...metadata, ...(next !== undefined && { continue: `${next}` }) },
      items: page.map(({ metadata: { name, labels: own } }) => ({
        ...item,
        metadata: { ...item?.metadata, name, labels: own },
      })),
    },
  }
}

interface Listing {
  readonly metadata: object
  readonly items: readonly { readonly metadata: object }[]
}
