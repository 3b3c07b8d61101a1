import { type ExitCode, exitCodes } from './exit-code.js'
import { perform, readPlainLine } from './perform.js'
import { processHost } from './terminal/process-host.js'

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

run(process.argv.slice(2)).then(exitCode => {
  process.exitCode = exitCode
}, sayInternal)

async function run(words: readonly string[]): Promise<ExitCode> {
  const plain = readPlainLine(words)
  if (plain !== undefined) return perform(plain, host)
  const everything = await import('./run.js')
  return everything.run(words, host)
}

// A stream may break after the last write.
process.on('exit', () => {
  if (outputCode !== undefined) process.exitCode = outputCode
})

/** Prints the name of the error and, on request, its stack: its message could quote a secret. */
function sayInternal(error: unknown): void {
  const { name, stack = '' } = error as Error
  process.stderr.write(`error: internal error (${name}); this is a defect of Landform, please report it\n`)
  if (process.env['LANDFORM_DEBUG'] !== '1') return
  const frames = stack.split('\n').filter(line => /^\s+at /.test(line))
  process.stderr.write(`${frames.join('\n')}\n`)
}
