import { type ExitCode, endStateByExitCode, exitCodes, worstExitCode } from '../../report/exit-code.js'
import { formatDiagnostics, type ReadLines } from '../../report/findings-text.js'
import type { Sent } from '../../report/sent.js'
import {
  formatSites,
  formatSitesMarkdown,
  type SiteResult,
  type SitesTable,
  sitesDocument,
  summarizeSites,
} from '../../report/sites.js'
import { type Chosen, parseConcurrency } from '../check/expand-files.js'
import type { Host } from '../host.js'
import type { ReportTarget } from '../options.js'
import { notify, type StopSignal, stopSignal } from '../terminal/interaction.js'
import { emit, fail, jsonText, paintFor, tellFiles, tellSent, writeAll } from '../terminal/output.js'
import { labelLine, runInPool, siteHost, withErrorBoundary } from './labelled-host.js'
import { type Member, type Opened, type OpenedSite, withSites } from './open-sites.js'
import {
  type Done,
  failed,
  formatDone,
  neverStopped,
  type SiteCommand,
  type SiteCommandArguments,
  type WorkContext,
} from './site-command.js'
import { tellCi } from './tell-ci.js'

/** The formats of a command for several sites. */
export const manyFormats = ['text', 'json', 'markdown'] as const

/** The presentation of the results of several sites. */
interface SitesView extends SitesTable {
  /** True to show the text of each site before the table; for too many sites, only of those that failed. */
  readonly showsEach: boolean
}

/** The details of more sites are shown only with `-v`, because nobody reads 40,000 lines. */
export const maxDetailed = 10

function isTooMany(sites: readonly unknown[], { verbose }: Pick<SiteCommandArguments, 'verbose'>): boolean {
  return sites.length > maxDetailed && verbose !== true
}

/** Runs a command for each of several sites, and reports the results together. */
export function runForSites<A extends SiteCommandArguments, S extends OpenedSite, F extends string>(
  argv: A,
  host: Host,
  { open, work, listens = false }: SiteCommand<A, S, F>,
  { chosen, view }: { readonly chosen: Chosen & { readonly kind: 'many' }; readonly view: SitesView },
): Promise<ExitCode> {
  const concurrency = parseConcurrency(argv.concurrency)
  return withSites(argv, host, {
    formats: manyFormats,
    chosen,
    open: (file, at) => open({ ...argv, file }, at),
    async work({ members, targets }) {
      const stop = listens ? stopSignal(host) : neverStopped
      try {
        const ended = await workOnSites(toJobs(members), { concurrency, stop, argv, host }, work)
        return await reportSites(ended, { targets, view, argv, host })
      } finally {
        stop.forget()
      }
    },
  })
}

/** One of several sites, with a function that opens it. */
export interface SiteJob<S> extends Omit<Member<S>, 'opened'> {
  open(host: Host): Promise<Opened<S>>
}

/** Makes the jobs of sites that are open already. */
export function toJobs<S>(members: readonly Member<S>[]): readonly SiteJob<S>[] {
  return members.map(({ opened, ...named }) => ({ ...named, open: async () => opened }))
}

/** One of several sites, with its result. */
export interface EndedSite<D extends Done = Done> extends Omit<Member, 'opened'> {
  readonly done: D | Done<never>
}

/** The context that several sites share. */
interface Pool {
  readonly concurrency: number
  readonly stop: StopSignal
  readonly argv: SiteCommandArguments
  readonly host: Host
}

/**
 * Performs the work for several sites at once, and closes each when it is done. A failure of one site does not affect
 * another; after an interrupt, no further site starts.
 */
export async function workOnSites<S extends OpenedSite, D extends Done>(
  jobs: readonly SiteJob<S>[],
  pool: Pool,
  work: (session: S, context: WorkContext) => Promise<D>,
): Promise<readonly EndedSite<D>[]> {
  const { concurrency, stop, host } = pool
  const isBrief = isTooMany(jobs, pool.argv)
  const workOn = async ({ open, ...named }: SiteJob<S>): Promise<EndedSite<D>> => {
    const at = siteHost(host, line => host.stderr.print(labelLine(named.site, line)))
    const conclude = async (done: D | Done<never>, sent: Sent, readLines?: ReadLines) => ({
      ...named,
      done: await printResult(done, { ...pool, host: at, sent, readLines }),
    })
    const opened = await withErrorBoundary<Opened<S>>(
      () => open(at),
      failure => ({ ok: false, error: { failure } }),
    )
    if (!opened.ok) return conclude(failed(opened.error.failure), 'nothing', opened.error.readLines)
    const { readLines } = opened.value.session()
    // A separate signal for each site, because Node warns of a leak if many listen to one.
    const own = { ...stop, signal: AbortSignal.any([stop.signal]) }
    try {
      return await withErrorBoundary(
        async () => {
          const context = { ...named, host: at, process: host, stop: own, isBrief }
          return conclude(await work(opened.value.session(), context), 'nothing', readLines)
        },
        failure => conclude(failed(failure), 'perhaps', readLines),
      )
    } finally {
      await opened.value.close()
    }
  }
  const ended = await runInPool(jobs, { concurrency, goesOn: () => !stop.signal.aborted }, workOn)
  return jobs.map(({ open: _, ...named }, at) => ended[at] ?? { ...named, done: notStarted(stop, host) })
}

interface Printing extends Pick<Pool, 'stop' | 'argv'> {
  /** A host that labels each line. */
  readonly host: Host
  readonly sent: Sent
  readonly readLines: ReadLines | undefined
}

/** Prints the messages of one site's result on stderr, and writes its files. Returns the result with what was sent. */
async function printResult<D extends Done>(
  done: D | Done<never>,
  { stop, argv: { color }, host, sent, readLines = () => undefined }: Printing,
): Promise<D | Done<never>> {
  const { warnings = [], notes = [], failure } = done
  if (warnings.length > 0)
    host.stderr.print(formatDiagnostics(warnings, { readLines, paint: paintFor('stderr', color) }))
  const saved = (await done.save?.()) ?? true
  for (const note of notes) host.stderr.print(note)
  // An interrupt is reported once, not for each site.
  if (failure !== undefined && !stop.signal.aborted) await fail(host, failure, { color, readLines, sent })
  const whole = failure && tellSent(host, failure, sent)
  return { ...done, ...(whole && { failure: whole, summary: whole.message }), ...(!saved && notSaved) }
}

const notSaved = {
  exitCode: exitCodes.state,
  group: endStateByExitCode[exitCodes.state],
  summary: 'the plan could not be saved',
  brief: 'the plan could not be saved',
} as const

function notStarted(stop: StopSignal, host: Host): Done<never> {
  const failure = tellSent(host, { exitCode: stop.exitCode(), message: 'not started' }, 'nothing')
  return { ...failed(failure), group: 'not started' }
}

interface Reporting {
  readonly targets: readonly ReportTarget<(typeof manyFormats)[number]>[]
  readonly view: SitesView
  readonly argv: SiteCommandArguments
  readonly host: Host
}

/** Reports the results of several sites together. Returns the exit code of the run. */
export async function reportSites(
  ended: readonly EndedSite[],
  { targets, view, argv, host }: Reporting,
): Promise<ExitCode> {
  const { color } = argv
  const results = ended.map(toResult)
  const worst = worstExitCode(results.map(({ exitCode }) => exitCode))
  const markdown = () => formatSitesMarkdown(results, view)
  const written = await emit(host, targets, (format, toFile) => {
    if (format === 'json') return jsonText(sitesDocument(results, worst))
    if (format === 'markdown') return markdown()
    const texts = formatTexts(ended, view, { color, toFile, verbose: argv.verbose })
    if (toFile) return [...texts].join('')
    writeAll(host.stdout, texts)
    return ''
  })
  if (written && !argv.quiet) tellFiles(host, targets)
  const exitCode = written ? worst : worstExitCode([worst, exitCodes.state])
  const answers = ended.flatMap(({ done }) => done.ci ?? [])
  if (view.kind === 'plan' || view.kind === 'drift')
    await tellCi(host, { markdown, changes: answers.some(({ changes }) => changes) }, exitCode)
  if (argv.notify) notify(host, summarizeSites(results))
  return exitCode
}

function toResult({ done, site, file, url }: EndedSite): SiteResult {
  return { ...done, site, file, url }
}

/** Formats each site, then the table. Yields one text at a time to save memory. A file always has every site. */
export function* formatTexts(
  ended: readonly EndedSite[],
  { showsEach, column }: Pick<SitesView, 'showsEach' | 'column'>,
  how: Pick<SiteCommandArguments, 'color' | 'verbose'> & { readonly toFile: boolean },
): Generator<string> {
  const isShort = isTooMany(ended, how) && !how.toFile
  for (const { done } of showsEach ? ended : [])
    if (done.format !== undefined && (!isShort || done.failure !== undefined))
      yield `${formatDone(done, 'text', how)}\n`
  const paint = paintFor('stdout', how.toFile ? 'never' : how.color)
  yield formatSites(ended.map(toResult), column, { paint, isShort })
  if (!showsEach || !isShort) return
  if (ended.some(({ done }) => done.failure === undefined && done.brief?.startsWith('create')))
    yield '`create` creates an organization, which cannot be undone.\n'
  yield 'With -v, every site is shown in full.\n'
}
