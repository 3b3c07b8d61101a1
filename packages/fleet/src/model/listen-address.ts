import { isIP } from 'node:net'

/** A host and a port to listen on. */
export interface ListenAddress {
  /** An address or a name, without brackets. */
  readonly host: string
  readonly port: number
}

/** Parses `HOST:PORT`; an IPv6 address is written in brackets. Returns `undefined` for anything else. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, six, name = six, digits] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (name === undefined || port > 65_535 || (six !== undefined && isIP(six) !== 6)) return undefined
  return { host: name, port }
}

/** Formats the address for a URL. */
export function formatListenAddress({ host, port }: ListenAddress): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** True if only programs on this machine can connect. Any other name may resolve to any address. */
export function isLoopback({ host }: Pick<ListenAddress, 'host'>): boolean {
  return host === '::1' || host === 'localhost' || (isIP(host) === 4 && host.startsWith('127.'))
}
