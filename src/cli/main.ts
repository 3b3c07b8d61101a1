import { type ExitCode, exitCodes } from '../report/exit-code.js'
import type { Host } from './host.js'
import { processHost } from './terminal/process-host.js'

/** Runs the command line of this process, and ends with its exit code. */
export function main(run: (words: readonly string[], host: Host) => Promise<ExitCode>): void {
  // The exit code is a failure until the run ends: a promise that never settles would otherwise end with 0.
  process.exitCode = exitCodes.internal
  process.on('uncaughtException', error => {
    sayInternal(error)
    process.exit(exitCodes.internal)
  })
  /** Set if stdout could not be written: then the run has failed. */
  let outputCode: ExitCode | undefined
  const host = processHost(code => {
    outputCode = code === 'EPIPE' ? exitCodes.brokenPipe : exitCodes.state
    // A reader that closes a pipe has read enough; a full disk is reported.
    if (code !== 'EPIPE') host.stderr.write(`error: standard output cannot be written (${code})\n`)
  })
  // A stream may break after the last write.
  process.on('exit', () => {
    if (outputCode !== undefined) process.exitCode = outputCode
  })
  run(process.argv.slice(2), host).then(exitCode => {
    process.exitCode = exitCode
  }, sayInternal)
}

/** Prints the name of the error and, on request, its stack: its message could quote a secret. */
function sayInternal(error: unknown): void {
  const { name, stack = '' } = error as Error
  process.stderr.write(`error: internal error (${name}); this is a defect of Landform, please report it\n`)
  if (process.env['LANDFORM_DEBUG'] !== '1') return
  const frames = stack.split('\n').filter(line => /^\s+at /.test(line))
  process.stderr.write(`${frames.join('\n')}\n`)
}
