import { chooseFiles } from '../check/expand-files.js'
import type { ArgumentsOf } from '../command.js'
import { siteFormats } from '../declarations/options.js'
import type { apply as declaration } from '../declarations/sites.js'
import { type ExitCode, UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { parseIgnored, parseWaitOptions } from '../options.js'
import { openPlanned } from '../plan/planned-session.js'
import { applyOne } from '../site/apply-one.js'
import { withSite } from '../site/open-session.js'
import { refuseWaitReady } from '../site/read-site.js'

/** Plans, asks, performs the plan, and says how it ended; or performs a saved plan, just that, and asks nothing. */
export async function apply(
  { files, ...options }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  const chosen = await chooseFiles(files, options.concurrency !== undefined)
  const argv = { ...options, file: chosen.kind === 'one' ? chosen.file : '' }
  const waitOptionsFor = parseWaitOptions(argv)
  const ignored = parseIgnored(argv['ignore-immutable'])
  if (argv.emulate && argv.detach)
    throw new UsageError('--detach leaves nothing behind with --emulate, whose emulator ends with the run')
  if (chosen.kind === 'many' && argv.manifest !== undefined)
    throw new UsageError('--manifest names the manifest of one saved plan')
  if (chosen.kind === 'many') {
    refuseWaitReady(argv, 'is for one site')
    const { applyFleet } = await import('../fleet/apply-fleet.js')
    return applyFleet(options, host, { chosen, ignored, waitOptionsFor })
  }
  return withSite(argv, host, {
    formats: siteFormats,
    open: () => openPlanned(argv, host),
    work: context => applyOne(context, host, { argv, ignored, waitOptionsFor }),
  })
}
