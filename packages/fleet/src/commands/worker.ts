import {
  checkTlsVerification,
  type ExitCode,
  exitCodes,
  type Host,
  type Signal,
  sayFailure,
  signalCodes,
} from 'landform/cli'
import { readFleetFigures } from '../database/fleet-figures.js'
import { workerLine } from '../report/worker-lines.js'
import { limitRepeats } from '../worker/limit-repeats.js'
import { runWorker, type WorkerEnd } from '../worker/worker.js'
import { createWorkerHealth, serveHealth } from '../worker/worker-health.js'
import { type OpenFleet, withFleetDatabase } from './open-fleet.js'
import { describeListenFailure } from './ui.js'
import { openWorkerManifests } from './worker-manifests.js'
import { parseWorkerOptions, type WorkerArguments } from './worker-options.js'

/** Maximum number of connections: enough for hundreds of sites, which mostly wait. */
const connections = 12
/** No query of a worker takes as long, and its sites wait during a query. */
const maxSilenceMs = 15_000

/** Works on the sites of a fleet until it is stopped. */
export async function worker(argv: WorkerArguments, host: Host): Promise<ExitCode> {
  const options = parseWorkerOptions(argv)
  const unverified = checkTlsVerification(host)
  if (unverified !== undefined) return sayFailure(host, unverified, 'never')
  await host.keepHeapSmall()
  const { database } = argv
  return withFleetDatabase({ database, host }, open => runUntilStopped({ argv, options, host, open }), {
    maxConnections: connections,
    maxSilenceMs,
    // Without the database, work in progress never ends.
    async refuse(failure) {
      host.leave(sayFailure(host, failure, 'never'))
      return failure.exitCode
    },
  })
}

interface WorkerParts {
  readonly argv: WorkerArguments
  readonly options: ReturnType<typeof parseWorkerOptions>
  readonly host: Host
  readonly open: OpenFleet
}

async function runUntilStopped(given: WorkerParts): Promise<ExitCode> {
  const { argv, options, host, open } = given
  const { name, listen } = options
  const { tell: report, health } = createReporter(given)
  const server = listen && (await serveHealth(listen, health).catch((error: NodeJS.ErrnoException) => error))
  if (server !== undefined && !('close' in server))
    return sayFailure(
      host,
      describeListenFailure('worker', argv.listen ?? '', server.code ?? 'unknown'),
      'never',
    )
  const found = openWorkerManifests(options, host)
  const stop = listenForSignals(host)
  try {
    const { openManifest } = found
    const leave = () => host.leave(exitCodes.locked)
    const end = await runWorker({ ...options, ...open, report, stop: stop.signal, leave, openManifest })
    const exitCode = reportEnd(end, { name, host, signal: stop.came() })
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

/** Creates the receiver of worker events, which prints and counts each of them. */
function createReporter({ argv, options, host, open }: WorkerParts) {
  const { stdout, clock } = host
  const { database, store } = open
  const monotonicMs = () => clock.monotonicMs()
  const health = createWorkerHealth({ fleet: () => readFleetFigures(database, store), monotonicMs })
  const log = limitRepeats(event => {
    stdout.write(workerLine[argv.log](event, { at: clock.now(), worker: options.name }))
  }, monotonicMs)
  const report: typeof health.report = event => {
    log(event)
    health.report(event)
  }
  return { tell: report, health }
}

function listenForSignals(host: Host) {
  const controller = new AbortController()
  let came: Signal | undefined
  host.onSignal(signal => {
    came = signal
    controller.abort(signal)
  })
  return { signal: controller.signal, came: () => came }
}

interface EndContext {
  readonly name: string
  readonly host: Host
  readonly signal: Signal | undefined
}

function reportEnd(end: WorkerEnd, { name, host, signal }: EndContext): ExitCode {
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
