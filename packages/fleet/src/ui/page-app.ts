import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { etag } from 'hono/etag'
import { HTTPException } from 'hono/http-exception'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { secureHeaders } from 'hono/secure-headers'
import { DatabaseError } from '../database/database-error.js'
import { describeDatabaseError } from '../database/reason.js'
import type { HttpEnvironment } from '../http/http-server.js'
import { maxListeners } from './fleet-events.js'
import type { FleetSource } from './fleet-source.js'
import type { FleetWatch } from './fleet-watch.js'
import { listPageFiles, policy } from './page-file.js'
import {
  foreignOrigin,
  type PageHosts,
  rejectCrossSite,
  rejectForeignForm,
  rejectForeignHost,
} from './request-guard.js'
import type { PageAccess } from './sign-in.js'

/** The parts that serve requests. */
export interface PageParts {
  readonly source: FleetSource
  readonly watch: FleetWatch
  readonly hosts: PageHosts
  /** Absent if everyone who reaches the page can read it. */
  readonly access: PageAccess | undefined
}

/** Longer than any token. */
const maxBodyBytes = 4096

/** Builds the application. The page itself is static and shows nothing before it has loaded data, so only its data is guarded. */
export function buildPageApp({ source, watch, hosts, access }: PageParts): Hono<HttpEnvironment> {
  const app = new Hono<HttpEnvironment>()
  app.use(secureHeaders({ contentSecurityPolicy: policy, strictTransportSecurity: false }), forbidCaching)
  app.use(rejectForeignHost(hosts), rejectCrossSite, rejectForeignForm)
  app.use(methodNotAllowed({ app, onMethodNotAllowed: rejectMethod }))
  for (const { path, type, content } of listPageFiles(access !== undefined))
    app.get(path, compress(), c => c.body(content, 200, { 'content-type': type }))
  if (access !== undefined) {
    const limit = bodyLimit({ maxSize: maxBodyBytes, onError: rejectBody })
    app.post('/sign-in', limit, c => access.signIn(c))
    app.post('/sign-out', c => access.signOut(c))
    app.on(['GET'], ['/api/*', '/events'], access.requireReader)
  }
  app.get('/events', c => {
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream' })
    return watch.events.respond(c) ?? sendError(c, 503, `Too many open pages: the limit is ${maxListeners}.`)
  })
  app.get('/api/fleet', etag(), compress(), async c => {
    const fleet = await watch.document()
    c.header('etag', `"${fleet.id}"`)
    return c.json(fleet)
  })
  app.get('/api/sites/:site', c => sendSite(c, source))
  app.notFound(c => sendError(c, 404, 'Not found: available are /api/fleet, /api/sites/SITE and /events.'))
  app.onError((error, c) => {
    // The details of a bug are not sent.
    if (!(error instanceof HTTPException))
      return sendError(c, 500, 'Internal error: this is a bug in Landform.')
    return sendError(c, error.status, error.message || foreignOrigin.message)
  })
  return app
}

function sendError(c: Context<HttpEnvironment>, code: HTTPException['status'], message: string): Response {
  return c.json({ error: { code, message, details: null } }, code)
}

const forbidCaching: MiddlewareHandler = async (c, next) => {
  await next()
  c.res.headers.set('cache-control', 'no-store')
}

function rejectMethod(c: Context<HttpEnvironment>, methods: readonly string[]): Response {
  c.header('allow', methods.join(', '))
  return sendError(c, 405, 'This page is read-only: use GET.')
}

function rejectBody(): never {
  throw new HTTPException(413, { message: 'The token is too long.' })
}

async function sendSite(c: Context<HttpEnvironment>, source: FleetSource): Promise<Response> {
  const site = c.req.param('site') ?? ''
  const wanted = c.req.query('generation')
  const generation = wanted === undefined ? undefined : Number(wanted)
  // PostgreSQL text cannot hold NUL.
  if (site.includes('\0')) return sendError(c, 400, 'A site must not contain NUL.')
  if (generation !== undefined && !(Number.isInteger(generation) && generation > 0 && generation < 2 ** 31))
    return sendError(c, 400, 'A generation must be a whole number from 1.')
  try {
    const view = await source.readSite(site, generation)
    if (view === undefined) return sendError(c, 404, 'The site, or the run of it, was not found.')
    return c.json({ formatVersion: 1, ...view })
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return sendError(c, 503, `The site cannot be read: ${describeDatabaseError(error)}.`)
  }
}
