import type { IncomingMessage } from 'node:http'
import { buildError, type PageResponse, sendResponse } from '../../../../src/live-page/response.js'
import type { PageExchange } from './request-guard.js'
import type { PageSessions } from './sessions.js'

/** Longer than any token. */
const maxBodyBytes = 4096

/** The access rules of the page. */
export interface PageAccess {
  /** Absent if everyone who reaches the page can read it. */
  readonly guard: PageSessions | undefined
  /** Part of the cookie name, because cookies do not distinguish ports. */
  readonly port: number
}

/**
 * Handles the sign-in form: a correct token gets a cookie that no script can read, that other sites cannot send, and that
 * is never sent over HTTP if the page was loaded over HTTPS.
 */
export async function signIn(
  { guard, port }: PageAccess,
  { incoming, outgoing }: PageExchange,
): Promise<void> {
  if (guard === undefined) return sendResponse(outgoing, buildError(404, 'Sign-in is not required.'))
  const form = await readForm(incoming)
  if (form === undefined) return sendResponse(outgoing, buildError(413, 'The token is too long.'))
  const knows = await guard.checkToken(form.get('token') ?? '')
  if (knows !== true) return sendResponse(outgoing, rejectToken(knows))
  const isSafe = incoming.headers.origin?.startsWith('https:') === true
  const cookie = `${cookieName(port)}=${guard.begin()}; Path=/; HttpOnly; SameSite=Strict${isSafe ? '; Secure' : ''}`
  sendResponse(outgoing, {
    httpStatus: 204,
    contentType: 'text/plain',
    content: '',
    headers: { 'set-cookie': cookie },
  })
}

/** Returns true for a signed-in reader or a request with the token, else the response. */
export async function isSignedIn(
  { guard, port }: PageAccess,
  { headers }: IncomingMessage,
): Promise<true | PageResponse> {
  if (guard === undefined) return true
  const cookies = (headers.cookie ?? '').split(';').map(cookie => cookie.trim())
  const session = cookies.find(cookie => cookie.startsWith(`${cookieName(port)}=`))
  if (session !== undefined && guard.isKnown(session.slice(session.indexOf('=') + 1))) return true
  const [, token] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (token === undefined)
    return { ...buildError(401, 'Sign-in required.'), headers: { 'www-authenticate': 'Bearer' } }
  const knows = await guard.checkToken(token)
  return knows === true ? true : rejectToken(knows)
}

function rejectToken(knows: false | 'busy'): PageResponse {
  if (knows === false) return buildError(401, 'Wrong token.')
  return { ...buildError(429, 'Too many wrong tokens: try again later.'), headers: { 'retry-after': '1' } }
}

function cookieName(port: number): string {
  return `landform-fleet-${port}`
}

async function readForm(incoming: IncomingMessage): Promise<URLSearchParams | undefined> {
  let body = ''
  // Reads to the end: a request that is cut off receives no response.
  for await (const piece of incoming.setEncoding('latin1')) if (body.length <= maxBodyBytes) body += piece
  return body.length > maxBodyBytes ? undefined : new URLSearchParams(body)
}
