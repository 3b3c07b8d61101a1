import type { Result } from 'landform'
import {
  type ExitCode,
  exitCodes,
  type Failure,
  type FleetPackage,
  type Host,
  parseSecretOption,
  readSecretOption,
  sayFailure,
  UsageError,
} from 'landform/cli'
import { type FleetTables, readFleet } from '../database/view.js'
import {
  formatListenAddress,
  isLoopback,
  type ListenAddress,
  parseListenAddress,
} from '../model/listen-address.js'
import { buildFleetDocument } from '../report/history.js'
import { computeSha256, startFleetPage } from '../ui/fleet-page.js'
import { type CommandEnd, withFleetDatabase } from './open-fleet.js'
import { selectExitCode } from './status.js'

/** A query of the fleet page. */
const queryDeadlineMs = 10_000
/** At least 16 characters that a browser can send in a header. */
const tokenForm = /^[\x21-\x7e]{16,}$/

/** Serves the page until it is interrupted; the first line on stdout is its address. */
export async function ui(argv: Parameters<FleetPackage['commands']['ui']>[0], host: Host): Promise<ExitCode> {
  const listen = parseListenAddress(argv.listen)
  if (listen === undefined)
    throw new UsageError('--listen must be HOST:PORT, such as 127.0.0.1:8787 or [::]:8787')
  await host.keepHeapSmall()
  const token = await readToken(argv.token, listen, host)
  if (!token.ok) return sayFailure(host, token.error, argv.color)
  const work = async (open: FleetTables): Promise<CommandEnd> => {
    // Reports an unusable database at the start, not to the first reader.
    await open.database.rows('select 1')
    const readDocument = async () => {
      const fleet = await readFleet(open)
      return buildFleetDocument(fleet, selectExitCode(fleet.runs))
    }
    const options = { listen, names: argv.host, readFleet: readDocument, ...token.value }
    const started = await startFleetPage(options).catch(describeListenFailure('page', listen))
    if ('exitCode' in started) return { ok: false, error: started }
    host.stdout.print(`${started.url}\n`)
    // If stdout is closed, no user can learn the address.
    if (!host.stdout.isBroken) await new Promise<void>(resolve => host.onSignal(() => resolve()))
    await started.close()
    return { ok: true, value: exitCodes.done }
  }
  return withFleetDatabase(argv, host, work, { maxConnections: 3, queryDeadlineMs })
}

/** Returns a function that describes why a process cannot listen on its address. */
export function describeListenFailure(what: 'page' | 'worker', listen: ListenAddress) {
  return ({ code = 'unknown' }: NodeJS.ErrnoException): Failure => ({
    exitCode: exitCodes.unreachable,
    message: `the ${what} cannot listen on ${formatListenAddress(listen)} (${code})`,
    next: ['choose another address with --listen'],
  })
}

/** Reads the token, which is optional only if the page listens on loopback. */
async function readToken(
  option: string | undefined,
  listen: ListenAddress,
  host: Host,
): Promise<Result<{ readonly tokenDigest?: Uint8Array }, Failure>> {
  const refuse = (message: string, next: string) =>
    ({ ok: false, error: { exitCode: exitCodes.refused, message, next: [next] } }) as const
  const wanted = parseSecretOption('token', option)
  if (wanted === undefined) {
    if (isLoopback(listen)) return { ok: true, value: {} }
    const where = formatListenAddress(listen)
    const next = `landform fleet ui --listen ${where} --token env:LANDFORM_UI_TOKEN`
    return refuse(`a token is required: ${where} is reachable from other machines`, next)
  }
  const token = await readSecretOption(wanted, 'token', host)
  if (!token.ok) return token
  if (tokenForm.test(token.value)) return { ok: true, value: { tokenDigest: computeSha256(token.value) } }
  return refuse(
    'the token cannot be used: expected at least 16 ASCII characters without spaces',
    'generate one, for example with `openssl rand -hex 24`',
  )
}
