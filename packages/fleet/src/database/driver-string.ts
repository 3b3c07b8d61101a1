import { isLoopback } from '../model/listen-address.js'

/**
 * The connection string as the driver gets it. Without `sslmode` the driver connects in clear, and gives the password to whoever
 * answers: away from this machine it means `verify-full`. To the driver `require`, `prefer` and `verify-ca` mean that, too, until
 * its next major version, and it warns of that at each start; here they mean it for good.
 */
export function driverString(connection: string): string {
  const { searchParams, hostname } = new URL(connection)
  const host = last(searchParams, 'host') ?? decodeURIComponent(hostname)
  const saysHow = /^(?:true|false|[01])$/.test(last(searchParams, 'ssl') ?? '')
  if (!last(searchParams, 'sslmode') && !saysHow && !isHere(host)) {
    const [address = '', ...fragment] = connection.split('#')
    return [`${address}${searchParams.size > 0 ? '&' : '?'}sslmode=verify-full`, ...fragment].join('#')
  }
  if (searchParams.get('uselibpqcompat') === 'true') return connection
  return connection.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full')
}

/** Of several the driver takes the last. */
function last(parameters: URLSearchParams, name: string): string | undefined {
  return parameters.getAll(name).at(-1)
}

/** True for this machine, and for a socket in its file system. */
function isHere(host: string): boolean {
  return host.startsWith('/') || isLoopback({ host: host.replaceAll(/[[\]]/g, '') })
}
