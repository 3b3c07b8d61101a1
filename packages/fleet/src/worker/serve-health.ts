import { Hono } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { secureHeaders } from 'hono/secure-headers'
import { type HttpEnvironment, type HttpServer, startHttpServer } from '../http/http-server.js'
import type { ListenAddress } from '../model/listen-address.js'
import { metricsType } from './worker-metrics.js'

/** The answers of the health endpoints. */
export interface HealthEndpoints {
  /** Returns the reason that the worker cannot work; `undefined` if it can. */
  unready(): Promise<string | undefined>
  /** Returns metrics in the OpenMetrics format. */
  metrics(): Promise<string>
}

/**
 * Serves `/live`, `/ready` and `/metrics`, without names of sites or secrets. Rejects with the system error if it cannot
 * listen. A process that responds is alive, because one that lost its lease has ended.
 */
export function serveHealth(address: ListenAddress, health: HealthEndpoints): Promise<HttpServer> {
  const app = new Hono<HttpEnvironment>()
  app.use(secureHeaders())
  app.use(methodNotAllowed({ app }))
  app.use(async (c, next) => {
    c.header('cache-control', 'no-store')
    await next()
  })
  app.get('/live', c => c.text('alive\n'))
  app.get('/metrics', async c => c.body(await health.metrics(), 200, { 'content-type': metricsType }))
  app.get('/ready', async c => {
    const why = await health.unready()
    return why === undefined ? c.text('ready\n') : c.text(`${why}\n`, 503)
  })
  app.notFound(c => c.text('not found: available are /live, /ready and /metrics\n', 404))
  // The details of a bug are not sent.
  app.onError((_, c) => c.text('internal error\n', 500))
  return startHttpServer(app, address)
}
