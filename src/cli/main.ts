#!/usr/bin/env node
import { type ExitCode, exitCodes } from './exit-code.js'
import { processHost } from './process-host.js'
import { run } from './run.js'

// Until the truth is known the answer is failure: a promise that never settles would otherwise end with 0.
process.exitCode = exitCodes.internal

process.on('uncaughtException', error => {
  sayInternal(error)
  process.exit(exitCodes.internal)
})

/** Set where the product could not be written out: then success is none. */
let outputCode: ExitCode | undefined

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  outputCode = error.code === 'EPIPE' ? exitCodes.brokenPipe : exitCodes.state
})

// Nobody reads the progress any more: the work goes on, and only its exit code matters.
process.stderr.on('error', () => undefined)

try {
  const exitCode = await run(process.argv.slice(2), processHost())
  process.exitCode = outputCode ?? exitCode
} catch (error) {
  sayInternal(error)
}

/** Only the kind of the error and, when asked, the lines of code: its message could quote what must not be shown. */
function sayInternal(error: unknown): void {
  const { name, stack = '' } = error as Error
  process.stderr.write(`error: internal error (${name}); this is a defect of Landform, please report it\n`)
  if (process.env['LANDFORM_DEBUG'] !== '1') return
  const frames = stack.split('\n').filter(line => /^\s+at /.test(line))
  process.stderr.write(`${frames.join('\n')}\n`)
}
