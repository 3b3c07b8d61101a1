import { realpathSync } from 'node:fs'
import { isTestFile } from '../../manifest-tests/load-tests.js'
import { display } from '../../report/display.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { formatSkipped } from '../../report/findings-text.js'
import type { Result } from '../../result.js'
import type { Candidate, Chosen } from '../check/expand-files.js'
import { type FileKind, findKind, printSkipped } from '../check/found-files.js'
import { readSource } from '../check/read-source.js'
import type { Arguments } from '../command.js'
import type { manifestOptions, manyRouteOption } from '../command-options.js'
import type { Host } from '../host.js'
import type { ReportTarget } from '../options.js'
import type { Failure, OpenFailure } from '../terminal/output.js'
import type { OpenResult } from '../with-opened.js'
import { type Openable, withOpened } from '../with-opened.js'
import { printOnce, withErrorBoundary } from './labelled-host.js'
import type { ApplyArguments, SiteSession } from './session.js'

/** The context of a command about many sites. */
export interface SitesContext<S, F extends string> {
  readonly members: readonly Member<S>[]
  readonly targets: readonly ReportTarget<F>[]
  /** Prints why the command cannot continue, and returns the exit code. */
  refuse(failure: Failure): Promise<ExitCode>
}

/** The values of the options of a command about several sites. */
export type SitesArguments = Pick<
  Arguments<typeof manifestOptions & typeof manyRouteOption>,
  'format' | 'color' | 'url' | 'quiet' | 'verbose'
> &
  Partial<Pick<ApplyArguments, 'events' | 'policy'>>

interface SitesWork<S, F extends string> {
  readonly formats: readonly F[]
  readonly chosen: Chosen & { readonly kind: 'many' }
  /** Recognizes other files that can be opened, such as saved plans. */
  readonly recognizes?: ((file: string) => boolean) | undefined
  open(file: string, host: Host): Promise<OpenResult<S>>
  work(context: SitesContext<S, F>): Promise<ExitCode>
}

/** Opens many sites, runs the command, and closes the sites. First rejects problems that concern all sites. */
export async function withSites<S extends OpenedSite, F extends string>(
  argv: SitesArguments,
  host: Host,
  { formats, chosen, recognizes, open, work }: SitesWork<S, F>,
): Promise<ExitCode> {
  await host.keepHeapSmall()
  if (argv.url !== undefined) throw new UsageError('--url is the address of one site; name one manifest')
  const { candidates, problem: missing } = chosen
  return withOpened(argv, host, {
    formats,
    reads: [...candidates.map(({ file }) => file), ...(argv.policy ?? [])],
    writes: [argv.events],
    open: async () =>
      missing === undefined
        ? { ok: true, value: await openSites(candidates, host, { open, recognizes }) }
        : { ok: false, error: { failure: { exitCode: exitCodes.missing, message: missing } } },
    async work({ session: { members, skipped, problem }, targets, refuse }) {
      if (argv.verbose === true) printSkipped(skipped, host)
      else if (skipped.length > 0 && !argv.quiet) host.stderr.print(`${formatSkipped(skipped.length)}\n`)
      return problem === undefined ? work({ members, targets, refuse }) : refuse(problem)
    },
  })
}

/** The part of a session that one of many sites needs. */
export interface OpenedSite extends Pick<SiteSession, 'url' | 'inputs' | 'readLines' | 'close'> {
  readonly manifest: Pick<SiteSession['manifest'], 'name'>
}

/**
 * An opened site. Drops its session once closed, because the sessions of many sites need much memory; `session` throws
 * then.
 */
export type Opened<S> = Result<{ session(): S; close(): Promise<void> }, OpenFailure>

/** One of many sites. */
export interface Member<S = SiteSession> {
  /** The name in its manifest; the file if the name is unknown or not unique. */
  readonly site: string
  readonly file: string
  /** The address of the site; `null` if unknown. */
  readonly url: string | null
  readonly opened: Opened<S>
}

/** The sites to work on. A file that cannot be opened is also a member, with the reason. */
interface Sites<S> extends Openable {
  readonly members: readonly Member<S>[]
  /** Files that are not manifests, and that no manifest reads. */
  readonly skipped: readonly string[]
  /** The reason why the command cannot work on any of them. */
  readonly problem?: Failure
}

/** Opens every manifest; of the files found in a folder, skips other files and the bases of other manifests. */
async function openSites<S extends OpenedSite>(
  candidates: readonly Candidate[],
  host: Host,
  { open, recognizes = () => false }: Pick<SitesWork<S, string>, 'open' | 'recognizes'>,
): Promise<Sites<S>> {
  const quiet = printOnce(host)
  const opened: OpenCandidate<S>[] = []
  const others: Candidate[] = []
  try {
    for (const { file, how } of candidates) {
      const kind = recognizes(file) ? 'manifest' : await readKind({ file, how }, host)
      if (kind === 'tests' || kind === 'other') others.push({ file, how })
      if (kind !== 'manifest') continue
      const one = await withErrorBoundary<OpenResult<S>>(
        () => open(file, quiet),
        failure => ({ ok: false, error: { failure } }),
      )
      opened.push({ file, how, opened: holdSession(one) })
    }
  } catch (error) {
    for (const one of opened) await closeOpened(one.opened)
    throw error
  }
  // The other files that were read for a manifest, whether it is valid or not. A manifest beside its saved plan stays a
  // member, so that the command rejects the pair.
  const read = new Set(
    opened.flatMap(({ file, opened: one }) => {
      if (recognizes(file)) return []
      const own = realPath(file)
      return listInputs(one)
        .map(realPath)
        .filter(path => path !== own)
    }),
  )
  const isRead = ({ file, how }: Candidate) => how === 'found' && read.has(realPath(file))
  for (const one of opened) if (isRead(one)) await closeOpened(one.opened)
  const members = nameMembers(opened.filter(one => !isRead(one)))
  const noManifest = { exitCode: exitCodes.missing, message: 'no manifest found' }
  const problem = members.length === 0 ? noManifest : sharedSite(members)
  return {
    members,
    skipped: others.filter(one => !isRead(one)).map(({ file }) => file),
    ...(problem !== undefined && { problem }),
    inputs: members.flatMap(one => listInputs(one.opened)),
    readLines: () => undefined,
    async close() {
      for (const one of members) await closeOpened(one.opened)
    },
  }
}

async function closeOpened(opened: Opened<OpenedSite>): Promise<void> {
  if (opened.ok) await opened.value.close()
}

type OpenCandidate<S> = Candidate & { readonly opened: Opened<S> }

/** Holds a session until it is closed. */
export function holdSession<S extends OpenedSite>(opened: OpenResult<S>): Opened<S> {
  if (!opened.ok) return opened
  let open: S | undefined = opened.value
  return {
    ok: true,
    value: {
      session() {
        if (open === undefined) throw new Error('the site is closed')
        return open
      },
      async close() {
        const closing = open
        open = undefined
        await closing?.close()
      },
    },
  }
}

/** Finds the kind of a file. A file that cannot be read counts as a manifest: opening it reports why. */
async function readKind(candidate: Candidate, host: Host): Promise<FileKind> {
  // A named file may be a pipe, which can be read only once.
  if (candidate.how === 'named' && !isTestFile(candidate.file)) return 'manifest'
  const reply = await readSource(host, candidate.file)
  return reply.ok ? findKind(candidate, reply.value) : 'manifest'
}

function listInputs(opened: Opened<OpenedSite>): readonly string[] {
  return (opened.ok ? opened.value.session().inputs : opened.error.inputs) ?? []
}

function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function nameMembers<S extends OpenedSite>(opened: readonly OpenCandidate<S>[]): readonly Member<S>[] {
  const names = opened.map(one => (one.opened.ok ? one.opened.value.session().manifest.name : one.file))
  return opened.map(({ file, opened: one }, at) => {
    const name = names[at] ?? file
    const isAlone = names.indexOf(name) === names.lastIndexOf(name)
    const url = one.ok ? one.value.session().url : null
    return { site: isAlone ? name : file, file, url, opened: one }
  })
}

/** Rejects two manifests for one site, because they would undo each other in any order. */
function sharedSite(members: readonly Member<OpenedSite>[]): Failure | undefined {
  const files = new Map<string, string>()
  for (const { file, url } of members) {
    if (url === null) continue
    const other = files.get(url)
    if (other !== undefined)
      return {
        exitCode: exitCodes.invalid,
        message: `${display(other)} and ${display(file)} are for the same site, ${display(url)}`,
        next: ['name one of them, or give each its own site'],
      }
    files.set(url, file)
  }
  return undefined
}
