import type { Result } from '../result.js'
import { type ObjectStore, type Page, readPages } from './object-backend.js'
import { siteKey } from './series.js'
import type { KubernetesCause, KubernetesReason } from './state-failure.js'

/** A request to the API server. */
export interface KubernetesRequest {
  readonly method: 'GET' | 'POST'
  /** The path with the query. */
  readonly path: string
  readonly accept: string
  readonly body?: string
}

export interface KubernetesAnswer {
  readonly status: number
  readonly bytes: Buffer
  /** The server's `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number
}

/** Sends a request once, with the credentials of the cluster. */
type SendToKubernetes = (request: KubernetesRequest) => Promise<Result<KubernetesAnswer, KubernetesReason>>

/** The label of the Secrets with state. Not a well-known label: other tools delete objects by those. */
const label = 'landform-state'
const json = 'application/json'
/** The media types for a listing without data, because a site has many versions. */
const onlyNames = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
const pageSize = 500
const noListing: KubernetesReason = { kind: 'kubernetes', cause: 'not-kubernetes' }

/**
 * Stores each version as an immutable Secret of a namespace. Secrets have no owner, so no other deletion removes a
 * submission intent. Requires only `create`, `get` and `list`, so the API server itself protects existing versions.
 */
export function kubernetesStore(namespace: string, send: SendToKubernetes): ObjectStore {
  const secrets = `/api/v1/namespaces/${namespace}/secrets`
  const list = (selector: string) =>
    readPages(noListing, async (token): Promise<Result<Page, KubernetesReason>> => {
      const query = new URLSearchParams({
        labelSelector: selector,
        limit: `${pageSize}`,
        ...(token !== undefined && { continue: token }),
      })
      const reply = await send({ method: 'GET', path: `${secrets}?${query}`, accept: onlyNames })
      if (!reply.ok) return reply
      if (reply.value.status !== 200) return failed(reply.value, 'list')
      const page = parse(reply.value.bytes)
      // Go writes an empty list as null.
      const items = page?.['items'] === null ? [] : page?.['items']
      if (!Array.isArray(items)) return failed(reply.value, 'list')
      return {
        ok: true,
        value: {
          names: items.map((item: unknown) => readText(item, 'metadata', 'name') ?? ''),
          next: readText(page, 'metadata', 'continue') || undefined,
        },
      }
    })
  return {
    kind: 'kubernetes',
    probeName: 'landform-state-probe',
    // Only the digest must be exact; the host is for readers.
    keyOf: site =>
      siteKey(site)
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]/g, '-'),
    nameOf: (key, serial) => `landform-${key}-${String(serial).padStart(6, '0')}`,
    async create(name, { text, run }) {
      const secret = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, labels: { [label]: digestIn(name) } },
        type: 'Opaque',
        immutable: true,
        data: { state: toBase64(text), run: toBase64(run) },
      }
      const reply = await send({ method: 'POST', path: secrets, accept: json, body: JSON.stringify(secret) })
      if (!reply.ok) return reply
      const { status, bytes } = reply.value
      if (status === 201) return { ok: true, value: true }
      const reason = readText(parse(bytes), 'reason')
      if (status === 409 && reason === 'AlreadyExists') return { ok: true, value: false }
      return status === 404 && reason === 'NotFound'
        ? failKubernetes('no-namespace', reason)
        : failed(reply.value, 'create')
    },
    async read(name) {
      const reply = await send({ method: 'GET', path: `${secrets}/${name}`, accept: json })
      if (!reply.ok) return reply
      const { status, bytes } = reply.value
      const answer = parse(bytes)
      const [text, run] = [readText(answer, 'data', 'state'), readText(answer, 'data', 'run')]
      if (status === 200 && text !== undefined && run !== undefined)
        return { ok: true, value: { text: fromBase64(text), run: fromBase64(run) } }
      // Another Secret of that name does not belong to Landform, but it exists.
      const isMissing = status === 404 && readText(answer, 'reason') === 'NotFound'
      return isMissing ? { ok: true, value: undefined } : failed(reply.value, 'get')
    },
    async listSerials(key) {
      const names = await list(`${label}=${digestIn(key)}`)
      if (!names.ok) return names
      const prefix = `landform-${key}-`
      const serials = names.value
        .filter(name => name.startsWith(prefix))
        .map(name => Number(/^\d{6,}$/.exec(name.slice(prefix.length))?.[0] ?? 0))
      return { ok: true, value: serials }
    },
  }
}

/** Returns the digest of the site's address, which is short enough for a label; for the probe, its name. */
function digestIn(name: string): string {
  return /-([0-9a-f]{12})(?:-\d{6,})?$/.exec(name)?.[1] ?? 'probe'
}

/** Fails a request to a cluster. */
export function failKubernetes(
  cause: KubernetesCause,
  said?: string,
  retryAfterMs?: number,
): Result<never, KubernetesReason> {
  const more = { ...(said !== undefined && { said }), ...(retryAfterMs !== undefined && { retryAfterMs }) }
  return { ok: false, error: { kind: 'kubernetes', cause, ...more } }
}

/** Reads an unexpected answer. Keeps only its reason and the missing permission, because the message may quote anything. */
function failed(
  { status, bytes, retryAfterMs }: KubernetesAnswer,
  verb: 'create' | 'get' | 'list',
): Result<never, KubernetesReason> {
  const answer = parse(bytes)
  const reason = readText(answer, 'kind') === 'Status' ? readText(answer, 'reason') : undefined
  const said = reason !== undefined && /^[A-Za-z]{1,60}$/.test(reason) ? reason : `HTTP ${status}`
  // A page of a listing expired (410), or there were concurrent writes (409).
  if (status === 429 || status >= 500 || status === 409 || status === 410)
    return failKubernetes('busy', said, retryAfterMs)
  if (status === 401) return failKubernetes('wrong-credentials', said)
  if (status === 403) return failKubernetes('access-denied', `${verb} secrets: ${said}`)
  if (status === 413 || (status === 422 && reason === 'Invalid')) return failKubernetes('too-large', said)
  return reason === undefined ? failKubernetes('not-kubernetes', said) : failKubernetes(status, said)
}

type Answer = Readonly<Record<string, unknown>>

function parse(bytes: Buffer): Answer | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readText(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce((at, name) => (isObject(at) ? at[name] : undefined), value)
  return typeof found === 'string' ? found : undefined
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8')
}
