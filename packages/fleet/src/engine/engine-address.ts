/**
 * The connection string as the engine gets it: it looks at the parts of it and shows them in its messages, but connects
 * through a pool of ours, so it gets no password.
 */
export function engineAddress(connection: string): string {
  const { hostname, port, pathname } = new URL(connection)
  return `postgresql://landform@${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}
