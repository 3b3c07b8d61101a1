import type { IncomingMessage } from 'node:http'
import { type Answer, refusal, sendAnswer } from '../../../../src/page/answer.js'
import type { Exchange } from './door.js'
import type { Sessions } from './sessions.js'

/** Longer than any token. */
const bodyBytesAtMost = 4096

/** The access rules of the page. */
export interface Entrance {
  /** Absent if everyone who reaches the page can read it. */
  readonly guard: Sessions | undefined
  /** Part of the cookie name, because cookies do not distinguish ports. */
  readonly port: number
}

/**
 * Handles the sign-in form: a correct token gets a cookie that no script can read, that other sites cannot send, and that
 * is never sent over HTTP if the page was loaded over HTTPS.
 */
export async function signIn({ guard, port }: Entrance, { incoming, outgoing }: Exchange): Promise<void> {
  if (guard === undefined) return sendAnswer(outgoing, refusal(404, 'Sign-in is not required.'))
  const form = await formOf(incoming)
  if (form === undefined) return sendAnswer(outgoing, refusal(413, 'The token is too long.'))
  const knows = await guard.knows(form.get('token') ?? '')
  if (knows !== true) return sendAnswer(outgoing, wrong(knows))
  const isSafe = incoming.headers.origin?.startsWith('https:') === true
  const cookie = `${cookieName(port)}=${guard.begin()}; Path=/; HttpOnly; SameSite=Strict${isSafe ? '; Secure' : ''}`
  sendAnswer(outgoing, {
    httpStatus: 204,
    contentType: 'text/plain',
    content: '',
    headers: { 'set-cookie': cookie },
  })
}

/** Returns true for a signed-in reader or a request with the token, else the response. */
export async function isSignedIn(
  { guard, port }: Entrance,
  { headers }: IncomingMessage,
): Promise<true | Answer> {
  if (guard === undefined) return true
  const cookies = (headers.cookie ?? '').split(';').map(cookie => cookie.trim())
  const session = cookies.find(cookie => cookie.startsWith(`${cookieName(port)}=`))
  if (session !== undefined && guard.isKnown(session.slice(session.indexOf('=') + 1))) return true
  const [, token] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (token === undefined)
    return { ...refusal(401, 'Sign-in required.'), headers: { 'www-authenticate': 'Bearer' } }
  const knows = await guard.knows(token)
  return knows === true ? true : wrong(knows)
}

function wrong(knows: false | 'busy'): Answer {
  if (knows === false) return refusal(401, 'Wrong token.')
  return { ...refusal(429, 'Too many wrong tokens: try again later.'), headers: { 'retry-after': '1' } }
}

function cookieName(port: number): string {
  return `landform-fleet-${port}`
}

async function formOf(incoming: IncomingMessage): Promise<URLSearchParams | undefined> {
  let body = ''
  // Reads to the end: a request that is cut off receives no response.
  for await (const piece of incoming.setEncoding('latin1')) if (body.length <= bodyBytesAtMost) body += piece
  return body.length > bodyBytesAtMost ? undefined : new URLSearchParams(body)
}
