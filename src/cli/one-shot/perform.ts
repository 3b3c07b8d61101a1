import { siteOperator } from '../../client/site-operator.js'
import type { OneShotOptions, OneShotPorts } from '../../operations/one-shot.js'
import type { DeleteOutcome, ExportOutcome } from '../../operations/outcome.js'
import { describeEnd, type Ending } from '../../report/endings/ending.js'
import type { Ways } from '../../report/endings/one-shot.js'
import { type ExitCode, exitCodes } from '../../report/exit-code.js'
import { formatMessages, type WithEnd } from '../../report/one-shot.js'
import { formatClock, formatDuration, formatSentence } from '../../report/phrase.js'
import { clipText, formatNext } from '../../report/terminal.js'
import { type SiteFormat, siteFormats } from '../command-options.js'
import type { Host } from '../host.js'
import type { ReportTarget } from '../options.js'
import { withSite } from '../site/open-session.js'
import { type StopSignal, stopSignal } from '../terminal/interaction.js'
import { emit, type Failure, jsonText } from '../terminal/output.js'
import { canRedraw } from '../terminal/progress.js'
import { askOrRefuse, type ConfirmRequest, type OneShotArguments } from './consent.js'
import { askVersion, gateFailure, type OneShotTarget, openTarget } from './open-target.js'

/** One operation on a target, as its command describes it. */
interface OneShot<O extends ExportOutcome | DeleteOutcome> {
  readonly needs: Parameters<typeof gateFailure>[1]
  /** The effect, for people. */
  readonly effect: string
  readonly consent: Omit<ConfirmRequest, 'watch'>
  /** The same command without its confirmation. */
  readonly again: string
  readonly deadlineMs: number
  /** The work in progress, for people. */
  readonly progress: string
  /** True if the operation changes nothing, so an interrupt leaves nothing to check. */
  readonly isCheck: boolean
  /** Describes where to check the outcome. */
  look(startedAt: string): string
  /** Reads and shows what a person should know before the question; returns a failure if the operation must not run. */
  prepare?(ports: OneShotPorts, watch: StopSignal): Promise<Failure | undefined>
  run(ports: OneShotPorts, options: OneShotOptions): Promise<O>
  end(outcome: O): Ending<Ways>
  document(ended: WithEnd<O>): unknown
}

const underWay =
  'Stopping: waiting for the response to the request, which is not aborted. Press Ctrl-C again to leave now'

/**
 * Performs one operation: confirmation, version check, one request with signs of progress, outcome. An interrupt does
 * not abort the request, because half a request would be worse; the output says where to check the outcome.
 */
export function performOneShot<O extends ExportOutcome | DeleteOutcome>(
  argv: OneShotArguments,
  host: Host,
  describe: (target: OneShotTarget) => OneShot<O> | Failure,
): Promise<ExitCode> {
  return withSite(argv, host, {
    formats: siteFormats,
    open: () => openTarget(argv, host),
    async work({ session, targets, refuse, warn }) {
      let answer = 'stopping before the request'
      const watch = stopSignal(host, () => answer)
      try {
        const operation = describe(session)
        if (!('run' in operation)) return await refuse(operation)
        const { needs, again, progress } = operation
        const gate = gateFailure(session, needs)
        if (gate !== undefined) return await refuse(gate)
        warn(session.warnings)
        if (!argv.quiet || host.isInteractive) host.stderr.print(operation.effect)
        const asking = askOrRefuse(argv, host, { ...operation.consent, watch })
        if (asking !== undefined && typeof asking !== 'function') return await refuse(asking)
        const site = await askVersion(session, watch.signal)
        const { url, route, secrets, signIn } = site
        const ports = { client: siteOperator(url, route), secrets, signIn }
        const stopped =
          gateFailure(site, needs) ?? (await operation.prepare?.(ports, watch)) ?? (await asking?.())
        if (stopped !== undefined) return await refuse(stopped)
        const now = () => new Date(host.clock.now()).toISOString()
        const startedAt = now()
        const look = operation.look(startedAt)
        const endSigns = showHeartbeat(host, progress, argv.quiet)
        answer = operation.isCheck ? underWay : `${underWay}; its outcome is then unknown: ${look}`
        const options = { deadlineMs: operation.deadlineMs, signal: watch.signal }
        const outcome = await operation.run(ports, options).finally(endSigns)
        const finishedAt = now()
        if (outcome.kind === 'references') warn(outcome.diagnostics.map(session.placed))
        const ending = operation.end(outcome)
        const ended = {
          outcome,
          startedAt,
          finishedAt,
          exitCode: ending.exit === 'interrupted' ? watch.exitCode() : ending.exitCode,
          message: describeEnd(ending),
          sent: ending.sent,
          next: ending.next({ site, look, again }),
        }
        return await conclude(host, targets, { ...ended, document: () => operation.document(ended) })
      } finally {
        watch.forget()
      }
    },
  })
}

interface Ended extends WithEnd<ExportOutcome | DeleteOutcome> {
  readonly exitCode: ExitCode
  document(): unknown
}

/** Prints the outcome and the next steps. Success goes to stdout, unless stdout has JSON; the rest goes to stderr. */
async function conclude(
  host: Host,
  targets: readonly ReportTarget<SiteFormat>[],
  { outcome, message, next, exitCode, document }: Ended,
): Promise<ExitCode> {
  const text = formatSentence(message) + formatMessages(outcome)
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
 * Shows on stderr that a long request is in progress: on a terminal in a line that is redrawn, elsewhere with a new
 * line every half minute. Returns a function that ends it.
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
  return host.every(lineMs, () => stderr.print(`${formatClock(readElapsedMs())} still waiting: ${what}\n`))
}
