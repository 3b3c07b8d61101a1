import { exportSite as perform } from '../../operations/export-site.js'
import {
  describeExport,
  exportDocument,
  formatExport,
  formatMessages,
  whereToLook,
} from '../../report/export.js'
import { sentence } from '../../report/sentence.js'
import type { ArgumentsOf } from '../command.js'
import { exportSite as declaration } from '../declarations/one-shot.js'
import { siteFormats } from '../declarations/options.js'
import { type ExitCode, exitCodeOfOneShot } from '../exit-code.js'
import type { Host } from '../host.js'
import { askOrRefuse, typedAgain } from '../one-shot/consent.js'
import { parseExport } from '../one-shot/export-request.js'
import { afterExport } from '../one-shot/next-step.js'
import { conclude, optionsOf, performed, portsOf, watched } from '../one-shot/perform.js'
import { openTarget } from '../one-shot/target.js'
import { gateFailure } from '../one-shot/version-gate.js'
import { parseDeadline } from '../options.js'
import { atDesk } from '../site/with-session.js'
import { paintFor } from '../terminal/output.js'

/** Exports a site, or checks whether it could be: once, and never on a guess. Service §4.1. */
export async function exportSite(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const deadlineMs = parseDeadline(argv.timeout)
  const asked = parseExport(argv)
  const again = (changes: object = {}) => typedAgain(declaration, { ...argv, ...changes })
  const open = () => openTarget(argv, host)
  return atDesk(argv, host, {
    formats: siteFormats,
    open,
    work: desk =>
      watched(host, async watch => {
        const { session: site, refuse, warn } = desk
        const request = { ...asked, token: site.token }
        const { validate } = request
        const isSureCheck = validate && site.version !== undefined
        const gate = gateFailure(site, ['exportSite', ...(validate ? ['exportSite validate' as const] : [])])
        if (gate !== undefined) return refuse(gate)
        warn(site.warnings)
        if (!argv.quiet || host.isInteractive)
          host.stderr.write(formatExport(site, request, paintFor('stderr', argv.color)))
        const asking = askOrRefuse(argv, host, {
          // An older service may not know the parameter, and export.
          guarded: { confirmation: site.host, mustBeNamed: false, matters: !isSureCheck && !argv.emulate },
          question: validate ? `Ask ${site.url} whether it could export?` : `Export ${site.url}?`,
          again: again(argv.confirm === undefined ? { yes: true } : { confirm: site.host }),
          watch,
        })
        const refusal = typeof asking === 'function' ? await asking() : asking
        if (refusal !== undefined) return refuse(refusal)
        const timed = await performed(host, watch, {
          what: validate ? 'checking the location' : 'exporting the site; this can take long',
          quiet: argv.quiet,
          look: since => (validate ? '' : whereToLook(request, since)),
          run: () => perform(request, portsOf(site), optionsOf(deadlineMs, watch)),
        })
        const { outcome } = timed
        const exitCode =
          outcome.kind === 'warned' ? exitCodeOfOneShot(outcome, argv['allow-warnings']) : timed.exitCode
        const look = whereToLook(request, timed.startedAt)
        const message = describeExport(outcome, request)
        const next = exitCode === 0 ? '' : afterExport(outcome, { site, look, again: again() })
        const ended = { ...timed, message, next, exitCode }
        return conclude(host, desk, {
          ended,
          text: sentence(message) + formatMessages(outcome),
          document: () => exportDocument(site.url, request, ended),
        })
      }),
  })
}
