import { isCertain } from '../client/is-certain.js'
import type { UpdateRequest } from '../client/wire/update-fields.js'
import { canonical } from '../plan/canonical.js'
import { mergedUpgradeConfig } from '../plan/fields/live.js'
import type { Action, Update } from '../plan/plan.js'
import { tokenPointer } from '../secrets/wanted.js'
import type { Context } from './context.js'
import type { ApplyEvent } from './event.js'
import type { Outcome } from './outcome.js'
import { forget, writeRecord } from './write-record.js'

/** Sends the placement policy, with what the site has beside it, for it replaces the one before. Service §4.4. */
export async function* updatePolicy(
  action: Update,
  after: 'nothing' | Action['operation'],
  context: Context,
): AsyncGenerator<ApplyEvent, Outcome> {
  const { client, options, records, clock } = context
  if (action.change === 'no-op') return { kind: 'done' }
  const token = context.secrets.get(tokenPointer)
  const request = await requestNow(action, context)
  if (options.signal.aborted) return { kind: 'interrupted' }
  // Of a site that was created just now the plan could know nothing; of any other it is what was reviewed.
  if (after !== 'configure' && canonical(request.upgradeConfig) !== canonical(action.upgradeConfig))
    return { kind: 'stale', moved: ['the upgrade configuration of the site'] }
  const forgotten = await forget(records, after, ['policy'])
  if (forgotten.kind !== 'done') return forgotten
  // Not stoppable: a request that is cut off half-way has an unknown outcome.
  const reply = await client.update(request, token, new AbortController().signal)
  if (!reply.ok && isCertain(reply.failure))
    return { kind: 'not-taken', operation: 'update', failure: reply.failure }
  if (!reply.ok) {
    yield { type: 'outcome-unknown', operation: 'update', failure: reply.failure }
    return { kind: 'unknown', operation: 'update', reason: 'no whole answer came back' }
  }
  return yield* writeRecord(records, 'update', current => ({
    ...current,
    policy: { appliedAt: new Date(clock.now()).toISOString(), value: action.policy },
  }))
}

/** The policy with what the site has beside it at this moment, for it is replaced as a whole. */
async function requestNow(
  { policy }: Update & { readonly change: 'update' },
  { client, options }: Context,
): Promise<UpdateRequest> {
  return mergedUpgradeConfig(policy, await client.settings(options.signal))
}
