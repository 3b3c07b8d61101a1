import {
  type ExitCode,
  exitCodes,
  type Failure,
  type FleetPackage,
  type Host,
  sayFailure,
  UsageError,
} from 'landform/cli'
import { formatListenAddress, parseListenAddress } from '../model/listen-address.js'
import { createDatabaseSource } from '../ui/database-source.js'
import { startFleetPage } from '../ui/server.js'
import { logWrongTokens } from './log-wrong-tokens.js'
import { buildNextCommands } from './next-commands.js'
import { withFleetDatabase } from './open-fleet.js'
import { openSiteState } from './open-site-state.js'
import { resolveReaders } from './page-readers.js'

type Arguments = Parameters<FleetPackage['commands']['ui']>[0]

/** Timeout of the page for queries. */
const queryTimeoutMs = 10_000

/** Serves the page until it is interrupted; the first line on stdout is its address. */
export async function ui(argv: Arguments, host: Host): Promise<ExitCode> {
  const refuse = (failure: Failure) => sayFailure(host, failure, argv.color)
  const listen = parseListenAddress(argv.listen)
  if (listen === undefined)
    throw new UsageError('--listen must be HOST:PORT, such as 127.0.0.1:8787 or [::]:8787')
  await host.keepHeapSmall()
  const readers = await resolveReaders({ token: argv.token, listen }, host)
  if (!readers.ok) return refuse(readers.error)
  return withFleetDatabase(
    { database: argv.database, host },
    async open => {
      const { database, store } = open
      // An unusable database is reported at the start, and not to the first reader.
      await database.rows('select 1')
      const source = createDatabaseSource({
        database,
        store,
        openState: site => openSiteState(site, open, host),
        next: buildNextCommands,
      })
      const started = await startFleetPage({
        source,
        listen,
        names: argv.host,
        reportWrongToken: logWrongTokens(host),
        ...readers.value,
      }).catch(({ code = 'unknown' }: NodeJS.ErrnoException) => code)
      if (typeof started === 'string')
        return refuse({
          exitCode: exitCodes.unreachable,
          message: `the page cannot listen on ${formatListenAddress(listen)} (${started})`,
          next: 'choose another --listen',
        })
      host.stdout.print(`${started.url}\n`)
      // Without stdout, users could not learn the address.
      if (!host.stdout.isBroken) await new Promise<void>(resolve => host.onSignal(() => resolve()))
      await started.close()
      return exitCodes.done
    },
    { maxConnections: 3, queryTimeoutMs, refuse: async failure => refuse(failure) },
  )
}
