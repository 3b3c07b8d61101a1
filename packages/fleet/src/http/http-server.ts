import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { ListenAddress } from '../model/listen-address.js'
import { limitIdleConnections } from './limit-idle-connections.js'

/** The environment of every handler: the request and the response of Node. */
export interface HttpEnvironment {
  readonly Bindings: HttpBindings
}

/** A running server. */
export interface HttpServer {
  readonly port: number
  /** Resolves when every socket is closed. */
  close(): Promise<void>
}

/** Slow senders are cut off, and idle connections beyond a hundred give way to new ones. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1000,
} as const
const maxConnections = 256

/** Serves an application over HTTP/1.1. Rejects with the system error if it cannot listen on the address. */
export async function startHttpServer(
  app: Hono<HttpEnvironment>,
  { host, port }: ListenAddress,
): Promise<HttpServer> {
  const options = { fetch: app.fetch, overrideGlobalObjects: false, serverOptions: limits }
  const server = createAdaptorServer(options) as Server
  server.maxConnections = maxConnections
  limitIdleConnections(server)
  await new Promise<void>((resolve, reject) => {
    // Stays after the start, because an error on one connection must not end the others.
    server.on('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
