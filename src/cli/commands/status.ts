import type { WaitOptions } from '../../apply/clock.js'
import { markOf } from '../../apply/wait/site-mark.js'
import { followSite } from '../../library/follow-site.js'
import { defaultPollMs } from '../../library/patience.js'
import { describeOutcome } from '../../report/outcome-text.js'
import { formatStatus, statusDocument } from '../../report/status.js'
import { chosenFiles } from '../check/expand-files.js'
import type { ArgumentsOf } from '../command.js'
import type { status as declaration } from '../declarations/sites.js'
import { type ExitCode, exitCodes } from '../exit-code.js'
import { exitCodeOfWait } from '../exit-code-of.js'
import type { Host } from '../host.js'
import { parsePatience } from '../options.js'
import { withSession } from '../site/open-session.js'
import { observe, refuseWaitReady, waitUntilUp } from '../site/read-site.js'
import type { Session } from '../site/session.js'
import { notify, stopSignal } from '../terminal/interaction.js'
import { emit, type Failure, jsonText, paintFor } from '../terminal/output.js'
import { drain, type Progress, watchedClock } from '../terminal/progress.js'
import { progressFor } from '../terminal/progress-view.js'

/** Shows the state of a site. Sends nothing but GET, and no secret but the token where the site asks for it. */
export async function status(
  { files, ...options }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  const chosen = await chosenFiles(files, options.concurrency !== undefined)
  const argv = { ...options, file: chosen.kind === 'one' ? chosen.file : '', needsState: false }
  const patienceFor = parsePatience(argv)
  if (chosen.kind === 'many') {
    refuseWaitReady(argv, 'is for one site')
    const { statusFleet } = await import('../fleet/status-fleet.js')
    const follow = (session: Session, at: Host) =>
      followed(session, at, {
        patience: patienceFor(defaultPollMs(session.url)),
        progress: () => progressFor('lines', at, paintFor('stderr', argv.color), argv.quiet),
      })
    return statusFleet(options, host, { chosen, ...(argv.wait && { follow }) })
  }
  return withSession(argv, host, async ({ session, targets, refuse }) => {
    const { url } = session
    const patience = patienceFor(defaultPollMs(url))
    const { signal } = new AbortController()
    const notUp = await waitUntilUp(session, host, { argv, signal })
    if (notUp !== undefined) return refuse(notUp)
    let waited: ExitCode = exitCodes.done
    if (argv.wait) {
      const progress = () => progressFor('auto', host, paintFor('stderr', argv.color), argv.quiet)
      const ended = await followed(session, host, { patience, progress })
      waited = typeof ended === 'number' ? ended : ended.exitCode
      if (argv.notify) notify(host, `the wait for ${session.manifest.name} has ended (exit code ${waited})`)
      if (typeof ended !== 'number') return refuse(ended)
    }
    const observed = await observe(session, new AbortController().signal)
    // The end of the wait says more than that the site cannot be read now.
    if (!observed.ok)
      return refuse(waited === exitCodes.done ? observed.error : { ...observed.error, exitCode: waited })
    const written = await emit(host, targets, (format, toFile) =>
      format === 'json'
        ? jsonText(statusDocument(url, observed.value))
        : formatStatus(url, observed.value, paintFor('stdout', toFile ? 'never' : argv.color)),
    )
    return written ? waited : exitCodes.state
  })
}

const nothingToFollow = ({ commands }: Session): Failure => ({
  exitCode: exitCodes.stale,
  message: 'no configuration is under way: the site is not configured',
  next: `\`${commands.apply}\` starts one`,
})

interface Following {
  readonly patience: WaitOptions
  progress(): Progress
}

/** Waits with the same eyes as apply, and with its exit codes; or says why there is nothing to wait for. */
async function followed(
  session: Session,
  host: Host,
  { patience, progress: shown }: Following,
): Promise<ExitCode | Failure> {
  const now = await observe(session, new AbortController().signal)
  if (!now.ok) return now.error
  const { kind } = now.value
  if (kind === 'not-configured') return nothingToFollow(session)
  const stop = stopSignal(host)
  const progress = shown()
  const how = {
    clock: watchedClock(host.clock, [progress]),
    patience,
    random: host.random,
    stages: [],
    begun: kind !== 'unrecognized',
    marks: [markOf(now.value)],
  }
  try {
    const end = await drain(followSite(session, how, stop.signal), progress.show)
    if (end.kind === 'interrupted') return stop.exitCode()
    const exitCode = exitCodeOfWait(end)
    return end.kind === 'replaced' ? { exitCode, message: describeOutcome(end) } : exitCode
  } finally {
    stop.forget()
    progress.end()
  }
}
