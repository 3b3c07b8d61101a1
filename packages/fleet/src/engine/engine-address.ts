/**
 * Formats the connection string for the engine. The engine parses it and shows it in messages, but connects through our
 * pool, so it gets no password.
 */
export function formatEngineAddress(connection: string): string {
  const { hostname, port, pathname } = new URL(connection)
  return `postgresql://landform@${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}
