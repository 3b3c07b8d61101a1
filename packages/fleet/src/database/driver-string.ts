/**
 * The connection string as the driver gets it. To the driver `require`, `prefer` and `verify-ca` mean `verify-full` until
 * its next major version, and it warns of that at each start; here they mean it for good.
 */
export function driverString(connection: string): string {
  if (/[?&]uselibpqcompat=true\b/.test(connection)) return connection
  return connection.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full')
}
