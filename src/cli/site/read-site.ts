import type { ServiceFailure } from '../../client/failure.js'
import { isNotUpYet } from '../../client/is-not-up-yet.js'
import { siteReader } from '../../client/site-reader.js'
import { signInRemedy, tokenRemedy } from '../../diagnostics/token-remedy.js'
import { confirmPlan, makePlan } from '../../library/make-plan.js'
import type { GatherProblem, ObstacleProblem, StalePlan } from '../../library/problem.js'
import type { MadePlan, PlanOptions } from '../../library/site.js'
import { situationOf } from '../../library/situation.js'
import type { Observation } from '../../plan/observation.js'
import type { SavedPlan } from '../../plan/saved/saved-plan.js'
import type { Situation } from '../../plan/situation.js'
import { display } from '../../report/display.js'
import { formatDuration } from '../../report/duration.js'
import { describeFailure } from '../../report/failure-text.js'
import { describeProblem } from '../../report/problem-text.js'
import type { Result } from '../../result.js'
import { type Content, contentOf } from '../../state/site-state.js'
import { exitCodes } from '../exit-code.js'
import { exitCodeOfFailure } from '../exit-code-of.js'
import type { Host } from '../host.js'
import { parseDuration } from '../options.js'
import type { Failure } from '../terminal/output.js'
import { UsageError } from '../usage-error.js'
import { obstacleFailure, referencesFailure, staleFailure, stateFailureOf } from './failures.js'
import type { Made, Session, WaitReadyArguments } from './session.js'

/** Observes a site once, with a client that can only read. */
export async function observe(session: Session, signal: AbortSignal): Promise<Result<Observation, Failure>> {
  const { url, route, lendToken } = session
  const reply = await siteReader(url, lendToken, route).observe(signal)
  if (reply.ok) return { ok: true, value: reply.value }
  return { ok: false, error: await unseenFailure(session, reply.error) }
}

/** Explains a failed observation, and what to do about a token. */
async function unseenFailure(session: Session, failure: ServiceFailure): Promise<Failure> {
  const failed = lookFailed(session.url, failure)
  const wantsSignIn = failure.kind === 'unauthorized' || failure.kind === 'sign-in-page'
  return wantsSignIn ? { ...failed, next: display(await remedyOf(session)) } : failed
}

async function remedyOf({ manifest, lendToken, tokenFrom }: Session): Promise<string> {
  const { token, signIn } = manifest.site
  if (tokenFrom === 'sign-in') return signInRemedy('signs-in')
  if (token === undefined && signIn !== undefined) return signInRemedy('only-looks')
  const isAtHand = await lendToken(async lent => lent !== undefined)
  return tokenRemedy(token, isAtHand ? 'not-allowed' : 'no-token')
}

/** Explains a failed observation. */
export function lookFailed(url: string, failure: ServiceFailure): Failure {
  return {
    exitCode: exitCodeOfFailure(failure),
    message: describeProblem({ kind: 'look', url, failure }),
    next: 'check the address of the site, and that it can be reached from here',
  }
}

export type Gathered = Result<Situation, Failure>

/** Collects everything that a plan is made from. Only reads. */
export async function gather(session: Session, host: Host, options: PlanOptions): Promise<Gathered> {
  const collected = await situationOf(session, { clock: host.clock, client: session.reader }, options)
  return collected.ok ? collected : { ok: false, error: await gatherFailure(session, collected.error) }
}

/** Explains why a situation could not be collected, and what to do. */
async function gatherFailure(session: Session, problem: GatherProblem): Promise<Failure> {
  switch (problem.kind) {
    case 'references':
      return referencesFailure(problem.diagnostics)
    case 'look':
      return unseenFailure(session, problem.failure)
    case 'state':
      return stateFailureOf(problem.failure)
    default:
      return problem satisfies never
  }
}

/** Reads the state of a site, or explains why that failed. */
export async function readState({ state }: Pick<Session, 'state'>): Promise<Result<Content, Failure>> {
  const newest = await state.read()
  if (newest.ok) return { ok: true, value: contentOf(newest.value) }
  return { ok: false, error: stateFailureOf(newest.error) }
}

/** Plans for the site of a session. Only ever reads. */
export async function planSession(session: Session, host: Host, options: PlanOptions): Promise<Made> {
  return said(session, await makePlan(session, { clock: host.clock, client: session.reader }, options))
}

/** Makes sure that a saved plan still holds for the site of a session. Only ever reads. */
export async function confirmSaved(
  session: Session,
  host: Host,
  asked: { readonly saved: SavedPlan; readonly signal: AbortSignal },
): Promise<Made> {
  return said(session, await confirmPlan(session, { clock: host.clock, client: session.reader }, asked))
}

async function said(
  session: Session,
  made: Result<MadePlan, GatherProblem | ObstacleProblem | StalePlan>,
): Promise<Made> {
  return made.ok ? made : { ok: false, error: await planFailure(session, made.error) }
}

async function planFailure(
  session: Session,
  problem: GatherProblem | ObstacleProblem | StalePlan,
): Promise<Failure> {
  const { commands } = session
  switch (problem.kind) {
    case 'obstacle':
      return { ...obstacleFailure(problem.obstacle, commands), diagnostics: problem.diagnostics }
    case 'stale':
      return staleFailure(
        problem.moved,
        commands.plan,
        problem.isUnderWay
          ? `what it began is under way: wait for the run that has it, or where that is gone run \`${commands.apply}\` to take it up`
          : undefined,
      )
    default:
      return gatherFailure(session, problem)
  }
}

/** Refuses `--wait-ready` where no site is read, or more than one. */
export function refuseWaitReady(argv: Pick<WaitReadyArguments, 'wait-ready'>, why: string): void {
  if (argv['wait-ready'] !== undefined) throw new UsageError(`--wait-ready ${why}`)
}

const longestPauseMs = 10_000

/**
 * Polls the address until a running site responds, or the time is over. Other failures are left to the command, which
 * reads the site again.
 */
export async function waitUntilUp(
  { url, lendToken, route, reader = siteReader(url, lendToken, route) }: Session,
  host: Host,
  { argv, signal }: { readonly argv: WaitReadyArguments; readonly signal: AbortSignal },
): Promise<Failure | undefined> {
  const text = argv['wait-ready']
  if (text === undefined) return undefined
  const limitMs = parseDuration('wait-ready', text)
  const { clock } = host
  const begunMs = clock.monotonicMs()
  for (let pauseMs = 1000; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const seen = await reader.observe(signal)
    if (signal.aborted || seen.ok || !isNotUpYet(seen.error)) return undefined
    const leftMs = begunMs + limitMs - clock.monotonicMs()
    if (leftMs <= 0) return neverUp(url, limitMs, seen.error)
    if (pauseMs === 1000 && !argv.quiet)
      host.stderr.write(
        `waiting up to ${formatDuration(limitMs)} for ${url}: ${describeFailure(seen.error)}\n`,
      )
    await clock.sleep(Math.min(pauseMs, leftMs), signal)
  }
}

function neverUp(url: string, limitMs: number, failure: ServiceFailure): Failure {
  return {
    exitCode: exitCodes.unreachable,
    message: `${url} was not up after ${formatDuration(limitMs)}: ${describeFailure(failure)}`,
    next: 'check the address of the site and what is in front of it, or wait longer',
  }
}
