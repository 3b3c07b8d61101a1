import type { Account } from '../../client/sign-in.js'
import type { SiteAccess } from '../../manifest/new-manifest.js'
import { findPathProblem } from '../../manifest/references.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { chooseReferencesExit } from '../../report/findings.js'
import type { Result } from '../../result.js'
import { variablePattern } from '../../schema/fields.js'
import type { NeededSecret } from '../../secrets/needed-references.js'
import { resolve, wipeAll } from '../../secrets/resolve.js'
import { type SecretSource, secretSource } from '../../secrets/secret-source.js'
import type { Arguments } from '../command.js'
import type { signInOption, tokenOption } from '../command-options.js'
import type { Host } from '../host.js'

const ofOption = '/--'

/** Parses an option that names the source of a secret. No message quotes the text, which may be the secret by mistake. */
export function parseSecretOption(name: string, text: string | undefined): NeededSecret | undefined {
  if (text === undefined) return undefined
  const pointer = `${ofOption}${name}` as const
  const [, kind, where = ''] = /^(env|file):(.+)$/s.exec(text) ?? []
  if (kind === undefined)
    throw new UsageError(
      `--${name} takes the location of the secret, env:LANDFORM_… or file:PATH, never the secret itself`,
    )
  if (kind === 'env') {
    if (!new RegExp(variablePattern).test(where))
      throw new UsageError(`--${name} names an environment variable that begins with LANDFORM_`)
    return { kind: 'secret', pointer, reference: { env: where } }
  }
  const problem = where.split('/').includes('..') ? 'leaves the working folder' : findPathProblem(where)
  if (problem !== undefined) throw new UsageError(`the path of --${name} ${problem}`)
  return { kind: 'secret', pointer, reference: { file: where } }
}

/** The default source of an account's password: that of the administrator. */
export const passwordOption: NeededSecret = {
  kind: 'secret',
  pointer: `${ofOption}sign-in`,
  reference: { env: 'LANDFORM_ADMIN_PASSWORD' },
}

/**
 * Parses an option that names an account to sign in with: a user name and, after an equals sign, the source of its
 * password. The default is the variable of the administrator.
 */
export function parseAccountOption(text: string | undefined): Account | undefined {
  if (text === undefined) return undefined
  const at = text.indexOf('=')
  const username = at < 0 ? text : text.slice(0, at)
  if (username.trim() === '' || /\p{Cc}/u.test(username))
    throw new UsageError('--sign-in takes a user name, or NAME=env:LANDFORM_…, or NAME=file:PATH')
  const needed = at < 0 ? passwordOption : parseSecretOption('sign-in', text.slice(at + 1))
  return needed && { username, password: needed.reference, pointer: needed.pointer, lifetimeMs: 3_600_000 }
}

/** Chooses the source of the token from `--token` and `--sign-in`, which exclude each other. */
export function chooseAccess(
  given: Partial<Arguments<ReturnType<typeof tokenOption> & typeof signInOption>>,
): SiteAccess | undefined {
  const token = parseSecretOption('token', given.token)
  if (token !== undefined && given['sign-in'] !== undefined)
    throw new UsageError('--token and --sign-in exclude each other')
  if (token !== undefined) return { kind: 'token', token: token.reference }
  if (given['sign-in'] === 'administrator') return { kind: 'administrator' }
  const account = parseAccountOption(given['sign-in'])
  return account && { kind: 'account', username: account.username, password: account.password }
}

/** Wraps a source of secrets: files of options are read below the working folder, with `here`. */
export function withOptionFiles(source: SecretSource, here: SecretSource): SecretSource {
  return {
    ...source,
    file: (at, maxBytes) =>
      at.pointer.startsWith(ofOption) ? here.file(at, maxBytes) : source.file(at, maxBytes),
  }
}

type SecretText = Result<string, { readonly exitCode: ExitCode; readonly message: string }>

/** Reads the secret that an option references, `env:NAME` or `file:PATH`. Failures name it as `what`. */
export async function readSecretOption(
  wanted: NeededSecret,
  what: string,
  { environment }: Pick<Host, 'environment'>,
): Promise<SecretText> {
  const resolved = await resolve([wanted], secretSource(environment, '.'))
  if (!resolved.ok) {
    const message = `no ${what}: ${resolved.error[0]?.message}`
    return { ok: false, error: { message, exitCode: exitCodes[chooseReferencesExit(resolved.error)] } }
  }
  const text = resolved.value.secrets.get(wanted.pointer)?.bytes.toString('utf8') ?? ''
  wipeAll(resolved.value.secrets)
  return { ok: true, value: text }
}

/** Reads the connection string of PostgreSQL that an option references. It may contain a password, so no message quotes it. */
export async function connectionString(
  option: string,
  reference: string,
  host: Pick<Host, 'environment'>,
): Promise<SecretText> {
  const wanted = parseSecretOption(option, reference)
  if (wanted === undefined) throw new UsageError(`--${option} takes the location of the connection string`)
  const read = await readSecretOption({ ...wanted, form: 'address' }, 'PostgreSQL connection string', host)
  if (!read.ok) return read
  const connection = read.value.trim()
  if (isPostgres(connection)) return { ok: true, value: connection }
  const message = `${reference} is not a connection string such as postgres://USER:PASSWORD@HOST:PORT/NAME`
  return { ok: false, error: { message, exitCode: exitCodes.invalid } }
}

function isPostgres(connection: string): boolean {
  if (!/^postgres(?:ql)?:\/\//.test(connection) || !URL.canParse(connection)) return false
  const { hostname, pathname } = new URL(connection)
  return hostname !== '' && pathname.length > 1
}
