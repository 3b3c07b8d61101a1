import type { Result } from '../../result.js'
import { resolve, wipeAll } from '../../secrets/resolve.js'
import { secretSource } from '../../secrets/secret-source.js'
import { type ExitCode, exitCodeOfReferences, exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { parseSecretOption } from '../one-shot/secret-option.js'
import { UsageError } from '../usage-error.js'

export type ConnectionString = Result<string, { readonly exitCode: ExitCode; readonly message: string }>

/**
 * The connection string of PostgreSQL, from where an option says that it stands, `env:NAME` or `file:PATH`. It may hold a
 * password, so nothing shows it.
 */
export async function connectionString(
  option: string,
  reference: string,
  { environment }: Pick<Host, 'environment'>,
): Promise<ConnectionString> {
  const wanted = parseSecretOption(option, reference)
  if (wanted === undefined) throw new UsageError(`--${option} says where the connection string stands`)
  const resolved = await resolve([wanted], secretSource(environment, '.'))
  if (!resolved.ok) {
    const [diagnostic] = resolved.error
    const message = `no connection string of PostgreSQL: ${diagnostic?.message}`
    return { ok: false, error: { message, exitCode: exitCodeOfReferences(resolved.error) } }
  }
  const connection = resolved.value.secrets.get(wanted.pointer)?.bytes.toString('utf8').trim() ?? ''
  wipeAll(resolved.value.secrets)
  if (isPostgres(connection)) return { ok: true, value: connection }
  const message = `${reference} holds no connection string; one is postgres://USER:PASSWORD@HOST:PORT/NAME`
  return { ok: false, error: { message, exitCode: exitCodes.invalid } }
}

function isPostgres(connection: string): boolean {
  if (!/^postgres(?:ql)?:\/\//.test(connection) || !URL.canParse(connection)) return false
  const { hostname, pathname } = new URL(connection)
  return hostname !== '' && pathname.length > 1
}
