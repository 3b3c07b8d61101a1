import type { IncomingMessage } from 'node:http'
import { type Answer, refusal, sendAnswer } from '../../../../src/page/answer.js'
import type { Exchange } from './door.js'
import type { Sessions } from './sessions.js'

/** More than any token. */
const bodyBytesAtMost = 4096

/** Who may come in. */
export interface Entrance {
  /** Absent where everybody who gets here may read. */
  readonly guard: Sessions | undefined
  /** Cookies know no ports: the name of ours does. */
  readonly port: number
}

/**
 * Answers the form: who knows the token gets a cookie that no script reads, that no other site can send, and that goes over
 * no plain connection where the page came over a safe one.
 */
export async function signIn({ guard, port }: Entrance, { incoming, outgoing }: Exchange): Promise<void> {
  if (guard === undefined) return sendAnswer(outgoing, refusal(404, 'Nobody has to sign in here.'))
  const form = await formOf(incoming)
  if (form === undefined) return sendAnswer(outgoing, refusal(413, 'That is no token.'))
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

/** True for who has signed in or brings the token, else the answer. */
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
    return { ...refusal(401, 'Sign in first.'), headers: { 'www-authenticate': 'Bearer' } }
  const knows = await guard.knows(token)
  return knows === true ? true : wrong(knows)
}

function wrong(knows: false | 'busy'): Answer {
  if (knows === false) return refusal(401, 'That is not the token.')
  return { ...refusal(429, 'Too many wrong tokens: try again.'), headers: { 'retry-after': '1' } }
}

function cookieName(port: number): string {
  return `landform-fleet-${port}`
}

async function formOf(incoming: IncomingMessage): Promise<URLSearchParams | undefined> {
  let body = ''
  // To the end, however long: a request that is cut off hears no answer.
  for await (const piece of incoming.setEncoding('latin1')) if (body.length <= bodyBytesAtMost) body += piece
  return body.length > bodyBytesAtMost ? undefined : new URLSearchParams(body)
}
