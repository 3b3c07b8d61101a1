import { Client, type Dispatcher } from 'undici'
import { failed, type Reply, type ServiceFailure } from './failure.js'
import type { Body } from './wire/multipart.js'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** Base URL of the site. */
  readonly url: string
  /** Below the base URL, with the query. */
  readonly path: string
  readonly body?: Body
  /** The header of that name. It is a text, which cannot be wiped: only for reading what takes the token in no body. */
  readonly authorization?: string
  /** How long the whole call may take. */
  readonly deadlineMs: number
  /** A longer answer counts as none. */
  readonly mostAnswerBytes?: number
  readonly signal: AbortSignal
}

export interface HttpAnswer {
  readonly status: number
  readonly bytes: Buffer
}

const connectMs = 10_000
const usualMostBytes = 4 * 1024 * 1024

/**
 * Sends one request, once, on a connection of its own: an idle one may die under a POST, or hold the answer to
 * another request. HTTP/1.1, TLS 1.2 or newer and always verified; no redirects, no retries, no compression.
 */
export async function send(request: HttpRequest): Promise<Reply<HttpAnswer>> {
  const { origin, pathname } = new URL(request.url)
  const deadline = AbortSignal.timeout(request.deadlineMs)
  const signal = AbortSignal.any([request.signal, deadline])
  const client = new Client(origin, {
    allowH2: false,
    // With the signal, since undici itself waits a connection in the making out.
    connect: { timeout: connectMs, minVersion: 'TLSv1.2', rejectUnauthorized: true, signal },
    headersTimeout: request.deadlineMs,
    bodyTimeout: request.deadlineMs,
    pipelining: 1,
  })
  let connected = false
  client.once('connect', () => {
    connected = true
  })
  try {
    const answer = await client.request({
      method: request.method,
      path: targetOf(pathname, request.path),
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(request.body !== undefined && { 'content-type': request.body.contentType }),
        ...(request.authorization !== undefined && { authorization: request.authorization }),
      },
      body: request.body?.bytes ?? null,
      signal,
    })
    const bytes = await readAll(answer.body, request.mostAnswerBytes ?? usualMostBytes)
    return { ok: true, value: { status: answer.statusCode, bytes } }
  } catch (error) {
    const reason = deadline.aborted ? 'no answer in time' : codeOf(error)
    if (connected) return failed({ kind: 'no-answer', reason })
    return failed({ kind: 'not-sent', cause: causeOf(reason, request.signal), reason })
  } finally {
    // Not `close`, which waits for an answer that may never end.
    await client.destroy()
  }
}

/** A site at the top of its host still needs a slash before the query. */
function targetOf(base: string, path: string): string {
  const target = `${base.replace(/\/+$/, '')}${path}`
  return target.startsWith('/') ? target : `/${target}`
}

async function readAll(body: Dispatcher.ResponseData['body'], mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.byteLength
    if (length > mostBytes) throw Object.assign(new Error('answer too large'), { code: 'ANSWER_TOO_LARGE' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function causeOf(code: string, stopped: AbortSignal): (ServiceFailure & { kind: 'not-sent' })['cause'] {
  if (stopped.aborted) return 'stopped'
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return 'name'
  if (/CERT|TLS|SSL|^UNABLE_TO_|^EPROTO$/.test(code)) return 'tls'
  return 'connection'
}

/** The code of an error: messages may quote what was sent or received. */
function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}
