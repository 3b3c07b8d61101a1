import { formatDuration } from '../../report/phrase.js'
import { describeLocked } from '../../report/state-summary.js'
import type { StatePorts } from '../../state/ports.js'
import type { Arguments } from '../command.js'
import type { commonOptions, lockOption } from '../command-options.js'
import type { Host } from '../host.js'
import { parseDuration } from '../options.js'

/** A read of a lock that another run holds, and a report about it. */
const lockPauseMs = { read: 30_000, report: 60_000 } as const

/** Parses `--lock-timeout` into a function that waits for a lock, with a report per minute. Time counts from the first lock. */
export function parseLockTimeout(
  url: string,
  argv: Partial<Arguments<typeof lockOption> & Pick<Arguments<typeof commonOptions>, 'quiet'>>,
  host: Host,
): StatePorts['awaitLock'] | undefined {
  const limitMs = parseDuration('lock-timeout', argv['lock-timeout'] ?? '0s')
  if (limitMs === 0) return undefined
  const { clock } = host
  let endMs: number | undefined
  let reportMs = 0
  return async ({ lock, liveness }) => {
    const nowMs = clock.monotonicMs()
    endMs ??= nowMs + limitMs
    const leftMs = endMs - nowMs
    if (leftMs <= 0) return false
    if (nowMs >= reportMs && argv.quiet !== true) {
      reportMs = nowMs + lockPauseMs.report
      const words = `waiting up to ${formatDuration(leftMs)} for the lock of ${url}`
      host.stderr.print(`${words}: ${describeLocked(lock, liveness)}\n`)
    }
    const stop = new AbortController()
    const forget = host.onSignal(() => stop.abort())
    await clock.sleep(Math.min(lockPauseMs.read, leftMs), stop.signal).finally(forget)
    return !stop.signal.aborted
  }
}
