import type { ServiceFailure } from '../../client/failure.js'
import { isNotUpYet } from '../../client/is-not-up-yet.js'
import { siteReader } from '../../client/site-reader.js'
import { formatDuration } from '../../report/duration.js'
import { describeFailure } from '../../report/failure-text.js'
import { exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { parseDuration } from '../options.js'
import type { Failure } from '../terminal/output.js'
import { UsageError } from '../usage-error.js'
import type { Session } from './session.js'

export interface WaitReadyArguments {
  readonly 'wait-ready': string | undefined
  readonly quiet: boolean
}

/** Refuses the option where no site is looked at, or more than one. */
export function refuseWaitReady(argv: Pick<WaitReadyArguments, 'wait-ready'>, why: string): void {
  if (argv['wait-ready'] !== undefined) throw new UsageError(`--wait-ready ${why}`)
}

const longestPauseMs = 10_000

/**
 * Looks at the address until something answers there that is up, or the time is over. Everything else that may be wrong
 * with the site is for the command itself, which looks again.
 */
export async function waitUntilUp(
  { url, lendToken, route, reader = siteReader(url, lendToken, route) }: Session,
  host: Host,
  { argv, signal }: { readonly argv: WaitReadyArguments; readonly signal: AbortSignal },
): Promise<Failure | undefined> {
  const text = argv['wait-ready']
  if (text === undefined) return undefined
  const patienceMs = parseDuration('wait-ready', text)
  const { clock } = host
  const begunMs = clock.monotonicMs()
  for (let pauseMs = 1000; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const seen = await reader.observe(signal)
    if (signal.aborted || seen.ok || !isNotUpYet(seen.error)) return undefined
    const leftMs = begunMs + patienceMs - clock.monotonicMs()
    if (leftMs <= 0) return neverUp(url, patienceMs, seen.error)
    if (pauseMs === 1000 && !argv.quiet)
      host.stderr.write(
        `waiting up to ${formatDuration(patienceMs)} for ${url}: ${describeFailure(seen.error)}\n`,
      )
    await clock.sleep(Math.min(pauseMs, leftMs), signal)
  }
}

function neverUp(url: string, patienceMs: number, failure: ServiceFailure): Failure {
  return {
    exitCode: exitCodes.unreachable,
    message: `${url} was not up after ${formatDuration(patienceMs)}: ${describeFailure(failure)}`,
    next: 'check the address of the site and what is in front of it, or wait longer',
  }
}
