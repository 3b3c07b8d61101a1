import type { SubmittedRun } from '../database/add-runs.js'
import type { Rollout } from '../model/run.js'
import type { FleetSubmission, SubmittedSite } from '../report/submission.js'
import type { OpenEngine } from './fleet-engine.js'
import type { OpenFleet } from './open-fleet.js'
import type { SiteOrder } from './order-sites.js'

interface SubmitContext {
  readonly rollout: Pick<Rollout, 'id' | 'submittedBy' | 'keepsGoing'>
  readonly commit: string | undefined
  readonly openEngine: OpenEngine
}

/** Stores orders and queues them in the engine, in one transaction. */
export async function submitOrders(
  orders: readonly SiteOrder[],
  open: OpenFleet,
  { rollout, commit, openEngine }: SubmitContext,
): Promise<FleetSubmission> {
  const engine = await openEngine(open)
  try {
    const answers = await open.store.submit({
      rollout,
      runs: orders.map(({ run }) => run),
      enqueue: client => engine.enqueueRollout(client, rollout.id),
    })
    const bySite = new Map(answers.map(one => [one.site, one]))
    return {
      rollout: answers.some(({ is }) => is !== 'same') ? rollout.id : null,
      ...(commit !== undefined && { commit }),
      sites: orders.map(one => toSubmittedSite(one, bySite.get(one.run.site))),
    }
  } finally {
    await engine.close()
  }
}

/** Returns a site as it would be submitted or, with the stored result, as it was. */
export function toSubmittedSite(
  { run, is: expected, former }: SiteOrder,
  answer?: SubmittedRun,
): SubmittedSite {
  const { is, generation } = answer ?? {
    is: expected,
    generation: (former?.generation ?? 0) + (expected === 'same' ? 0 : 1),
  }
  const { name, site: url, manifest: file, digest, wave } = run
  return {
    site: name,
    url,
    file,
    digest,
    wave: is === 'same' ? null : wave,
    generation,
    is,
    ...(former !== undefined && { former }),
  }
}
