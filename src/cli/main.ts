import { type ExitCode, exitCodes } from './exit-code.js'
import { run } from './run.js'
import { processHost } from './terminal/process-host.js'

// Until the truth is known the answer is failure: a promise that never settles would otherwise end with 0.
process.exitCode = exitCodes.internal

process.on('uncaughtException', error => {
  sayInternal(error)
  process.exit(exitCodes.internal)
})

/** Set where the product could not be written out: then success is none. */
let outputCode: ExitCode | undefined

const host = processHost(code => {
  outputCode = code === 'EPIPE' ? exitCodes.brokenPipe : exitCodes.state
  // Who closes a pipe has read enough; a full disk is news.
  if (code !== 'EPIPE') host.stderr.write(`error: standard output cannot be written (${code})\n`)
})

run(process.argv.slice(2), host).then(exitCode => {
  process.exitCode = exitCode
}, sayInternal)

// A stream may break after the last word was given to it.
process.on('exit', () => {
  if (outputCode !== undefined) process.exitCode = outputCode
})

/** Only the kind of the error and, when asked, the lines of code: its message could quote what must not be shown. */
function sayInternal(error: unknown): void {
  const { name, stack = '' } = error as Error
  process.stderr.write(`error: internal error (${name}); this is a defect of Landform, please report it\n`)
  if (process.env['LANDFORM_DEBUG'] !== '1') return
  const frames = stack.split('\n').filter(line => /^\s+at /.test(line))
  process.stderr.write(`${frames.join('\n')}\n`)
}
