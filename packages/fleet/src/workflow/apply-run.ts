import { exitCodes } from 'landform/cli'
import { addSent, formatDuration } from 'landform/report'
import { isPending, mayBeOurs } from 'landform/state'
import type { Phase, Run, RunEnd } from '../model/run.js'
import { type AttemptContext, attemptRun, interrupted } from './attempt.js'
import { classifyExitCode, classifyOutcome, type RunEnding } from './ends.js'
import { computePause } from './retries.js'
import type { RunPorts } from './run-ports.js'
import { createRunReporter } from './run-reporter.js'

/**
 * Applies the manifest of one site: observe, configure, wait, update. Returns the result, or `undefined` if the worker
 * leaves. A process that takes over a run starts by observing: the site and its submission intent show what remains to be
 * done. Uses the executor of `landform apply`, which sends `configure` once.
 */
export async function applyRun(run: Run, ports: RunPorts): Promise<RunEnd | undefined> {
  const { clock, runLog, cancelled, leaving } = ports
  const reporter = createRunReporter(runLog, clock, run)
  const stop = AbortSignal.any([cancelled, leaving])
  const { startedAt = run.changedAt } = run
  const untilMs = clock.monotonicMs() + run.timeoutMs - (run.changedAt - startedAt)
  let phase: Phase | undefined
  let since = clock.monotonicMs()
  let { retries } = run
  let tries = 0
  let tried: RunEnding['kind'] = 'end'

  const leavePhase = () => {
    const now = clock.monotonicMs()
    if (phase !== undefined) ports.report({ type: 'phase-ended', phase, durationMs: now - since })
    phase = undefined
    since = now
  }
  const enter = async (next: Phase) => {
    if (next === phase) return
    // A successful observation does not prove that a later phase works again.
    if (phase !== undefined && phase !== 'observe') tries = 0
    leavePhase()
    phase = next
    reporter.progress({ phase: next, message: '' })
    // A wait may report nothing for minutes.
    await reporter.flush()
  }
  const context: AttemptContext = { ...ports, run, reporter, stop, untilMs, enter }
  const attempt = async (): Promise<RunEnding | undefined> => {
    if (leaving.aborted) return undefined
    if (cancelled.aborted) return endCancelledRun(run, ports)
    await enter('observe')
    const found = stop.aborted ? interrupted : await attemptRun(context)
    // An interrupt ends a run only if a person cancelled it, not if the worker leaves.
    if (!stop.aborted || found.kind === 'end') return found
    return cancelled.aborted ? endCancelledRun(run, ports) : undefined
  }
  for (;;) {
    const found = await attempt().catch(classifyException)
    leavePhase()
    if (found === undefined) return undefined
    const { kind, summary: why, end } = found
    const leftMs = untilMs - clock.monotonicMs()
    // Another kind of failure has its own tries.
    if (kind !== tried) tries = 0
    tried = kind
    const pauseMs = kind === 'end' ? undefined : computePause(tries, leftMs, kind === 'wait')
    if (pauseMs === undefined) {
      const times = kind === 'end' || tries === 0 ? '' : ` (tried ${tries + 1} times)`
      const result = { ...end, message: `${end.message}${times}` }
      await reporter.flush()
      await runLog.end(result)
      return result
    }
    retries += 1
    tries += 1
    const message = `${why}; retrying in ${formatDuration(pauseMs)}`
    reporter.note({ type: 'retry', message })
    reporter.progress({ message, retries })
    ports.report({ type: 'run-retried', why, pauseMs })
    await reporter.flush()
    await clock.sleep(pauseMs, stop)
  }
}

/** Maps an exception, which is a bug, to the end of a run. Its text is not shown. */
function classifyException(error: unknown): RunEnding {
  const { name } = error as Error
  const what = /^[A-Za-z]{1,40}$/.test(name) ? ` (${name})` : ''
  const message = `internal error${what}; this is a defect of Landform, please report it`
  return classifyExitCode(exitCodes.internal, message)
}

const neverObserved = { kind: 'unknown', operation: 'configure', reason: 'run-cancelled' } as const

/** Returns the result of a cancelled run. If the outcome of a request is unknown, the run still needs an operator. */
async function endCancelledRun(run: Run, { readState }: RunPorts): Promise<RunEnding> {
  const newest = await readState()
  const submission = newest.ok ? newest.value?.submission : undefined
  const isOpen = submission !== undefined && isPending(submission) && submission.state !== 'acknowledged'
  if (isOpen || !newest.ok) return classifyOutcome(neverObserved, run)
  const isUnderWay = submission !== undefined && mayBeOurs(submission)
  const message = isUnderWay
    ? 'cancelled: a configuration in progress continues on the service'
    : addSent('cancelled', 'nothing')
  return classifyExitCode(exitCodes.interrupted, message)
}
