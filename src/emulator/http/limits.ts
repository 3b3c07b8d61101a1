import type { ServerOptions } from 'node:http'

/** Limits of one connection: 16 KiB for the request line and headers, within ten seconds. Bodies have no time limit. */
export const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 2000,
} as const satisfies ServerOptions

/** A fleet of a thousand sites polls them all at once, each over a connection of its own. */
export const maxConnections = 4096
