import type { Clock } from '../apply/clock.js'
import { classifyStoreFailure, findStoreRoute, sendToStore } from '../library/reach-store.js'
import type { Result } from '../result.js'
import type { ReviewRequest } from './review-request.js'

/** A comment that the first run creates and every later run replaces. */
export interface KeptComment {
  /** The last line of the comment, which identifies it. */
  readonly marker: string
  /** Builds the new text; `undefined` if there is nothing to report. */
  build(hasEarlier: boolean): string | undefined
}

type CommentOutcome = 'created' | 'updated' | 'unchanged' | 'not needed'

/** A reason why a comment could not be written. */
export type CommentProblem =
  | { readonly kind: 'unreachable' | 'untrusted'; readonly reason: string }
  | { readonly kind: 'unusable-proxy'; readonly variable: string }
  | { readonly kind: 'forbidden' | 'rejected' | 'unavailable' | 'limited'; readonly status: number }

interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
}

type Kept = Result<CommentOutcome, CommentProblem & { readonly pauseMs?: number }>

/** The comment in a pull or merge request, while the API is unavailable. */
const commentTries = 4
/** The comment in a pull or merge request, at most. If the API asks for a longer pause, the command fails. */
const longestPauseMs = 60_000

/**
 * Creates the comment in a pull or merge request, or replaces it; retries while the API is unavailable. Each attempt
 * searches again, because a failed one may have created the comment.
 */
export async function keepComment(
  request: ReviewRequest,
  comment: KeptComment,
  { environment, clock }: Surroundings,
): Promise<Result<CommentOutcome, CommentProblem>> {
  const found = findStoreRoute(request.api, environment)
  if (!found.ok) return { ok: false, error: { kind: 'unusable-proxy', variable: found.error } }
  const { value: route } = found
  const send: Send = (method, path, body) => sendJson({ request, route, method, path, body })
  const { signal } = new AbortController()
  for (let tries = 1; ; tries += 1) {
    const kept = await writeOnce(request, comment, send)
    const pauseMs = kept.ok ? undefined : kept.error.pauseMs
    if (pauseMs === undefined || pauseMs > longestPauseMs || tries === commentTries) return kept
    await clock.sleep(pauseMs, signal)
  }
}

async function writeOnce(request: ReviewRequest, { marker, build }: KeptComment, send: Send): Promise<Kept> {
  const found = await findEarlier(request, marker, send)
  if (!found.ok) return found
  const earlier = found.value
  const body = build(earlier !== undefined)
  if (body === undefined) return { ok: true, value: 'not needed' }
  if (body.trimEnd() === earlier?.body.trimEnd()) return { ok: true, value: 'unchanged' }
  const { edit, comments } = request
  const written =
    earlier === undefined
      ? await send('POST', comments, { body })
      : await send(edit.method, `${edit.path}/${earlier.id}`, { body })
  return written.ok ? { ok: true, value: earlier === undefined ? 'created' : 'updated' } : written
}

interface Earlier {
  readonly id: number
  readonly body: string
}

/** The comments of a pull or merge request, to find that of an earlier run. */
const maxPages = 100
const commentsPerPage = 100

/** Finds the comment of an earlier run. Ignores those of other accounts, which may have a copy of the marker. */
async function findEarlier(
  { comments, hasAccount }: ReviewRequest,
  marker: string,
  send: Send,
): Promise<Result<Earlier | undefined, CommentProblem>> {
  const account = hasAccount ? await send('GET', '/user') : undefined
  if (account?.ok === false) return account
  const own = account && readMembers(account.value)['id']
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await send('GET', `${comments}?per_page=${commentsPerPage}&page=${page}`)
    if (!answer.ok) return answer
    if (!Array.isArray(answer.value)) return { ok: false, error: { kind: 'rejected', status: 200 } }
    for (const value of answer.value) {
      const { id, body, user, author = user } = readMembers(value)
      const writer = readMembers(author)
      const isOurs = own === undefined ? writer['type'] === 'Bot' : writer['id'] === own
      if (isOurs && typeof id === 'number' && typeof body === 'string' && body.trimEnd().endsWith(marker))
        return { ok: true, value: { id, body } }
    }
    if (answer.value.length < commentsPerPage) break
  }
  return { ok: true, value: undefined }
}

function readMembers(value: unknown): Readonly<Record<string, unknown>> {
  return (value ?? {}) as Readonly<Record<string, unknown>>
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT'
type Answer = Result<unknown, CommentProblem & { readonly pauseMs?: number }>
type Send = (method: Method, path: string, json?: object) => Promise<Answer>

interface JsonRequest {
  readonly request: ReviewRequest
  readonly route: Parameters<typeof sendToStore>[1]
  readonly method: Method
  readonly path: string
  readonly body: object | undefined
}

async function sendJson({ request, route, method, path, body }: JsonRequest): Promise<Answer> {
  const bytes = body && Buffer.from(JSON.stringify(body))
  const headers = {
    accept: request.accept,
    authorization: `Bearer ${request.token}`,
    ...(bytes && { 'content-type': 'application/json', 'content-length': `${bytes.byteLength}` }),
  }
  const answer = await sendToStore(
    {
      method,
      url: request.api,
      path,
      headers,
      answerHeader: 'x-ratelimit-remaining',
      ...(bytes && { body: { contentType: 'application/json', bytes } }),
    },
    route,
  )
  if (!answer.ok) {
    const { cause, said } = classifyStoreFailure(answer.error)
    if (cause !== 'unreachable') return { ok: false, error: { kind: 'untrusted', reason: said } }
    return { ok: false, error: { kind: 'unreachable', reason: said, pauseMs: commentPauseMs } }
  }
  const { status, header, retryAfterMs } = answer.value
  const value = parseJson(answer.value.bytes)
  if (status >= 200 && status < 300) return { ok: true, value }
  // GitHub responds to a rate limit and to a token without permission with the same status.
  const isLimit =
    status === 429 ||
    (status === 403 &&
      (retryAfterMs !== undefined ||
        header === '0' ||
        /rate limit/i.test(`${readMembers(value)['message']}`)))
  if (isLimit)
    return { ok: false, error: { kind: 'limited', status, pauseMs: retryAfterMs ?? longestPauseMs } }
  if (status >= 500)
    return { ok: false, error: { kind: 'unavailable', status, pauseMs: retryAfterMs ?? commentPauseMs } }
  return { ok: false, error: { kind: [401, 403, 404].includes(status) ? 'forbidden' : 'rejected', status } }
}

/** The comment in a pull or merge request, unless the API asks for another pause. */
const commentPauseMs = 4_000

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
