import { createServer, type ServerResponse } from 'node:http'
import { limitIdleConnections } from '../../../../src/live-page/limit-idle-connections.js'
import { openMetricsType } from '../report/open-metrics.js'

/** The answers of the health endpoints. */
export interface HealthEndpoints {
  /** Returns the reason that the worker cannot work; `undefined` if it can. */
  unready(): Promise<string | undefined>
  /** Returns metrics in the OpenMetrics format. */
  metrics(): Promise<string>
}

export interface HealthServer {
  readonly port: number
  close(): Promise<void>
}

/** An address to listen on. */
export interface HealthAddress {
  readonly host: string
  readonly port: number
}

const plain = 'text/plain; charset=utf-8'

/**
 * Serves `/live`, `/ready` and `/metrics`, without names of sites or secrets. Rejects with the system error if it cannot
 * listen. A process that responds is alive, because one that lost its lease has ended.
 */
export async function serveHealth(
  { host, port }: HealthAddress,
  health: HealthEndpoints,
): Promise<HealthServer> {
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
    (request, response) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        send(response, 405, { text: 'method not allowed: use GET\n' })
        return
      }
      respond(request.url ?? '', health)
        .then(({ status, ...body }) => send(response, status, body))
        .catch(() => send(response, 500, { text: 'internal error\n' }))
    },
  )
  // Only probes and collectors connect here.
  server.maxConnections = 200
  limitIdleConnections(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Body {
  readonly text: string
  readonly type?: string
}

async function respond(url: string, health: HealthEndpoints): Promise<Body & { readonly status: number }> {
  const [path] = url.split('?')
  if (path === '/live') return { status: 200, text: 'alive\n' }
  if (path === '/metrics') return { status: 200, text: await health.metrics(), type: openMetricsType }
  if (path !== '/ready') return { status: 404, text: 'not found: available are /live, /ready and /metrics\n' }
  const why = await health.unready()
  return why === undefined ? { status: 200, text: 'ready\n' } : { status: 503, text: `${why}\n` }
}

function send(response: ServerResponse, status: number, { text, type = plain }: Body): void {
  const headers = { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text)
}
