import type { ServerOptions } from 'node:http'

/** What one connection may cost: a line and headers of 16 KiB, whole within ten seconds. Bodies may take their time. */
export const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 2000,
} as const satisfies ServerOptions

/** A fleet of a thousand sites polls them all at once, each over a connection of its own. */
export const mostConnections = 4096
