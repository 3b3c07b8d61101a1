import type { RecordedRequest } from '../../emulator/log/request-log.js'
import { defaultPollMs, defaultTimeoutMs } from '../../library/follow-site.js'
import { defaultLifetimeMs, readSituation } from '../../library/make-plan.js'
import { performPlan } from '../../library/perform-plan.js'
import { type LoadedManifest, loadManifest, rejectManifest } from '../../manifest/load-manifest.js'
import type { TestResult } from '../../manifest-tests/find-test-failures.js'
import type { TestRun } from '../../manifest-tests/load-tests.js'
import { listBlockingEdits } from '../../plan/plan.js'
import { plan as planOf } from '../../plan/planner.js'
import { evaluateRule, judgeBy } from '../../policy/judge.js'
import { endOfApply } from '../../report/endings/apply.js'
import { endOfBlocker } from '../../report/endings/blockers.js'
import { endOfProblem } from '../../report/endings/problems.js'
import { exitCodes } from '../../report/exit-code.js'
import { chooseFindingsExit } from '../../report/findings.js'
import type { JsonObject } from '../../schema/json-schema.js'
import { formatDotted } from '../../schema/pointer.js'
import { drain } from '../terminal/progress.js'
import type { RehearsedSite } from './rehearsed-site.js'
import type { TestContext } from './test-context.js'

/** Performs one run at the site of its test, and returns the result. */
export async function performRun(
  run: TestRun,
  { loaded, violated }: LoadedRun,
  { rehearsed, signal }: { readonly rehearsed: RehearsedSite; readonly signal: AbortSignal },
): Promise<TestResult> {
  const { clock } = rehearsed
  await clock.sleep(run.afterMs, signal)
  const known = { diagnostics: loaded.diagnostics, policy: violated }
  if (!loaded.ok) return { ...known, exitCode: exitCodes[chooseFindingsExit(loaded.diagnostics, 'error')] }
  const site = await rehearsed.siteOf(loaded.value)
  const sentBefore = rehearsed.emulated()?.requests.length ?? 0
  const options = { ignored: [], lifetimeMs: defaultLifetimeMs, signal }
  const collected = await readSituation(site, { clock }, options)
  if (!collected.ok) return { ...known, exitCode: endOfProblem(collected.error).exitCode }
  const planned = planOf(collected.value)
  const listArrived = () => ({
    requests: (rehearsed.emulated()?.requests.slice(sentBefore) ?? []).map(summarizeRequest),
    configured: rehearsed.emulated()?.world().counters.configure.accepted ?? 0,
  })
  if (!planned.ok) {
    const plan = { actions: [], immutable: [], obstacle: planned.error.kind }
    return { ...known, plan, exitCode: endOfBlocker(planned.error).exitCode, ...listArrived() }
  }
  const { value: plan } = planned
  const actions = plan.actions.map(({ operation, change, reason }) => ({ operation, change, reason }))
  const immutable = listBlockingEdits(plan).map(({ pointer }) => formatDotted(pointer))
  const seen = { ...known, plan: { actions, immutable } }
  if (run.apply === undefined) return seen
  if (immutable.length > 0) return { ...seen, exitCode: exitCodes.stale, ...listArrived() }
  const { timeoutMs = defaultTimeoutMs, pollMs = defaultPollMs(site.url), detach } = run.apply
  const events: string[] = []
  const begunMs = clock.monotonicMs()
  const { outcome } = await drain(
    performPlan(
      plan,
      { site, applyPorts: { clock, random: () => 0.5 } },
      { timeoutMs, pollMs, detach, signal },
    ),
    ({ type }) => events.push(type),
  )
  return {
    ...seen,
    outcome: outcome.kind,
    exitCode: endOfApply(outcome).exitCode,
    events,
    elapsedMs: clock.monotonicMs() - begunMs,
    ...listArrived(),
  }
}

/** The comparable part of a request: secrets were redacted before they could be recorded. */
function summarizeRequest({ operation, parameters, accepted }: RecordedRequest): JsonObject {
  const values = parameters.map(parameter => {
    const { name, kind } = parameter
    if (kind === 'value') return [name, parameter.value] as const
    return [name, kind === 'file' ? `(file ${parameter.fileName})` : `(${parameter.why})`] as const
  })
  return { operation, parameters: Object.fromEntries(values), accepted }
}

/** The manifest of a run, and the rules of the team that it violates. */
interface LoadedRun {
  readonly loaded: LoadedManifest
  readonly violated: readonly string[]
}

/** Merges the overlays of a run into the manifest, and checks the result. */
export function loadRun(
  { overlays }: TestRun,
  { manifest, bases, problem, policies }: TestContext,
): LoadedRun {
  if (problem !== undefined) return { loaded: rejectManifest([problem]), violated: [] }
  const violated: string[] = []
  const judge = judgeBy(policies)
  const [first = manifest, ...under] = [...overlays, manifest, ...bases]
  const loaded = loadManifest(first, under, (value, known) => {
    const rules = policies.flatMap(policy => policy.rules)
    violated.push(...rules.filter(rule => evaluateRule(rule, value) === 'violation').map(({ name }) => name))
    return judge(value, known)
  })
  return { loaded, violated }
}
