import { isNotUpYet, type ServiceFailure } from '../../client/failure.js'
import { siteReader } from '../../client/site-reader.js'
import { describeTokenRemedy, signInRemedy } from '../../diagnostics/token-remedy.js'
import { checkPlan } from '../../library/check-plan.js'
import { confirmPlan, defaultLifetimeMs, makePlan, readSituation } from '../../library/make-plan.js'
import type { BlockerProblem, GatherProblem, StalePlan } from '../../library/problem.js'
import type { PlanOptions } from '../../library/site.js'
import type { Observation } from '../../plan/observation.js'
import type { SavedPlan } from '../../plan/saved/saved-plan.js'
import type { Situation } from '../../plan/situation.js'
import { display } from '../../report/display.js'
import type { NextCommands } from '../../report/endings/ending.js'
import { toFailure } from '../../report/endings/problems.js'
import { describeFailure } from '../../report/endings/service.js'
import { toStateFailure } from '../../report/endings/state.js'
import { formatDuration } from '../../report/phrase.js'
import type { Result } from '../../result.js'
import { type StateContent, selectContent } from '../../state/site-state.js'
import type { Host } from '../host.js'
import { parseDuration } from '../options.js'
import type { Failure } from '../terminal/output.js'
import type { ApplyArguments, PlanResult, SiteArguments, SiteSession } from './session.js'

/** Observes a site once, with a client that can only read. */
export async function observe(
  session: SiteSession,
  signal: AbortSignal,
): Promise<Result<Observation, Failure>> {
  const { url, route, provideToken } = session
  const reply = await siteReader(url, provideToken, route).observe(signal)
  if (reply.ok) return { ok: true, value: reply.value }
  return { ok: false, error: await explainReadFailure(session, reply.error) }
}

/** Explains a failed observation, and what to do about a token. */
async function explainReadFailure(session: SiteSession, failure: ServiceFailure): Promise<Failure> {
  if (failure.kind !== 'unauthorized') return toTokenReadFailure(session, failure)
  const renamed = failure.reason === 'account-rejected' ? await findEditedName(session) : undefined
  return renamed === undefined
    ? toTokenReadFailure(session, failure, display(await describeRemedy(session, failure)))
    : toFailure({ kind: 'look', url: session.url, failure, renamed })
}

/** Finds an edit of the user name with which Landform signs in: the site has no account of that name. */
async function findEditedName({ manifest, state }: SiteSession) {
  if (manifest.site.signIn?.as === undefined) return undefined
  const kept = await state.read()
  const was = kept.ok ? kept.value?.submission?.organization.value.administrator?.username : undefined
  const is = manifest.organization.administrator.username
  return was === undefined || was === is ? undefined : { was, is }
}

async function describeRemedy(
  { manifest, provideToken, signsIn }: SiteSession,
  failure: ServiceFailure & { readonly kind: 'unauthorized' },
): Promise<string> {
  if (signsIn)
    return failure.isTokenless ? 'pass the secret that this command signs in with to it' : signInRemedy
  const { token } = manifest.site
  const isAtHand = await provideToken(async provided => provided !== undefined)
  return describeTokenRemedy(token, isAtHand ? 'not-allowed' : 'no-token')
}

/** Explains a failed observation to a caller who names the token with `--token`. */
export function toTokenReadFailure(
  { url, route }: Pick<SiteSession, 'url' | 'route'>,
  failure: ServiceFailure,
  remedy = 'pass a token of an administrator, such as --token env:LANDFORM_TOKEN',
): Failure {
  return toFailure({ kind: 'look', url, failure, caFile: route.caFile, token: remedy })
}

/** Reads everything that a comparison needs. */
export async function collectSituation(
  session: SiteSession,
  host: Host,
): Promise<Result<Situation, Failure>> {
  const { signal } = new AbortController()
  const options = { ignored: [], lifetimeMs: defaultLifetimeMs, signal }
  return withFailure(
    session,
    await readSituation(session, { clock: host.clock, client: session.reader }, options),
  )
}

/** Turns a problem into a failure that explains why there is nothing to compare or plan, and what to do. */
async function withFailure<T>(
  session: SiteSession,
  made: Result<T, GatherProblem | BlockerProblem | StalePlan>,
): Promise<Result<T, Failure>> {
  if (made.ok) return made
  const { error: problem } = made
  const isLook = problem.kind === 'look'
  return {
    ok: false,
    error: isLook ? await explainReadFailure(session, problem.failure) : toFailure(problem, session.commands),
  }
}

/** Reads the state of a site, or explains why that failed. */
export async function readState({
  state,
  commands,
}: Pick<SiteSession, 'state'> & { readonly commands?: NextCommands }): Promise<
  Result<StateContent, Failure>
> {
  const newest = await state.read()
  if (newest.ok) return { ok: true, value: selectContent(newest.value) }
  return { ok: false, error: toStateFailure(newest.error, commands) }
}

/** Makes the plan for the site of a session. Only reads. */
export async function planSession(
  session: SiteSession,
  host: Host,
  options: PlanOptions,
): Promise<PlanResult> {
  return withFailure(session, await makePlan(session, { clock: host.clock, client: session.reader }, options))
}

/** Makes the plan for the site of a session, and checks the secrets and files for its apply that are available here. */
export async function planToReview(
  session: SiteSession,
  host: Host,
  { emulate, offline = false, ...options }: PlanOptions & Pick<SiteArguments, 'emulate' | 'offline'>,
): Promise<PlanResult> {
  const made = await planSession(session, host, options)
  // A rehearsal needs no secrets.
  if (!made.ok || emulate) return made
  const { plan, warnings } = made.value
  const { diagnostics, unchecked } = await checkPlan(plan, session, { readsSecrets: !offline })
  return diagnostics.some(({ severity }) => severity === 'error')
    ? { ok: false, error: toFailure({ kind: 'references', diagnostics }, session.commands) }
    : { ok: true, value: { plan, warnings: [...warnings, ...diagnostics], unchecked } }
}

/** Checks that a saved plan is still valid for the site of a session. Only reads. */
export async function confirmSaved(
  session: SiteSession,
  host: Host,
  asked: { readonly saved: SavedPlan; readonly signal: AbortSignal },
): Promise<PlanResult> {
  return withFailure(
    session,
    await confirmPlan(session, { clock: host.clock, client: session.reader }, asked),
  )
}

/** A poll of `--wait-ready`. */
const pauseMs = { first: 1000, max: 10_000 } as const

/** Polls until a running site responds, or the time is over. Ignores other failures: the command reads the site again. */
export async function waitUntilUp(
  { url, provideToken, route, reader = siteReader(url, provideToken, route) }: SiteSession,
  host: Host,
  {
    argv,
    signal,
  }: { readonly argv: Pick<ApplyArguments, 'wait-ready' | 'quiet'>; readonly signal: AbortSignal },
): Promise<Failure | undefined> {
  const text = argv['wait-ready']
  if (text === undefined) return undefined
  const limitMs = parseDuration('wait-ready', text)
  const { clock } = host
  const begunMs = clock.monotonicMs()
  for (let nextMs: number = pauseMs.first; ; nextMs = Math.min(2 * nextMs, pauseMs.max)) {
    const seen = await reader.observe(signal)
    if (signal.aborted || seen.ok || !isNotUpYet(seen.error)) return undefined
    const leftMs = begunMs + limitMs - clock.monotonicMs()
    if (leftMs <= 0) return toFailure({ kind: 'never-up', url, limitMs, failure: seen.error })
    if (nextMs === pauseMs.first && !argv.quiet)
      host.stderr.print(
        `waiting up to ${formatDuration(limitMs)} for ${url}: ${describeFailure(seen.error)}\n`,
      )
    await clock.sleep(Math.min(nextMs, leftMs), signal)
  }
}
