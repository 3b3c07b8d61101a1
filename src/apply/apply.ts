import type { Action, Plan } from '../plan/plan.js'
import { wordsOf } from '../plan/said.js'
import { isAsBound } from '../plan/saved/bindings.js'
import type { StaleFact } from '../plan/saved/stale-fact.js'
import { recordedDigest } from '../plan/situation.js'
import { resolve, wipeAll } from '../secrets/resolve.js'
import type { Secrets } from '../secrets/secret.js'
import type { SecretSource } from '../secrets/secret-source.js'
import {
  licenseFiles,
  tokenPointer,
  type Wanted,
  wantedByConfigure,
  wantedByUpdate,
} from '../secrets/wanted.js'
import type { HeldState } from '../state/ports.js'
import type { KeptReceipt } from '../state/site-state.js'
import { configureSite } from './configure-site.js'
import type { ApplyEvent } from './event.js'
import { keptReason, recorded } from './journal.js'
import type { Outcome, Receipt } from './outcome.js'
import type { ApplyOptions, Context, Ports } from './ports.js'
import { updatePolicy } from './update-policy.js'

/**
 * Performs a plan, step by step, and reports events. `configure` is sent at most once, and never again after an unknown
 * outcome: from then on the site is only polled. The signal stops the waiting, not the service.
 *
 * The receipt says how it ended; an expected failure is an outcome, not an exception.
 */
export async function* apply(
  plan: Plan,
  ports: Ports,
  options: ApplyOptions,
): AsyncGenerator<ApplyEvent, Receipt> {
  const startedAt = new Date(ports.clock.now()).toISOString()
  const { name, url, binds } = plan
  yield { type: 'stream-started', formatVersion: 1, name, url, tool: binds.tool }
  const outcome = yield* prepared(plan, ports, { ...options, startedAt })
  yield { type: 'stream-finished', outcome }
  return { outcome, startedAt, finishedAt: new Date(ports.clock.now()).toISOString() }
}

type Options = ApplyOptions & { readonly startedAt: string }

/** Everything that could stop it half-way is tried first: all secrets are there before anything is sent. */
async function* prepared(plan: Plan, ports: Ports, options: Options): AsyncGenerator<ApplyEvent, Outcome> {
  const { expiresAt } = plan
  if (Date.parse(expiresAt) <= ports.clock.now())
    return { kind: 'stale', moved: [{ kind: 'expired', expiresAt }] }
  const resolved = await resolve(plan.actions.flatMap(wantedBy), ports.secrets)
  if (!resolved.ok) return { kind: 'references', diagnostics: resolved.error }
  try {
    // It is lent when it is sent; here only its absence counts.
    resolved.value.secrets.get(tokenPointer)?.wipe()
    const moved = movedFiles(plan, resolved.value.secrets, ports.secrets)
    if (moved.length > 0) return { kind: 'stale', moved }
    return yield* withTheSite(plan, { ...ports, secrets: resolved.value.secrets }, options)
  } finally {
    wipeAll(resolved.value.secrets)
  }
}

type Prepared = Omit<Ports, 'secrets'> & { readonly secrets: Secrets }

/** Takes the site for this run, and lets it go with a receipt, whatever happens between. */
async function* withTheSite(
  plan: Plan,
  ports: Prepared,
  options: Options,
): AsyncGenerator<ApplyEvent, Outcome> {
  const { binds } = plan
  const taken = await ports.state.take('apply', content => recordedDigest(content) === binds.recorded)
  switch (taken.kind) {
    case 'locked':
      return { kind: 'locked', lock: taken.lock, liveness: taken.liveness }
    case 'moved':
      return { kind: 'stale', moved: [{ kind: 'state-written' }] }
    case 'failed':
      return { kind: 'not-recorded', after: 'nothing', failure: taken.failure }
  }
  const { held, former, isGone } = taken
  let isOver = false
  try {
    const before = former && { former: former.holder, ...(isGone && { isGone }) }
    yield { type: 'site-locked', fence: held.lock.fence, ...before }
    const outcome = yield* performed(plan, { ...ports, options, held, binds })
    isOver = true
    return await letGo(held, outcome, receiptOf(plan, outcome, { ports, options }))
  } finally {
    // Who reads the events may have stopped half-way.
    if (!isOver) await held.release({ type: 'released' })
  }
}

async function* performed(plan: Plan, context: Context): AsyncGenerator<ApplyEvent, Outcome> {
  const used = await noteUse(context)
  if (used !== undefined) return used
  let after: 'nothing' | Action['operation'] = 'nothing'
  for (const action of plan.actions) {
    if (context.options.signal.aborted) return { kind: 'interrupted' }
    const { operation, change, reason } = action
    yield { type: 'action-started', operation, change, reason }
    const outcome =
      action.operation === 'configure'
        ? yield* configureSite(action, context)
        : yield* updatePolicy(action, after, context)
    if (outcome.kind !== 'done') return outcome
    if (change !== 'no-op') after = operation
    yield { type: 'action-finished', operation }
  }
  return { kind: 'done' }
}

/** Notes that a saved plan is used, so that it never is again, whatever becomes of this run. */
async function noteUse({ held, options, clock }: Context): Promise<Outcome | undefined> {
  const { planId } = options
  if (planId === undefined) return undefined
  const usedAt = new Date(clock.now()).toISOString()
  const noted = await held.write({ type: 'plan', id: planId }, content => ({
    ...content,
    record: recorded(content.record, { plan: { id: planId, usedAt } }),
  }))
  return noted.ok ? undefined : { kind: 'not-recorded', after: 'nothing', failure: noted.error }
}

/** The last version has everything that could not be written before; an end that cannot be kept is none. */
async function letGo(held: HeldState, outcome: Outcome, receipt: KeptReceipt): Promise<Outcome> {
  const released = await held.release({ type: 'receipt', receipt })
  if (released.ok) return outcome
  if (outcome.kind !== 'done' && outcome.kind !== 'in-progress') return outcome
  const after = receipt.actions.findLast(({ change }) => change !== 'no-op')?.operation ?? 'nothing'
  return { kind: 'not-recorded', after, failure: released.error }
}

function receiptOf(
  { actions, binds }: Plan,
  outcome: Outcome,
  { ports, options }: { readonly ports: Pick<Ports, 'clock'>; readonly options: Options },
): KeptReceipt {
  const { startedAt, planId } = options
  const reason = reasonOf(outcome)
  return {
    startedAt,
    finishedAt: new Date(ports.clock.now()).toISOString(),
    outcome: outcome.kind,
    ...(reason !== '' && { reason: keptReason(reason) }),
    manifest: binds.manifest,
    ...(planId !== undefined && { plan: planId }),
    actions: actions.map(({ operation, change }) => ({ operation, change })),
  }
}

/** The reason of an outcome, as it is kept: its code, and what the service said. */
function reasonOf(outcome: Outcome): string {
  if (outcome.kind === 'not-taken') return wordsOf(outcome.failure)
  if (outcome.kind === 'unknown')
    return [outcome.reason, outcome.said ?? ''].filter(text => text !== '').join(': ')
  return 'message' in outcome ? outcome.message : ''
}

function wantedBy(action: Action): readonly Wanted[] {
  if (action.change === 'create') return wantedByConfigure(action.organization)
  if (action.change === 'update') return wantedByUpdate(action.token)
  return []
}

/** License files whose bytes are not those that the plan was made with. */
function movedFiles(plan: Plan, secrets: Secrets, source: SecretSource): readonly StaleFact[] {
  const files = plan.actions.flatMap(action =>
    action.change === 'create' ? licenseFiles(action.organization) : [],
  )
  return files
    .filter(({ path, pointer }) => {
      const bound = plan.binds.files[source.pathOf({ path, pointer })]
      const bytes = secrets.get(pointer)?.bytes
      return bound !== undefined && bytes !== undefined && !isAsBound(bound, bytes)
    })
    .map(({ path }) => ({ kind: 'file', file: path }))
}
