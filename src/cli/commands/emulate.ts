import { parseVersion } from '../../contract/version.js'
import { manifestVersions, newestVersion } from '../../contract/versions.js'
import { startEmulator } from '../../emulator/server.js'
import { command } from '../command.js'
import { exitCodes } from '../exit-code.js'
import { commonOptions, parseDuration } from '../options.js'
import { fail } from '../output.js'
import { UsageError } from '../usage-error.js'

/** Runs the emulator on a loopback port; its address is the first line on stdout. */
export const emulate = command({
  arguments: [],
  options: {
    port: {
      kind: 'text',
      value: 'PORT',
      default: '0',
      describe: 'Port on 127.0.0.1; 0 takes a free one',
    },
    'base-path': { kind: 'text', value: 'PATH', describe: 'Path of the base URL [default: a random one]' },
    'service-version': {
      kind: 'text',
      value: 'VERSION',
      default: newestVersion,
      suggests: manifestVersions,
      describe: 'Version that is emulated; younger operations and parameters do not exist',
    },
    'stage-time': {
      kind: 'text',
      value: 'TIME',
      default: '250ms',
      describe: 'How long each stage of a configuration takes',
    },
    ...commonOptions,
  },
  examples: [['emulate', 'then, with any secrets set: landform apply site.yaml --url URL --yes']],
  async run(argv, host) {
    const { color, 'base-path': basePath, 'service-version': serviceVersion } = argv
    const version = parseVersion(serviceVersion)
    if (version === undefined)
      throw new UsageError(`${JSON.stringify(serviceVersion)} is not a version such as 11.2`)
    const port = /^\d{1,5}$/.test(argv.port) ? Number(argv.port) : -1
    if (port < 0 || port > 65_535) throw new UsageError('--port is a number from 0 to 65535')
    const stageMs = parseDuration('stage-time', argv['stage-time'])
    const options = { version, stageMs, port, ...(basePath !== undefined && { basePath }) }
    const started = await startEmulator(options).catch(
      (error: NodeJS.ErrnoException) => error.code ?? 'unknown',
    )
    if (typeof started === 'string') {
      const message = `the emulator cannot listen on port ${port} (${started})`
      const context = { targets: [], color, linesOf: () => undefined }
      return fail(host, { exitCode: exitCodes.unreachable, message, next: 'choose another --port' }, context)
    }
    host.stdout.write(`${started.url}\n`)
    await new Promise<void>(resolve => host.onSignal(() => resolve()))
    await started.close()
    return exitCodes.done
  },
})
