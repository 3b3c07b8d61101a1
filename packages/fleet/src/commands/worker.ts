import { type ExitCode, exitCodes } from '../../../../src/cli/exit-code.js'
import type { Host, Signal } from '../../../../src/cli/host.js'
import { unverifiedTls } from '../../../../src/cli/site/site-policy.js'
import { sayFailure } from '../../../../src/cli/terminal/output.js'
import { fleetFigures } from '../database/fleet-figures.js'
import { workerLine } from '../report/worker-lines.js'
import { calmTell } from '../worker/calm-tell.js'
import { serveHealth } from '../worker/serve-health.js'
import { runWorker, type WorkerEnd } from '../worker/worker.js'
import { workerHealth } from '../worker/worker-health.js'
import { manifestsFor } from './manifests-for.js'
import { type OpenFleet, withFleetDatabase } from './open-fleet.js'
import { parseWorkerOptions, type WorkerArguments } from './worker-options.js'

/** Maximum number of connections: enough for hundreds of sites, which mostly wait. */
const connections = 12

/** Works on the sites of a fleet until it is stopped. */
export async function worker(argv: WorkerArguments, host: Host): Promise<ExitCode> {
  const options = parseWorkerOptions(argv)
  const unverified = unverifiedTls(host)
  if (unverified !== undefined) return sayFailure(host, unverified, 'never')
  const { database } = argv
  return withFleetDatabase({ database, host }, open => work({ argv, options, host, open }), {
    most: connections,
    // Without its database, nothing in progress ends by itself.
    async refuse(failure) {
      host.leave(sayFailure(host, failure, 'never'))
      return failure.exitCode
    },
  })
}

interface Given {
  readonly argv: WorkerArguments
  readonly options: ReturnType<typeof parseWorkerOptions>
  readonly host: Host
  readonly open: OpenFleet
}

async function work(given: Given): Promise<ExitCode> {
  const { argv, options, host, open } = given
  const { name, listen } = options
  const { tell: report, health } = telling(given)
  const server = listen && (await serveHealth(listen, health).catch((error: NodeJS.ErrnoException) => error))
  if (server !== undefined && !('close' in server))
    return sayFailure(host, cannotListen(argv.listen, server.code), 'never')
  const found = manifestsFor(options, host)
  const stop = stopOf(host)
  try {
    const { openManifest } = found
    const leave = () => host.leave(exitCodes.locked)
    const end = await runWorker({ ...options, ...open, tell: report, stop: stop.signal, leave, openManifest })
    const exitCode = exitCodeOf(end, { name, host, signal: stop.came() })
    if (end === 'lost') host.leave(exitCode)
    await found.close()
    // Abandons sleeps and steps that belong to other workers by now.
    if (end === 'stopped') host.leave(exitCode)
    return exitCode
  } finally {
    await server?.close()
    await found.close()
  }
}

function cannotListen(listen: string | undefined, code: string | undefined) {
  const message = `the worker cannot listen at ${listen} (${code})`
  return { exitCode: exitCodes.unreachable, message, next: 'choose another --listen' }
}

/** Creates the receiver of worker events, which prints and counts each of them. */
function telling({ argv, options, host, open }: Given) {
  const { stdout, clock } = host
  const { database, store } = open
  const monotonicMs = () => clock.monotonicMs()
  const health = workerHealth({ fleet: () => fleetFigures(database, store), monotonicMs })
  const log = calmTell(event => {
    stdout.write(workerLine[argv.log](event, { at: clock.now(), worker: options.name }))
  }, monotonicMs)
  const report: typeof health.tell = event => {
    log(event)
    health.tell(event)
  }
  return { tell: report, health }
}

function stopOf(host: Host) {
  const controller = new AbortController()
  let came: Signal | undefined
  host.onSignal(signal => {
    came = signal
    controller.abort(signal)
  })
  return { signal: controller.signal, came: () => came }
}

const signalCodes = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hungUp,
} as const satisfies Record<Signal, ExitCode>

interface Ended {
  readonly name: string
  readonly host: Host
  readonly signal: Signal | undefined
}

function exitCodeOf(end: WorkerEnd, { name, host, signal }: Ended): ExitCode {
  switch (end) {
    case 'stopped':
      return signal === undefined ? exitCodes.done : signalCodes[signal]
    case 'refused': {
      const message = `a worker named ${name} is running already`
      const next = 'choose another --name, or stop the other worker'
      return sayFailure(host, { exitCode: exitCodes.locked, message, next }, 'never')
    }
    case 'lost':
      return exitCodes.locked
    default:
      return end satisfies never
  }
}
