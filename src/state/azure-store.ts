import type { Result } from '../result.js'
import { decodeEntities, folderStore, parseErrorCode, type StorageAnswer } from './folder-store.js'
import type { ObjectStore, Page } from './object-backend.js'
import type { AzureCause, AzureReason } from './state-failure.js'

/** A request to a container. */
export interface AzureRequest {
  readonly method: 'GET' | 'PUT'
  /** The name of a blob; empty for the container itself. Contains no characters that need escaping in a path. */
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** Sends a request once, with a token. */
type SendToAzure = (request: AzureRequest) => Promise<Result<StorageAnswer, AzureReason>>

/** The header with the ID of the write that created a blob. Names of metadata have no hyphens. */
export const azureRunHeader = 'x-ms-meta-landformrun'

/** Stores each version as a block blob of a container. Azure Storage REST: Put Blob, Get Blob, List Blobs. */
export function azureStore(prefix: string, send: SendToAzure): ObjectStore {
  const noListing: AzureReason = { kind: 'azblob', cause: 'not-blob-storage' }
  return folderStore(prefix, {
    kind: 'azblob',
    noListing,
    async create(name, { text, run }) {
      const headers = {
        'if-none-match': '*',
        'x-ms-blob-type': 'BlockBlob',
        [azureRunHeader]: run,
        'content-type': 'application/json',
      }
      const reply = await send({ method: 'PUT', name, headers, body: Buffer.from(text) })
      if (!reply.ok) return reply
      const { status, bytes } = reply.value
      if (status === 201) return { ok: true, value: true }
      // An immutability policy may reject writes to existing blobs whatever the condition.
      const isThere = /^Blob(?:AlreadyExists|ImmutableDueToPolicy)$/.test(parseErrorCode(bytes) ?? '')
      return status === 412 || (status === 409 && isThere)
        ? { ok: true, value: false }
        : parseAzureFailure(reply.value)
    },
    async read(name) {
      const reply = await send({ method: 'GET', name })
      if (!reply.ok) return reply
      const { status, bytes, run = '' } = reply.value
      if (status === 200) return { ok: true, value: { text: bytes.toString('utf8'), run } }
      // Any other 404 does not show whether the version exists.
      const isMissing = status === 404 && parseErrorCode(bytes) === 'BlobNotFound'
      return isMissing ? { ok: true, value: undefined } : parseAzureFailure(reply.value)
    },
    async readPage(below, token) {
      const marker = token === undefined ? {} : { marker: token }
      const query = { restype: 'container', comp: 'list', prefix: below, ...marker }
      const reply = await send({ method: 'GET', name: '', query })
      if (!reply.ok) return reply
      if (reply.value.status !== 200) return parseAzureFailure(reply.value)
      const page = parseAzurePage(reply.value.bytes)
      return page === undefined ? { ok: false, error: noListing } : { ok: true, value: page }
    },
  })
}

/** The causes by error code; the status decides for other codes. */
const causes: Readonly<Record<string, AzureCause>> = {
  AuthenticationFailed: 'wrong-credentials',
  InvalidAuthenticationInfo: 'wrong-credentials',
  NoAuthenticationInformation: 'wrong-credentials',
  AuthorizationFailure: 'network-denied',
  ContainerNotFound: 'no-container',
  ContainerBeingDeleted: 'no-container',
  ContainerDisabled: 'no-container',
  RequestBodyTooLarge: 'too-large',
  OperationTimedOut: 'busy',
  ServerBusy: 'busy',
}

/** Parses an answer that the request does not expect. */
function parseAzureFailure({ status, bytes, retryAfterMs }: StorageAnswer): Result<never, AzureReason> {
  const code = parseErrorCode(bytes)
  const known = code === undefined ? undefined : causes[code]
  const cause = known ?? causeOfStatus(status, code)
  return failAzure(cause, { said: code ?? `HTTP ${status}`, ...(retryAfterMs && { retryAfterMs }) })
}

/** Fails a request to Azure. */
export function failAzure(
  cause: AzureCause,
  more: Omit<AzureReason, 'kind' | 'cause'> = {},
): Result<never, AzureReason> {
  return { ok: false, error: { kind: 'azblob', cause, ...more } }
}

function causeOfStatus(status: number, code: string | undefined): AzureCause {
  if (status === 429 || status >= 500) return 'busy'
  if (status === 401) return 'wrong-credentials'
  if (status === 403) return 'access-denied'
  return code === undefined ? 'not-blob-storage' : status
}

/** Parses a complete listing; `undefined` for anything else, such as a truncated one. */
function parseAzurePage(bytes: Buffer): Page | undefined {
  const text = bytes.toString('utf8')
  if (!/<EnumerationResults\b.*<\/EnumerationResults>/s.test(text)) return undefined
  const names = [...text.matchAll(/<Name>([^<]*)</g)].map(([, name = '']) => decodeEntities(name))
  const next = /<NextMarker>([^<]+)</.exec(text)?.[1]
  return { names, ...(next !== undefined && { next: decodeEntities(next) }) }
}
