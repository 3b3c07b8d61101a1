import type { StageRecord } from '../plan/observation.js'
import type { Configure } from '../plan/plan.js'
import { isPending, mayBeOurs } from '../plan/submission.js'
import { wipeAll } from '../secrets/resolve.js'
import type { ApplyEvent } from './event.js'
import { followConfiguration, settled } from './follow-configuration.js'
import type { Outcome } from './outcome.js'
import type { Context } from './ports.js'
import { submitConfiguration } from './submit-configuration.js'
import { markOf } from './wait/site-mark.js'

/**
 * Creates the organization, or takes up the wait for one that is being created. The request is sent once at most;
 * whatever comes of it, from then on the site is only looked at. Service §4.3.
 */
export async function* configureSite(
  action: Configure,
  context: Context,
): AsyncGenerator<ApplyEvent, Outcome> {
  const { submission } = context.held.content
  const { version: planned, build } = context.binds.site
  let marks = [markOf({ ...(planned !== null && { version: planned }), ...(build && { build }) })]
  if (action.change === 'no-op') {
    if (submission === undefined || submission.state === 'ready' || !mayBeOurs(submission))
      return { kind: 'done' }
    // An earlier run ended before it saw the site ready, and the one look of the plan may have met a node that is ahead.
    return yield* followConfiguration({ stages: [], accepted: true, marks }, context)
  }
  let stages: readonly StageRecord[] = []
  let accepted = submission === undefined || !isPending(submission) || submission.state === 'acknowledged'
  if (action.change === 'create') {
    const submitted = yield* submitConfiguration(action, context)
    // What follows may take hours, and needs none of them.
    wipeAll(context.secrets)
    if (submitted.kind === 'ended') return submitted.outcome
    accepted = submitted.kind === 'accepted'
    marks = [...marks, markOf(submitted.before)]
    if (submitted.kind === 'accepted') {
      stages = submitted.observed.stages
      yield { type: 'stages-changed', changed: [], stages, elapsedMs: 0 }
    }
  }
  if (context.options.detach && accepted) return yield* settled('detached', context)
  return yield* followConfiguration({ stages, accepted, marks }, context)
}
