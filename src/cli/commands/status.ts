import type { WaitOptions } from '../../apply/clock.js'
import { defaultPollMs, followSite } from '../../library/follow-site.js'
import { selectMark } from '../../plan/site-mark.js'
import { isPending, listSentMarks, type Submission } from '../../plan/submission.js'
import { type ExitCode, exitCodes } from '../../report/exit-code.js'
import { exitCodeOfWait } from '../../report/exit-code-of.js'
import { formatNext } from '../../report/next-steps.js'
import { describeOutcome } from '../../report/outcomes.js'
import { formatSentence } from '../../report/phrase.js'
import { describePending, formatStatus, statusDocument } from '../../report/status.js'
import { chooseFiles } from '../check/expand-files.js'
import type { ArgumentsOf } from '../command.js'
import type { status as declaration } from '../declarations/sites.js'
import type { Host } from '../host.js'
import { parseWaitOptions } from '../options.js'
import { withSession } from '../site/open-session.js'
import { observe, refuseWaitReady, waitUntilUp } from '../site/read-site.js'
import type { SiteSession } from '../site/session.js'
import { printAdoption } from '../site/suggest-adoption.js'
import { notify, stopSignal } from '../terminal/interaction.js'
import { emit, type Failure, jsonText, paintFor } from '../terminal/output.js'
import { createProgress, drain, observeSleeps, type ProgressView } from '../terminal/progress.js'

/** Shows the state of a site. Sends GET alone, and what signing in takes where the site asks for a token. */
export async function status(
  { files, ...options }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  const chosen = await chooseFiles(files, options.concurrency !== undefined)
  const argv = { ...options, file: chosen.kind === 'one' ? chosen.file : '', needsState: false }
  const waitOptionsFor = parseWaitOptions(argv)
  if (chosen.kind === 'many') {
    refuseWaitReady(argv, 'is for one site')
    const { statusFleet } = await import('../fleet/status-fleet.js')
    const follow = (session: SiteSession, at: Host) =>
      waitForSite(session, at, {
        waitOptions: waitOptionsFor(defaultPollMs(session.url)),
        progress: () => createProgress('lines', at, paintFor('stderr', argv.color), argv.quiet),
      })
    return statusFleet(options, host, { chosen, ...(argv.wait && { follow }) })
  }
  return withSession(argv, host, async ({ session, targets, refuse }) => {
    const { url } = session
    const waitOptions = waitOptionsFor(defaultPollMs(url))
    const { signal } = new AbortController()
    const notUp = await waitUntilUp(session, host, { argv, signal })
    if (notUp !== undefined) return refuse(notUp)
    let waited: ExitCode = exitCodes.done
    if (argv.wait) {
      const progress = () => createProgress('auto', host, paintFor('stderr', argv.color), argv.quiet)
      const ended = await waitForSite(session, host, { waitOptions, progress })
      waited = typeof ended === 'number' ? ended : ended.exitCode
      if (argv.notify) notify(host, `the wait for ${session.manifest.name} has ended (exit code ${waited})`)
      if (typeof ended !== 'number') return refuse(ended)
    }
    const kept = await readSubmission(session)
    const pending = kept !== undefined && isPending(kept) ? kept : undefined
    const observed = await observe(session, new AbortController().signal)
    if (!observed.ok && pending !== undefined) host.stderr.print(formatSentence(describePending(pending)))
    // The end of the wait says more than that the site cannot be read now.
    if (!observed.ok)
      return refuse(waited === exitCodes.done ? observed.error : { ...observed.error, exitCode: waited })
    const isUnrecorded = observed.value.kind === 'ready' && (await lacksRecord(session))
    const written = await emit(host, targets, (format, toFile) =>
      format === 'json'
        ? jsonText(statusDocument(url, observed.value, pending))
        : formatStatus(url, observed.value, {
            paint: paintFor('stdout', toFile ? 'never' : argv.color),
            pending,
            isUnrecorded,
            withoutStages: waited !== exitCodes.done && !toFile && !argv.quiet,
          }),
    )
    if (isUnrecorded) printAdoption(session, argv, host)
    if (observed.value.kind === 'in-progress' && waited !== exitCodes.done)
      host.stderr.print(
        formatNext(
          `the configuration continues on the service; wait for it with \`${session.commands.status} --wait\``,
        ),
      )
    return written ? waited : exitCodes.state
  })
}

/** False also where the state cannot be read: the report of the site is still shown. */
async function lacksRecord({ state }: SiteSession): Promise<boolean> {
  const kept = await state.read()
  return kept.ok && kept.value?.record.organization === undefined
}

async function readSubmission({ state }: SiteSession): Promise<Submission | undefined> {
  const kept = await state.read()
  return kept.ok ? kept.value?.submission : undefined
}

const nothingToFollow = ({ commands }: SiteSession): Failure => ({
  exitCode: exitCodes.stale,
  message: 'no configuration is under way: the site is not configured',
  next: `\`${commands.apply}\` starts one`,
})

interface Following {
  readonly waitOptions: WaitOptions
  progress(): ProgressView
}

/** Waits as an apply does, with its exit codes; reports why if there is nothing to wait for. */
async function waitForSite(
  session: SiteSession,
  host: Host,
  { waitOptions, progress: shown }: Following,
): Promise<ExitCode | Failure> {
  const now = await observe(session, new AbortController().signal)
  if (!now.ok) return now.error
  const { kind } = now.value
  if (kind === 'not-configured') return nothingToFollow(session)
  const stop = stopSignal(host)
  const progress = shown()
  const how = {
    clock: observeSleeps(host.clock, [progress]),
    waitOptions,
    random: host.random,
    stages: [],
    begun: kind !== 'unrecognized',
    marks: [...listSentMarks(await readSubmission(session)), selectMark(now.value)],
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
