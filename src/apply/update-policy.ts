import { isCertain, mayPass, type Reply } from '../client/failure.js'
import { withToken } from '../client/site-token.js'
import type { UpdateRequest } from '../client/wire/form-requests.js'
import { canonical } from '../plan/canonical.js'
import { mergeUpgradeConfig, selectOtherSettings } from '../plan/observation.js'
import type { Action, Update } from '../plan/plan.js'
import { computeSettingDigests } from '../plan/saved/bindings.js'
import type { ApplyEvent } from './generated/event.js'
import { withRecord } from './journal.js'
import { endApply, quoteAnswer, type StepResult, stepDone } from './outcome.js'
import type { Context } from './ports.js'

/** An `update` with an unknown outcome. It replaces the policy as a whole, so sending the same one again changes nothing. */
const pausesMs = [5000, 5000]

/** Sends the placement policy with the other settings of the site, since a request replaces all of them. Service §4.4. */
export async function* updatePolicy(
  action: Update,
  after: 'nothing' | Action['operation'],
  context: Context,
): AsyncGenerator<ApplyEvent, StepResult> {
  const { options, held, clock } = context
  if (action.change === 'no-op') return stepDone
  const { request, digest } = await buildRequest(action, context)
  if (options.signal.aborted) return endApply({ kind: 'interrupted' })
  // The plan is bound to the reviewed settings, unless this run created the site: the plan could not know those.
  if (after !== 'configure' && digest !== context.binds.site.settings.upgradeConfig)
    return endApply({ kind: 'stale', moved: [{ kind: 'site-setting', setting: 'upgradeConfig' }] })
  // Until the request has succeeded, the record must claim no policy; recording an intent has already removed it.
  const attempted =
    after === 'configure' && held.content.record.policy === undefined && !held.isBehind
      ? await held.confirm()
      : await held.write({ type: 'policy' }, content => ({
          ...content,
          record: withRecord(content.record, { policy: undefined }),
        }))
  if (!attempted.ok) return endApply({ kind: 'not-recorded', after, failure: attempted.error })
  const reply = yield* sendUpdate(request, action, context)
  if (!reply.ok && isCertain(reply.error))
    return endApply({
      kind: 'not-taken',
      operation: 'update',
      failure: reply.error,
      ...(after !== 'nothing' && { after }),
    })
  if (!reply.ok) {
    const said = quoteAnswer(reply.error)
    return endApply({
      kind: 'unknown',
      operation: 'update',
      reason: said === '' ? 'no-complete-response' : 'not-confirmed',
      ...(said !== '' && { said }),
    })
  }
  const policy = { appliedAt: new Date(clock.now()).toISOString(), value: action.policy }
  held.note(content => ({ ...content, record: withRecord(content.record, { policy }) }))
  return stepDone
}

/** Sends the request, and repeats it a few times, under the lock, while its outcome is unknown and may change. */
async function* sendUpdate(
  request: UpdateRequest,
  action: Update & { readonly change: 'update' },
  context: Context,
): AsyncGenerator<ApplyEvent, Reply<void>> {
  const { client, clock, provideToken, options } = context
  const { signal } = options
  for (let tries = 0; ; tries += 1) {
    // Not stopped by a signal: a request that is cut off has an unknown outcome.
    const reply = await withToken(provideToken, token =>
      client.update(request, token, new AbortController().signal),
    )
    if (reply.ok || isCertain(reply.error)) return reply
    yield { type: 'outcome-unknown', operation: 'update', failure: reply.error }
    const pauseMs = pausesMs[tries]
    if (pauseMs === undefined || signal.aborted || !mayPass(reply.error)) return reply
    await clock.sleep(pauseMs, signal)
    const { request: now } = await buildRequest(action, context)
    // If the settings have changed, or cannot be read, sending it again could undo a change of another program.
    if (signal.aborted || canonical(now.upgradeConfig) !== canonical(request.upgradeConfig)) return reply
  }
}

/** Builds the request from the policy and the current other settings of the site, since `update` replaces all of them. */
async function buildRequest(
  { policy }: Update & { readonly change: 'update' },
  { client, options }: Context,
): Promise<{ readonly request: UpdateRequest; readonly digest: string | null }> {
  const settings = await client.settings(options.signal)
  const upgradeConfig = mergeUpgradeConfig(policy, selectOtherSettings(settings))
  return { request: { upgradeConfig }, digest: computeSettingDigests(settings).upgradeConfig }
}
