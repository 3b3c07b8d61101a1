import { isIP } from 'node:net'

/** Where a server listens. */
export interface ListenAddress {
  /** An address or a name, without brackets. */
  readonly host: string
  readonly port: number
}

/** Reads `HOST:PORT`; an address of IPv6 stands in brackets. `undefined` for anything else. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, six, name = six, digits] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (name === undefined || port > 65_535 || (six !== undefined && isIP(six) !== 6)) return undefined
  return { host: name, port }
}

/** The address as it stands in a URL. */
export function formatListenAddress({ host, port }: ListenAddress): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** True where only programs of this machine reach it. A name may lead anywhere, but for the one that may not. */
export function isLoopback({ host }: Pick<ListenAddress, 'host'>): boolean {
  return host === '::1' || host === 'localhost' || (isIP(host) === 4 && host.startsWith('127.'))
}
