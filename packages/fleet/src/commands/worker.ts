import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type ArgumentsOf,
  checkPolicyNames,
  checkTlsVerification,
  type ExitCode,
  exitCodes,
  type fleetWorker,
  type Host,
  parseAllowedOrigins,
  parseDuration,
  parseWhole,
  type Signal,
  sayFailure,
  signalCodes,
  UsageError,
  version,
} from 'landform/cli'
import { display } from 'landform/report'
import { isBelow } from 'landform/sites'
import { type FleetTables, readLoad } from '../database/view.js'
import { openRepository } from '../manifests/repository.js'
import { parseListenAddress } from '../model/listen-address.js'
import type { Order } from '../model/run.js'
import { createWorkerLog, type ReportWorkerEvent } from '../worker/log.js'
import { runWorker } from '../worker/worker.js'
import { createWorkerHealth, serveHealth } from '../worker/worker-health.js'
import type { OpenedManifest } from '../workflow/run-ports.js'
import { withFleetDatabase } from './open-fleet.js'
import { describeListenFailure } from './ui.js'

type WorkerArguments = ArgumentsOf<typeof fleetWorker>

/** Maximum number of connections: enough for hundreds of sites, which mostly wait. */
const maxConnections = 12
/** A query of a worker, whose sites wait meanwhile. */
const queryDeadlineMs = 15_000

/** Works on the sites of a fleet until it is stopped. */
export async function worker(argv: WorkerArguments, host: Host): Promise<ExitCode> {
  const options = parseWorkerOptions(argv)
  const unverified = checkTlsVerification(host)
  if (unverified !== undefined) return sayFailure(host, unverified, 'never')
  await host.keepHeapSmall()
  const work = async (open: FleetTables) =>
    ({ ok: true, value: await runUntilStopped(options, open, host) }) as const
  return withFleetDatabase(argv, host, work, {
    maxConnections,
    queryDeadlineMs,
    // Without the database, work in progress would never end.
    async refuse(failure) {
      host.leave(sayFailure(host, failure, 'never'))
      return failure.exitCode
    },
  })
}

type WorkerOptions = ReturnType<typeof parseWorkerOptions>

async function runUntilStopped(options: WorkerOptions, open: FleetTables, host: Host): Promise<ExitCode> {
  const { name, listen, format } = options
  const { clock } = host
  const readFigures = async () => ({ ...(await readLoad(open.database)), sites: await open.store.counts() })
  const health = createWorkerHealth(readFigures, clock)
  const write = (line: string) => host.stdout.write(line)
  const log = createWorkerLog({ format, worker: name, clock, write })
  const report: ReportWorkerEvent = event => {
    log(event)
    health.report(event)
  }
  const server = listen && (await serveHealth(listen, health).catch(describeListenFailure('worker', listen)))
  if (server && 'exitCode' in server) return sayFailure(host, server, 'never')
  const stop = new AbortController()
  let signal: Signal | undefined
  host.onSignal(came => {
    signal = came
    stop.abort(came)
  })
  const manifests = openWorkerManifests(options, host)
  const { openManifest } = manifests
  try {
    const leave = () => host.leave(exitCodes.locked)
    const end = await runWorker({ ...options, ...open, report, stop: stop.signal, leave, openManifest })
    if (end === 'refused') {
      const message = `a worker named ${name} is running already`
      const next = 'choose another --name, or stop the other worker'
      return sayFailure(host, { exitCode: exitCodes.locked, message, next: [next] }, 'never')
    }
    if (end === 'lost') leave()
    await manifests.close()
    const exitCode =
      end === 'lost' ? exitCodes.locked : signal === undefined ? exitCodes.done : signalCodes[signal]
    // Abandons sleeps and steps, because other workers have their sites by now.
    if (end === 'stopped') host.leave(exitCode)
    return exitCode
  } finally {
    await server?.close()
    await manifests.close()
  }
}

function parseWorkerOptions(argv: WorkerArguments) {
  const { folder, limit, 'fleet-limit': fleetLimit, 'poll-interval': poll, listen } = argv
  const name = argv.name ?? hostname()
  const max = { from: 1, to: 10_000 }
  const leaseMs = parseDuration('lease', argv.lease)
  const pollMs = poll === undefined ? undefined : parseDuration('poll-interval', poll)
  const address = listen === undefined ? undefined : parseListenAddress(listen)
  // A worker that finds no manifest would reject every site of the fleet.
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  demand(isFolder, `--folder must be an existing folder, not ${display(folder)}`)
  demand(
    /^[\w.@-]{1,100}$/.test(name),
    '--name must be 1 to 100 letters, digits, dots, hyphens, underscores and at signs',
  )
  demand(leaseMs >= 2000 && leaseMs <= 300_000, '--lease must be a duration from 2s to 5m, such as 10s')
  demand(pollMs === undefined || pollMs >= 10, '--poll-interval must be at least 10ms')
  demand(
    listen === undefined || address !== undefined,
    '--listen must be HOST:PORT, such as 127.0.0.1:9464 or [::1]:9464',
  )
  return {
    folder,
    name,
    leaseMs,
    limit: parseWhole('limit', limit, max),
    ...(fleetLimit !== undefined && { fleetLimit: parseWhole('fleet-limit', fleetLimit, max) }),
    ...(pollMs !== undefined && { pollMs }),
    listen: address,
    format: argv.log,
    policies: checkPolicyNames(argv.policy),
    version,
  }
}

function demand(isMet: boolean, message: string): void {
  if (!isMet) throw new UsageError(message)
}

/**
 * Opens manifests in the folder of the worker or, if an order names a commit, in that commit; files that the commit does
 * not contain, such as licenses, are read from the folder. The environment of the worker applies, and may restrict the
 * origins of its sites.
 */
export function openWorkerManifests(
  { folder, policies }: Pick<WorkerOptions, 'folder' | 'policies'>,
  host: Host,
) {
  const { environment } = host
  const repository = openRepository(folder, host)
  const origins = parseAllowedOrigins([], host)
  const common = { environment, policies, ...(origins.length > 0 && { allowedOrigins: origins }) }
  const refuse = (message: string, exitCode: ExitCode) =>
    ({ ok: false, error: { message, exitCode } }) as const
  return {
    /** Called before each attempt, because the folder of an earlier one may be removed after a day. */
    async openManifest({ manifest, commit }: Pick<Order, 'manifest' | 'commit'>): Promise<OpenedManifest> {
      const made = commit === undefined ? undefined : await repository.openFolder(commit)
      if (made?.ok === false)
        return refuse(`the commit ${commit} cannot be read: ${made.error}`, exitCodes.trouble)
      const root = made?.value ?? folder
      const file = join(root, manifest)
      if (!isBelow(resolve(root), resolve(file)))
        return refuse('the manifest is outside the folder of the worker', exitCodes.invalid)
      const elsewhere = made && { elsewhere: { root, instead: resolve(folder) } }
      return { ok: true, value: { file, ...elsewhere, ...common } }
    },
    close: () => repository.close(),
  }
}
