import { isLoopback } from '../model/listen-address.js'

/**
 * Adapts the connection string for the driver. Without `sslmode` the driver connects without TLS and sends the password to
 * any server: for other machines this sets `verify-full`. The driver treats `require`, `prefer` and `verify-ca` like that,
 * too, until its next major version, and warns about it at each start; here they mean it permanently.
 */
export function formatDriverString(connection: string): string {
  const { searchParams, hostname } = new URL(connection)
  const host = readLast(searchParams, 'host') ?? decodeURIComponent(hostname)
  const saysHow = /^(?:true|false|[01])$/.test(readLast(searchParams, 'ssl') ?? '')
  if (!readLast(searchParams, 'sslmode') && !saysHow && !isThisMachine(host)) {
    const [address = '', ...fragment] = connection.split('#')
    return [`${address}${searchParams.size > 0 ? '&' : '?'}sslmode=verify-full`, ...fragment].join('#')
  }
  if (searchParams.get('uselibpqcompat') === 'true') return connection
  return connection.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full')
}

/** Returns the last of several values, as the driver does. */
function readLast(parameters: URLSearchParams, name: string): string | undefined {
  return parameters.getAll(name).at(-1)
}

/** True for this machine, and for a Unix socket. */
function isThisMachine(host: string): boolean {
  return host.startsWith('/') || isLoopback({ host: host.replaceAll(/[[\]]/g, '') })
}
