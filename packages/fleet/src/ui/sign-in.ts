import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { HTTPException } from 'hono/http-exception'
import type { HttpEnvironment } from '../http/http-server.js'
import type { PageSessions } from './sessions.js'

type PageRequest = Context<HttpEnvironment>

/** Sign-in, sign-out, and the check of every request for data. */
export interface PageAccess {
  signIn(c: PageRequest): Promise<Response>
  signOut(c: PageRequest): Response
  /** Lets signed-in readers and requests with the token through. */
  readonly requireReader: MiddlewareHandler<HttpEnvironment>
}

/** Called for each wrong token, with the address that sent it. */
export type ReportWrongToken = (address: string) => void

/**
 * Creates the access of a page: a correct token gets a cookie that no script can read, that other sites cannot send, and
 * that is never sent over HTTP if the page was loaded over HTTPS.
 */
export function createAccess(sessions: PageSessions, reportWrong: ReportWrongToken): PageAccess {
  return {
    async signIn(c) {
      const { token } = await c.req.parseBody()
      await checkToken(c, typeof token === 'string' ? token : '')
      const secure = c.req.header('origin')?.startsWith('https:') === true
      setCookie(c, cookieName(c), sessions.begin(), { path: '/', httpOnly: true, sameSite: 'Strict', secure })
      return c.body(null, 204)
    },
    signOut(c) {
      sessions.end(getCookie(c, cookieName(c)) ?? '')
      deleteCookie(c, cookieName(c), { path: '/' })
      return c.body(null, 204)
    },
    async requireReader(c, next) {
      if (!sessions.isKnown(getCookie(c, cookieName(c)) ?? '')) {
        const [, token] = /^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
        c.header('www-authenticate', 'Bearer')
        if (token === undefined) throw new HTTPException(401, { message: 'Sign-in required.' })
        await checkToken(c, token)
        c.header('www-authenticate', undefined)
      }
      await next()
    },
  }

  async function checkToken(c: PageRequest, token: string): Promise<void> {
    const knows = await sessions.checkToken(token)
    if (knows === true) return
    reportWrong(c.env.incoming.socket.remoteAddress ?? 'unknown')
    if (knows === false) throw new HTTPException(401, { message: 'Wrong token.' })
    c.header('retry-after', '1')
    throw new HTTPException(429, { message: 'Too many wrong tokens: try again later.' })
  }
}

/** The port is part of the name, because cookies do not distinguish ports. */
function cookieName(c: PageRequest): string {
  return `landform-fleet-${c.env.incoming.socket.localPort}`
}
