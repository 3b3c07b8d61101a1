import { defaultPollMs, followSite } from '../../library/follow-site.js'
import type { Submission } from '../../plan/generated/state.js'
import type { Observation } from '../../plan/observation.js'
import { selectMark } from '../../plan/site-mark.js'
import { isPending, listSentMarks } from '../../plan/submission.js'
import { display } from '../../report/display.js'
import { endOfWait } from '../../report/endings/apply.js'
import { describeEnd } from '../../report/endings/ending.js'
import { formatProgress } from '../../report/events.js'
import { type ExitCode, exitCodes } from '../../report/exit-code.js'
import { formatSentence } from '../../report/phrase.js'
import { suggestRecord } from '../../report/plan-words.js'
import { describePending, formatStatus, statusDocument } from '../../report/status.js'
import { formatNext } from '../../report/terminal.js'
import { chooseFiles } from '../check/expand-files.js'
import { type ArgumentsOf, declare, flag, pair } from '../command.js'
import {
  concurrencyOption,
  manifestOptions,
  manifestsArgument,
  manyRouteOption,
  siteFormats,
  waitOptions,
  waitReadyOption,
} from '../command-options.js'
import type { Host } from '../host.js'
import { parseWaitOptions } from '../options.js'
import { runForSites } from '../site/many-sites.js'
import { openSession } from '../site/open-session.js'
import { observe, waitUntilUp } from '../site/read-site.js'
import type { SiteSession } from '../site/session.js'
import { failed, runForSite, type SiteCommand, type WorkContext } from '../site/site-command.js'
import { type Failure, paintFor } from '../terminal/output.js'
import { createProgress, drain, observeSleeps } from '../terminal/progress.js'

const declaration = declare({
  name: 'status',
  describe: 'Show the state and the stages of one or more sites',
  touches: 'looks',
  arguments: [manifestsArgument],
  options: {
    wait: flag('Wait until the running configuration ends'),
    ...waitReadyOption,
    ...manyRouteOption,
    ...concurrencyOption,
    ...waitOptions,
    ...manifestOptions,
  },
  examples: [
    ['status site.yaml', 'show the state now'],
    ['status sites', 'show every site of a folder'],
    ['status site.yaml --wait', 'wait until the site is ready'],
  ],
})

type Arguments = Omit<ArgumentsOf<typeof declaration>, 'files'>
type WaitOptionsFor = ReturnType<typeof parseWaitOptions>

/** Shows the state of a site, or of many. Sends only GET requests and, if the site requires a token, the sign-in request. */
async function status({ files, ...options }: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const chosen = await chooseFiles(files, options.concurrency !== undefined)
  const argv = { ...options, needsState: false }
  const command = showSite(argv, parseWaitOptions(argv))
  if (chosen.kind === 'one') return runForSite({ ...argv, file: chosen.file }, host, command)
  const view = { kind: 'status', column: 'exit', showsEach: false } as const
  return runForSites(argv, host, command, { chosen, view })
}

function showSite(
  argv: Arguments,
  waitOptionsFor: WaitOptionsFor,
): SiteCommand<Arguments, SiteSession, (typeof siteFormats)[number]> {
  return {
    formats: siteFormats,
    listens: argv.wait,
    open: openSession,
    async work(session, context) {
      const { host } = context
      const { url, manifest, commands } = session
      const notUp = await waitUntilUp(session, host, { argv, signal: context.stop.signal })
      if (notUp !== undefined) return failed(notUp)
      const waited = argv.wait
        ? await waitForSite(session, context, { argv, waitOptionsFor })
        : exitCodes.done
      if (typeof waited !== 'number') return failed(waited)
      const kept = await readSubmission(session)
      const pending = kept !== undefined && isPending(kept) ? kept : undefined
      const observed = await observe(session, new AbortController().signal)
      if (!observed.ok && pending !== undefined) host.stderr.print(formatSentence(describePending(pending)))
      // The exit code of the wait is more specific than that of a failed read.
      if (!observed.ok)
        return failed(waited === exitCodes.done ? observed.error : { ...observed.error, exitCode: waited })
      const { value } = observed
      const isUnrecorded = value.kind === 'ready' && (await lacksRecord(session))
      const showsNext = !argv.quiet && !argv.emulate
      const isWaiting = value.kind === 'in-progress' && waited !== exitCodes.done
      const next = `the configuration continues on the service; wait for it with \`${commands.status} --wait\``
      return {
        exitCode: waited,
        group: value.kind,
        summary: summarizeStatus(value, pending),
        document: statusDocument(url, value, pending),
        format: (_, { paint, toFile }) =>
          formatStatus(url, value, {
            paint,
            pending,
            isUnrecorded,
            withoutStages: waited !== exitCodes.done && !toFile && !argv.quiet,
          }),
        notes: [
          ...(isUnrecorded && showsNext ? [formatNext(suggestRecord(commands.adopt))] : []),
          ...(isWaiting ? [formatNext([next])] : []),
        ],
        ...(argv.wait && { notice: `the wait for ${manifest.name} has ended (exit code ${waited})` }),
      }
    },
  }
}

function summarizeStatus(observed: Observation, pending: Submission | undefined): string {
  const { kind, version, stages, message } = observed
  const state = kind === 'unrecognized' ? `unrecognized: ${display(observed.state)}` : kind
  const more = stages.length > 0 ? formatProgress(stages) : message
  // Once the site shows a configuration, the open request needs no mention.
  const open = pending !== undefined && kind === 'not-configured' ? `${describePending(pending)}; ` : ''
  return `${open}${state}${version === undefined ? '' : `, version ${version}`}${more === undefined ? '' : `: ${more}`}`
}

/** Tests whether the state has no record. False if it cannot be read, so that the report of the site is still shown. */
async function lacksRecord({ state }: SiteSession): Promise<boolean> {
  const kept = await state.read()
  return kept.ok && kept.value?.record.organization === undefined
}

async function readSubmission({ state }: SiteSession): Promise<Submission | undefined> {
  const kept = await state.read()
  return kept.ok ? kept.value?.submission : undefined
}

/** Waits as an apply does, with its exit codes; returns the reason if there is nothing to wait for. */
async function waitForSite(
  session: SiteSession,
  { stop, ...shown }: WorkContext,
  {
    argv: { color, quiet },
    waitOptionsFor,
  }: { readonly argv: Arguments; readonly waitOptionsFor: WaitOptionsFor },
): Promise<ExitCode | Failure> {
  const now = await observe(session, new AbortController().signal)
  if (!now.ok) return now.error
  const { kind } = now.value
  if (kind === 'not-configured')
    return {
      exitCode: exitCodes.stale,
      message: 'no configuration is under way: the site is not configured',
      next: [`\`${session.commands.apply}\` starts one`],
    }
  const progress = createProgress('auto', shown, { paint: paintFor('stderr', color), quiet })
  const { host } = shown
  const how = {
    clock: observeSleeps(host.clock, [progress]),
    waitOptions: waitOptionsFor(defaultPollMs(session.url)),
    random: host.random,
    stages: [],
    begun: kind !== 'unrecognized',
    marks: [...listSentMarks(await readSubmission(session)), selectMark(now.value)],
  }
  try {
    const end = await drain(followSite(session, how, stop.signal), progress.show)
    if (end.kind === 'interrupted') return stop.exitCode()
    const ended = endOfWait(end)
    const { exitCode } = ended
    return end.kind === 'replaced' ? { exitCode, message: describeEnd(ended) } : exitCode
  } finally {
    progress.end()
  }
}

export const command = pair(declaration, status)
