import type { Result } from '../result.js'
import { decodeEntities, folderStore, parseErrorCode, type StorageAnswer } from './folder-store.js'
import type { ObjectStore, Page } from './object-backend.js'
import type { S3Cause, S3Reason } from './state-failure.js'

/** Signs a request and sends it once. */
type SendToS3 = (request: S3Request) => Promise<Result<StorageAnswer, S3Reason>>

/** Stores each version as an object of a bucket. */
export function s3Store(prefix: string, send: SendToS3): ObjectStore {
  const noListing: S3Reason = { kind: 's3', cause: 'not-object-storage' }
  return folderStore(prefix, {
    kind: 's3',
    noListing,
    async create(key, { text, run }) {
      const headers = { 'if-none-match': '*', [runHeader]: run, 'content-type': 'application/json' }
      const reply = await send({ method: 'PUT', key, headers, body: Buffer.from(text) })
      if (!reply.ok) return reply
      const { status } = reply.value
      return status === 200 || status === 412
        ? { ok: true, value: status === 200 }
        : parseS3Failure(reply.value)
    },
    async read(key) {
      const reply = await send({ method: 'GET', key })
      if (!reply.ok) return reply
      const { status, bytes, run = '' } = reply.value
      if (status === 200) return { ok: true, value: { text: bytes.toString('utf8'), run } }
      // Any other 404 does not show whether the version exists.
      const isMissing = status === 404 && parseErrorCode(bytes) === 'NoSuchKey'
      return isMissing ? { ok: true, value: undefined } : parseS3Failure(reply.value)
    },
    async readPage(below, token) {
      const query = {
        'list-type': '2',
        prefix: below,
        ...(token !== undefined && { 'continuation-token': token }),
      }
      const reply = await send({ method: 'GET', key: '', query })
      if (!reply.ok) return reply
      if (reply.value.status !== 200) return parseS3Failure(reply.value)
      const page = parseS3Page(reply.value.bytes)
      return page === undefined ? { ok: false, error: noListing } : { ok: true, value: page }
    },
  })
}

/** A request to a bucket. */
export interface S3Request {
  readonly method: 'GET' | 'PUT'
  /** The key; empty for the bucket itself. Contains no characters that need escaping in a path. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** The header with the ID of the write that created an object. */
export const runHeader = 'x-amz-meta-landform-run'

/** The causes by error code; the status decides for other codes. */
const causes: Readonly<Record<string, S3Cause>> = {
  ExpiredToken: 'expired-credentials',
  ExpiredTokenException: 'expired-credentials',
  TokenRefreshRequired: 'expired-credentials',
  InvalidAccessKeyId: 'wrong-credentials',
  InvalidToken: 'wrong-credentials',
  SignatureDoesNotMatch: 'wrong-credentials',
  RequestTimeTooSkewed: 'wrong-clock',
  NoSuchBucket: 'no-bucket',
  PermanentRedirect: 'other-region',
  TemporaryRedirect: 'other-region',
  AuthorizationHeaderMalformed: 'other-region',
  IllegalLocationConstraintException: 'other-region',
  NotImplemented: 'no-conditions',
  EntityTooLarge: 'too-large',
  QuotaExceeded: 'full',
  SlowDown: 'busy',
  ConditionalRequestConflict: 'busy',
  OperationAborted: 'busy',
  RequestTimeout: 'busy',
}

/** Parses an answer that the request does not expect. */
function parseS3Failure({ status, bytes, retryAfterMs }: StorageAnswer): Result<never, S3Reason> {
  const code = parseErrorCode(bytes)
  const said = code ?? `HTTP ${status}`
  const known = code === undefined ? undefined : causes[code]
  return failS3(known ?? causeOfStatus(status, code), said, retryAfterMs)
}

/** Fails a request to object storage. */
export function failS3(cause: S3Cause, said?: string, retryAfterMs?: number): Result<never, S3Reason> {
  const more = { ...(said !== undefined && { said }), ...(retryAfterMs !== undefined && { retryAfterMs }) }
  return { ok: false, error: { kind: 's3', cause, ...more } }
}

function causeOfStatus(status: number, code: string | undefined): S3Cause {
  if (status === 501) return 'no-conditions'
  if (status === 429 || status >= 500) return 'busy'
  if (status >= 300 && status < 400) return 'other-region'
  if (status === 401 || status === 403) return 'access-denied'
  return code === undefined ? 'not-object-storage' : status
}

/** Parses a listing; `undefined` for anything else. */
function parseS3Page(bytes: Buffer): Page | undefined {
  const text = bytes.toString('utf8')
  if (!/<ListBucketResult\b/.test(text)) return undefined
  const names = [...text.matchAll(/<Key>([^<]*)</g)].map(([, name = '']) => decodeEntities(name))
  const next = /<NextContinuationToken>([^<]+)</.exec(text)?.[1]
  const isCut = /<IsTruncated>\s*true\s*</.test(text)
  if (isCut && next === undefined) return undefined
  return { names, ...(isCut && next !== undefined && { next: decodeEntities(next) }) }
}
