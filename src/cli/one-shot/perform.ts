import type { Route } from '../../client/route.js'
import { siteOperator } from '../../client/site-operator.js'
import { newestVersion, parseVersion, type ServiceVersion } from '../../contract/versions.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { addPlace } from '../../manifest/field-places.js'
import type { OneShotOptions, OneShotPorts } from '../../operations/one-shot.js'
import type { DeleteOutcome, ExportOutcome } from '../../operations/outcome.js'
import { describeEnd, type Ending } from '../../report/endings/ending.js'
import type { Ways } from '../../report/endings/one-shot.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import type { ReadLines } from '../../report/findings-text.js'
import type { WithEnd } from '../../report/one-shot.js'
import { formatClock, formatDuration } from '../../report/phrase.js'
import { clipText, formatNext } from '../../report/terminal.js'
import { listUpdateReferences, type NeededSecret } from '../../secrets/needed-references.js'
import { type SecretSource, secretSource } from '../../secrets/secret-source.js'
import { createTokenProvider, type TokenProvider } from '../../secrets/token-provider.js'
import type { SiteFormat } from '../command-options.js'
import type { Host } from '../host.js'
import { openSiteOrAddress } from '../site/open-session.js'
import { parseSecretOption, withOptionFiles } from '../site/secret-option.js'
import { type StopSignal, stopSignal } from '../terminal/interaction.js'
import { emit, jsonText } from '../terminal/output.js'
import { canRedraw } from '../terminal/progress.js'
import type { CommandContext, OpenResult } from '../with-opened.js'
import type { OneShotArguments } from './consent.js'

/** The site of a one-shot operation, from a manifest or from its address alone. */
export interface OneShotTarget {
  readonly url: string
  /** The way of the requests. */
  readonly route: Route
  /** The name in a confirmation: the host, with the port where there is one. */
  readonly host: string
  /** Absent if unknown. */
  readonly version: ServiceVersion | undefined
  readonly token: NeededSecret | undefined
  /** Signs in for the token; absent where one is named, or nothing says how. */
  readonly signIn: TokenProvider | undefined
  /** Provides the token for reading. */
  readonly provideToken: TokenProvider
  readonly secrets: SecretSource
  readonly warnings: readonly Diagnostic[]
  readonly readLines: ReadLines
  /** Puts a diagnostic about a reference at its place in the manifest. */
  placed(diagnostic: Diagnostic): Diagnostic
  close(): Promise<void>
}

/** Builds the ports of a one-shot operation. */
export function buildPorts({ url, route, secrets, signIn }: OneShotTarget): OneShotPorts {
  return { client: siteOperator(url, route), secrets, signIn }
}

/** Listens for the user around a one-shot operation. */
interface OneShotWatch extends StopSignal {
  /**
   * Notes that the request is sent: from here on an interrupt does not abort it, and names where to check the outcome.
   */
  sending(check: string): void
}

/** Lets the command work under a watch. */
export async function withWatch<T>(host: Host, work: (watch: OneShotWatch) => Promise<T>): Promise<T> {
  let words = () => beforehand
  const stop = stopSignal(host, () => words())
  const sending = (check: string) => {
    words = () => (check === '' ? underWay : `${underWay}; its outcome is then unknown: ${check}`)
  }
  try {
    return await work({ ...stop, sending })
  } finally {
    stop.forget()
  }
}

const beforehand = 'stopping before the request'
const underWay =
  'the request is under way and is not aborted: waiting for its response. Interrupt again to exit at once'

interface Work<O> {
  /** The work in progress, for people. */
  readonly what: string
  readonly quiet: boolean
  /** Names where to check the outcome; empty for what changes nothing. */
  look(startedAt: string): string
  run(): Promise<O>
}

/** The outcome of the one request, with its times. */
interface Timed<O> {
  readonly outcome: O
  readonly startedAt: string
  readonly finishedAt: string
}

/** Runs the one request, with signs of life. An interrupt does not cut it off: half of it would be worse. */
export async function performOneShot<O>(
  host: Host,
  watch: OneShotWatch,
  { what, quiet, look, run }: Work<O>,
): Promise<Timed<O>> {
  const now = () => new Date(host.clock.now()).toISOString()
  const startedAt = now()
  const endSigns = showHeartbeat(host, what, quiet)
  try {
    watch.sending(look(startedAt))
    return { outcome: await run(), startedAt, finishedAt: now() }
  } finally {
    endSigns()
  }
}

/** Adds its ending to an outcome. An interrupt has the code of its signal. */
export function addEnding<O>(
  timed: Timed<O>,
  {
    ending,
    ways,
    watch,
  }: { readonly ending: Ending<Ways>; readonly ways: Ways; readonly watch: OneShotWatch },
) {
  const { exit, sent, next } = ending
  const exitCode = exit === 'interrupted' ? watch.exitCode() : ending.exitCode
  return { ...timed, exitCode, message: describeEnd(ending), sent, next: next(ways) }
}

/** Limits the time of the one request, and says what stops it before it is sent. */
export function buildOptions(deadlineMs: number, { signal }: OneShotWatch): OneShotOptions {
  return { deadlineMs, signal }
}

interface Conclusion<O> {
  readonly ended: WithEnd<O> & { readonly exitCode: ExitCode }
  /** The product for people: the sentence, and what belongs to it. */
  readonly text: string
  document(): unknown
}

/** Prints the outcome and the next steps. Success goes to stdout, unless that is JSON; the rest goes to stderr. */
export async function conclude<O extends ExportOutcome | DeleteOutcome>(
  host: Host,
  { targets, warn, session }: CommandContext<OneShotTarget, SiteFormat>,
  { ended, text, document }: Conclusion<O>,
): Promise<ExitCode> {
  const { outcome, next, exitCode } = ended
  if (outcome.kind === 'references') warn(outcome.diagnostics.map(session.placed))
  const succeeded = outcome.kind === 'done' || outcome.kind === 'warned'
  const shown = targets.filter(({ format, file }) => format === 'json' || file !== undefined || succeeded)
  if (!shown.some(({ format, file }) => format === 'text' && file === undefined)) host.stderr.print(text)
  const written = await emit(host, shown, format => (format === 'json' ? jsonText(document()) : text))
  host.stderr.print(formatNext(next))
  return written || exitCode !== exitCodes.done ? exitCode : exitCodes.state
}

const lineMs = 30_000
const redrawMs = 1000

/**
 * Shows on stderr that a long request is under way: with a line that is redrawn on a terminal, and with a new line
 * every half minute elsewhere. Returns how to end it.
 */
function showHeartbeat(host: Host, what: string, quiet: boolean): () => void {
  if (quiet) return () => undefined
  const { clock, stderr } = host
  const startedMs = clock.monotonicMs()
  const readElapsedMs = () => clock.monotonicMs() - startedMs
  if (canRedraw(host)) {
    const redraw = () =>
      stderr.pin([clipText(`${formatDuration(readElapsedMs())}  ${what}`, stderr.columns - 1)])
    redraw()
    const stop = host.every(redrawMs, redraw)
    return () => {
      stop()
      stderr.pin([])
    }
  }
  stderr.print(`${formatClock(0)} ${what}\n`)
  const stop = host.every(lineMs, () =>
    stderr.print(`${formatClock(readElapsedMs())} still waiting: ${what}\n`),
  )
  return stop
}

/** Opens the target. Sends nothing, and reads no secret. */
export async function openTarget(args: OneShotArguments, host: Host): Promise<OpenResult<OneShotTarget>> {
  const token = parseSecretOption('token', args.token)
  const named = parseNamedVersion(args)
  const stateless = { ...args, state: undefined, needsState: false }
  const opened = await openSiteOrAddress(stateless, host, named && { version: named })
  if (!opened.ok) return opened
  const { manifest, url, route, secrets, warnings, readLines, close, signsIn, provideToken } = opened.value
  // A rehearsal signs in nowhere, and makes the token up.
  const isSigningIn = signsIn || manifest?.site.signIn !== undefined
  const signIn = isSigningIn && token === undefined ? provideToken : undefined
  const here = secretSource(host.environment, '.')
  const known = {
    url,
    host: new URL(url).host,
    route,
    warnings,
    readLines,
    close,
    signIn,
    provideToken: token === undefined ? provideToken : createTokenProvider(token.reference, here),
  }
  if (manifest === undefined)
    return { ok: true, value: { ...known, version: named, token, secrets, placed: one => one } }
  return {
    ok: true,
    value: {
      ...known,
      version: manifest.site.version,
      token: token ?? listUpdateReferences(manifest.site.token)[0],
      secrets: withOptionFiles(secrets, here),
      placed: one => (one.pointer.startsWith('/--') ? one : addPlace(manifest, one)),
    },
  }
}

function parseNamedVersion({ file, 'service-version': text }: OneShotArguments): ServiceVersion | undefined {
  if (text === undefined) return undefined
  if (file !== undefined)
    throw new UsageError('--service-version is for a site without a manifest, which says the version itself')
  const version = parseVersion(text)
  if (version === undefined)
    throw new UsageError(`${JSON.stringify(text)} is not a version such as ${newestVersion}`)
  return version
}
