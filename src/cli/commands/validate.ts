import type { ExitCode } from '../../report/exit-code.js'
import { reportFindings } from '../check/report-findings.js'
import type { ArgumentsOf } from '../command.js'
import type { validate as declaration } from '../declarations/manifests.js'
import type { Host } from '../host.js'

/** Checks manifests. Reads the named files and what they build on: no secret unless asked, no network. */
export function validate(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  return reportFindings(argv, host)
}
