import type { ArgumentsOf } from '../command.js'
import type { test as declaration } from '../declarations/manifests.js'
import type { ExitCode } from '../exit-code.js'
import type { Host } from '../host.js'

/**
 * Runs tests of manifests: each at an emulated site in this process, on a clock of its own. Makes no connection, and reads
 * no environment.
 */
export async function test(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const { reportTests } = await import('../testing/report-tests.js')
  return reportTests(argv, host)
}
