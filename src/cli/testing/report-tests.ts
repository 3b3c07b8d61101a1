import { testFormats } from '../declarations/options.js'
import type { ExitCode } from '../exit-code.js'
import type { Host } from '../host.js'
import { parseTargets } from '../options.js'
import { stopSignal } from '../terminal/stop-signal.js'
import { UsageError } from '../usage-error.js'
import { type TestRequest, testFilesOf, testOnce } from './test-once.js'

/** The values of the options of `landform test`. */
export interface TestArguments extends TestRequest {
  readonly format: readonly string[]
  readonly watch: boolean
}

/** Runs the tests that the words name, once or whenever something of them changes. */
export async function reportTests(argv: TestArguments, host: Host): Promise<ExitCode> {
  const targets = parseTargets(argv.format, testFormats)
  if (argv.tests.includes('-'))
    throw new UsageError('tests name other files by where they lie; - has no folder')
  if (argv.watch && argv.format.join() !== 'text')
    throw new UsageError('--watch writes text; leave --format out')
  const stop = stopSignal(host, () => 'stopping')
  const { signal } = stop
  try {
    const once = await testOnce(argv, host, { targets, signal })
    if (signal.aborted) return stop.exitCode()
    // Where no file of tests was read there is none to look after.
    if (!argv.watch || once.tested.length === 0) return once.exitCode
    const { watchTests } = await import('./watch-tests.js')
    await watchTests(once.tested, signal, {
      list: async () => (await testFilesOf(argv.tests)).files,
      again: async tests => (await testOnce({ ...argv, tests }, host, { targets, signal })).tested,
      say: text => host.stderr.write(text),
    })
    return stop.exitCode()
  } finally {
    stop.forget()
  }
}
