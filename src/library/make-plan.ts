import type { Reply } from '../client/failure.js'
import { withhold } from '../client/redact/withheld.js'
import type { SiteReader } from '../client/site-client.js'
import { createRouteRedaction, siteReader } from '../client/site-reader.js'
import { addPlace } from '../manifest/field-places.js'
import { canonical } from '../plan/canonical.js'
import { noSettings, type Observation } from '../plan/observation.js'
import type { Plan } from '../plan/plan.js'
import { buildBindings, plan as planFrom } from '../plan/planner.js'
import type { StaleFact } from '../plan/saved/bindings.js'
import { deadFacts, isSamePlan, type SavedPlan, selectUse, staleFacts } from '../plan/saved/saved-plan.js'
import { assumeObservation, type Situation } from '../plan/situation.js'
import type { Result } from '../result.js'
import type { StateStore } from '../state/ports.js'
import { selectContent } from '../state/site-state.js'
import { tool } from '../version.js'
import type { BlockerProblem, GatherProblem, StalePlan } from './problem.js'
import type { MadePlan, PlanOptions, ReadPorts, Site } from './site.js'

/** Makes a plan for the observed site, even one that cannot be applied. Only reads. */
export async function makePlan(
  site: Site,
  readPorts: ReadPorts,
  options: PlanOptions,
): Promise<Result<MadePlan, GatherProblem | BlockerProblem>> {
  const collected = await readSituation(site, readPorts, options)
  return collected.ok ? planSituation(site, collected.value) : collected
}

/**
 * Verifies that the manifest and the site still lead to a saved plan, and returns the saved plan itself, so the
 * reviewed plan is the one that is applied. Facts that may change until the site is locked are compared again then. For
 * a plan that was used before, returns the rest, which sends no `configure`. Only reads.
 */
export async function confirmPlan(
  site: Site,
  readPorts: ReadPorts,
  { saved, signal }: { readonly saved: SavedPlan; readonly signal: AbortSignal },
): Promise<Result<MadePlan, GatherProblem | BlockerProblem | StalePlan>> {
  const stale = (moved: readonly StaleFact[]): Result<never, StalePlan> => ({
    ok: false,
    error: { kind: 'stale', moved },
  })
  // An expired plan, or one for another site, is rejected without a request. The rest of a used plan does not expire.
  const dead = deadFacts(saved, { url: site.url, now: readPorts.clock.now() })
  const isOnlyExpired = dead.every(({ kind }) => kind === 'expired')
  if (dead.length > 0 && !(isOnlyExpired && (await wasUsed(saved, site)))) return stale(dead)
  const ignored = saved.plan.immutable.filter(edit => edit.ignored).map(({ pointer }) => pointer)
  const collected = await readSituation(site, readPorts, { ignored, lifetimeMs: defaultLifetimeMs, signal })
  if (!collected.ok) return collected
  const { value: situation } = collected
  const moved = staleFacts(saved, { ...situation, binds: buildBindings(situation) })
  if (moved.length > 0) return stale(moved)
  const made = planSituation(site, situation)
  if (!made.ok) return made
  const used = selectUse(saved, situation)
  if (used !== undefined) return isRest(made.value.plan, saved.plan) ? made : stale([used])
  // The saved plan may come from a process that had every secret, or from one that lacked some.
  const views = [undefined, withhold].map(view => planFrom({ ...situation, withhold: view }))
  return views.some(view => view.ok && isSamePlan(saved, view.value))
    ? { ok: true, value: { ...made.value, plan: saved.plan } }
    : stale([{ kind: 'other-plan' }])
}

async function wasUsed(saved: SavedPlan, { state }: Site): Promise<boolean> {
  const newest = await state.read()
  return newest.ok && selectUse(saved, selectContent(newest.value)) !== undefined
}

/**
 * True for the rest of a used plan: it changes nothing, or waits for the configuration that the plan started and sends
 * the update that follows. An update of a ready site may have been sent before.
 */
function isRest({ actions }: Plan, used: Plan): boolean {
  const isResumed = actions.some(({ change }) => change === 'resume')
  return actions.every(
    action =>
      action.change === 'resume' ||
      action.change === 'no-op' ||
      (isResumed && used.actions.some(one => canonical(one) === canonical(action))),
  )
}

function planSituation(site: Site, situation: Situation): Result<MadePlan, BlockerProblem> {
  const found = planFrom(situation)
  const warnings = [...site.warnings, ...found.diagnostics]
  return found.ok
    ? { ok: true, value: { plan: found.value, warnings } }
    : { ok: false, error: { kind: 'obstacle', blocker: found.error, diagnostics: warnings } }
}

/** The default time for which a plan may be used: a day. */
export const defaultLifetimeMs = 24 * 3_600_000

type SituationReply = Result<Situation, GatherProblem>

/** Binds the files, observes the site and reads its state: the inputs of a plan. Only reads. */
export async function readSituation(
  site: Site,
  { clock, client }: ReadPorts,
  { ignored, lifetimeMs, signal }: PlanOptions,
): Promise<SituationReply> {
  const { manifest, url, provideToken, route, state, stateLocation } = site
  const refused = (problem: GatherProblem): SituationReply => ({ ok: false, error: problem })
  const bound = await site.bind()
  if (!bound.ok)
    return refused({ kind: 'references', diagnostics: bound.error.map(one => addPlace(manifest, one)) })
  const reader = client ?? siteReader(url, provideToken, route)
  const polled = await observeToPlan(reader, signal)
  const newest = await state.read()
  // Checked first: state that belongs to another address explains more than a failed observation of this one.
  if (!newest.ok && newest.error.kind === 'moved') return refused({ kind: 'state', failure: newest.error })
  if (!polled.ok) return refused({ kind: 'look', url, failure: polled.error, caFile: route.caFile })
  if (!newest.ok) return refused({ kind: 'state', failure: newest.error })
  // Settings can be read only once the organization exists.
  const isReady = polled.value.kind === 'ready' && polled.value.assumed !== true
  const settings = isReady ? await reader.settings(signal) : noSettings('not-asked')
  const isComplete = !isReady || (await createRouteRedaction(route)).isComplete
  return {
    ok: true,
    value: {
      desired: manifest,
      observed: polled.value,
      settings,
      ...selectContent(newest.value),
      url,
      stateLocation,
      files: bound.value.digests,
      licenses: bound.value.licenses,
      withhold: isComplete ? undefined : withhold,
      ignored,
      now: clock.now(),
      lifetimeMs,
      tool,
    },
  }
}

/**
 * Observes a site for a plan. Observes a failed site again over another connection, and uses the second result: a
 * failed site ends the run, and a single node may report failure while it starts or stops.
 */
export async function observeToPlan(
  reader: Pick<SiteReader, 'observe'>,
  signal: AbortSignal,
): Promise<Reply<Observation>> {
  const polled = await reader.observe(signal)
  return polled.ok && polled.value.kind === 'failed' ? reader.observe(signal) : polled
}

/** Creates a reader that sends nothing, and assumes the observation that matches the stored state of a site. */
export function offlineReader(state: StateStore): SiteReader {
  return {
    async observe() {
      const newest = await state.read()
      // A failed read is reported by the next read, which stops the plan.
      return { ok: true, value: assumeObservation(selectContent(newest.ok ? newest.value : undefined)) }
    },
    settings: async () => noSettings('not-asked'),
  }
}
