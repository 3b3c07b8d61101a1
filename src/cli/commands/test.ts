import type { ArgumentsOf } from '../command.js'
import type { test as declaration } from '../declarations/manifests.js'
import { testFormats } from '../declarations/options.js'
import { type ExitCode, UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { findTestFiles, testOnce } from '../manifest-tests/test-once.js'
import { parseTargets } from '../options.js'
import { stopSignal } from '../terminal/interaction.js'

/**
 * Runs the tests that the words name, once or whenever something of them changes: each at an emulated site in this process,
 * on a clock of its own. Makes no connection, and reads no environment.
 */
export async function test(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const targets = parseTargets(argv.format, testFormats)
  if (argv.tests.includes('-'))
    throw new UsageError('tests refer to files beside them, so they cannot be read from standard input (-)')
  if (argv.watch && argv.format.join() !== 'text')
    throw new UsageError('--watch writes text; leave --format out')
  const stop = stopSignal(host, () => 'stopping')
  const { signal } = stop
  try {
    const once = await testOnce(argv, host, { targets, signal })
    if (signal.aborted) return stop.exitCode()
    // Without a test file there is nothing to watch.
    if (!argv.watch || once.tested.length === 0) return once.exitCode
    const { watchTests } = await import('../manifest-tests/watch-tests.js')
    await watchTests(once.tested, signal, {
      list: async () => (await findTestFiles(argv.tests)).files,
      again: async tests => (await testOnce({ ...argv, tests }, host, { targets, signal })).tested,
      say: text => host.stderr.print(text),
    })
    return stop.exitCode()
  } finally {
    stop.forget()
  }
}
