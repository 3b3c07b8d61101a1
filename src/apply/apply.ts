import { joinMessages } from '../plan/observation.js'
import type { Action, Plan } from '../plan/plan.js'
import type { StaleFact } from '../plan/saved/bindings.js'
import { computeRecordDigest } from '../plan/situation.js'
import { listLicenseFiles, tokenPointer } from '../secrets/needed-references.js'
import { resolveToSend, wipeAll } from '../secrets/resolve.js'
import type { SecretsToSend } from '../secrets/secret.js'
import type { SecretSource } from '../secrets/secret-source.js'
import type { KeptReceipt } from '../state/site-state.js'
import type { StateFailure } from '../state/state-failure.js'
import { configureSite, isFollowed } from './configure-site.js'
import type { ApplyEvent } from './generated/event.js'
import { selectKeptMessage, truncateReason, withRecord } from './journal.js'
import type { Outcome, Receipt } from './outcome.js'
import { listPlanReferences } from './plan-references.js'
import type { ApplyOptions, Context, Ports } from './ports.js'
import { updatePolicy } from './update-policy.js'

/**
 * Performs a plan, step by step, and reports events. `configure` is sent at most once, and never again after an unknown
 * outcome: from then on the site is only polled. The signal stops the waiting, not the service.
 *
 * The receipt has the outcome; an expected failure is an outcome, not an exception.
 */
export async function* apply(
  plan: Plan,
  ports: Ports,
  options: ApplyOptions,
): AsyncGenerator<ApplyEvent, Receipt> {
  const startedAt = new Date(ports.clock.now()).toISOString()
  const { name, url, binds } = plan
  yield { type: 'stream-started', formatVersion: 1, name, url, tool: binds.tool }
  const outcome = yield* resolveAndApply(plan, ports, { ...options, startedAt })
  yield { type: 'stream-finished', outcome }
  return { outcome, startedAt, finishedAt: new Date(ports.clock.now()).toISOString() }
}

type Options = ApplyOptions & { readonly startedAt: string }

/** Resolves all secrets and checks the files before anything is sent, so that a missing one cannot stop the apply half-way. */
async function* resolveAndApply(
  plan: Plan,
  ports: Ports,
  options: Options,
): AsyncGenerator<ApplyEvent, Outcome> {
  const { expiresAt } = plan
  if (Date.parse(expiresAt) <= ports.clock.now())
    return { kind: 'stale', moved: [{ kind: 'expired', expiresAt }] }
  const { own, signIn } = listPlanReferences(plan, ports.signInReferences)
  const resolved = await resolveToSend([...own, ...signIn], ports.secrets)
  if (!resolved.ok) return { kind: 'references', diagnostics: resolved.error }
  try {
    // Only the presence of these secrets is checked here; they are read again for the request.
    for (const { pointer } of [{ pointer: tokenPointer }, ...signIn])
      resolved.value.secrets.get(pointer)?.wipe()
    const moved = await findStaleFiles(plan, resolved.value.secrets, ports.secrets)
    if (moved.length > 0) return { kind: 'stale', moved }
    return (await isSettled(plan, ports.state))
      ? yield* confirmSettled(plan)
      : yield* applyUnderLock(plan, { ...ports, secrets: resolved.value.secrets }, options)
  } finally {
    wipeAll(resolved.value.secrets)
  }
}

type ResolvedPorts = Omit<Ports, 'secrets'> & { readonly secrets: SecretsToSend }

/**
 * Tests whether a plan without changes has nothing to record either, and so needs no lock. False if another run holds the
 * lock: the plan is then performed under the lock, as any other.
 */
async function isSettled({ actions, binds }: Plan, state: Ports['state']): Promise<boolean> {
  if (actions.some(({ change }) => change !== 'no-op')) return false
  const kept = await state.read()
  if (!kept.ok || kept.value === undefined || kept.value.lock !== undefined) return false
  return !isFollowed(kept.value.submission) && computeRecordDigest(kept.value) === binds.recorded
}

function* confirmSettled({ actions }: Plan): Generator<ApplyEvent, Outcome> {
  for (const { operation, change, reason } of actions) {
    yield { type: 'action-started', operation, change, reason }
    yield { type: 'action-finished', operation }
  }
  return { kind: 'done' }
}

/** Locks the site for this run, and releases it with a receipt however the run ends. */
async function* applyUnderLock(
  plan: Plan,
  ports: ResolvedPorts,
  options: Options,
): AsyncGenerator<ApplyEvent, Outcome> {
  const { binds } = plan
  const taken = await ports.state.take('apply', content => computeRecordDigest(content) === binds.recorded)
  switch (taken.kind) {
    case 'locked':
      // An interrupt ends the wait for the lock.
      if (options.signal.aborted) return { kind: 'interrupted' }
      return { kind: 'locked', lock: taken.lock, liveness: taken.liveness }
    case 'moved':
      return { kind: 'stale', moved: [{ kind: 'state-written' }] }
    case 'failed':
      return { kind: 'not-recorded', after: 'nothing', failure: taken.failure }
  }
  const { held, former, isGone } = taken
  let isOver = false
  try {
    const takenOver = former && { former: former.holder, ...(isGone && { isGone }) }
    yield { type: 'site-locked', fence: held.lock.fence, ...takenOver }
    const before = held.content.record.serial
    const outcome = yield* performActions(plan, { ...ports, options, held, binds })
    isOver = true
    const receipt = buildReceipt(plan, outcome, { ports, options })
    const released = await held.release({ type: 'receipt', receipt })
    if (!released.ok) return toUnrecorded(outcome, receipt, released.error)
    const { serial } = held.content.record
    if (outcome.kind === 'done' && serial !== before) yield { type: 'record-written', serial }
    return outcome
  } finally {
    // The reader of the events may have stopped before the end.
    if (!isOver) await held.release({ type: 'released' })
  }
}

async function* performActions(plan: Plan, context: Context): AsyncGenerator<ApplyEvent, Outcome> {
  notePlanUse(context)
  let after: 'nothing' | Action['operation'] = 'nothing'
  for (const action of plan.actions) {
    if (context.options.signal.aborted) return { kind: 'interrupted' }
    const { operation, change, reason } = action
    yield { type: 'action-started', operation, change, reason }
    const step =
      action.operation === 'configure'
        ? yield* configureSite(action, context)
        : yield* updatePolicy(action, after, context)
    if (!step.ok) return step.error
    if (change !== 'no-op') after = operation
    yield { type: 'action-finished', operation }
  }
  return { kind: 'done' }
}

/** Marks the saved plan as used in the next version of the state, which is written before anything is sent, or at the end. */
function notePlanUse({ held, options: { planId: id }, clock }: Context): void {
  if (id === undefined) return
  const plan = { id, usedAt: new Date(clock.now()).toISOString() }
  held.note(content => ({ ...content, record: withRecord(content.record, { plan }) }))
}

/** An apply has not succeeded if its last version, with everything not written before, could not be written. */
function toUnrecorded(outcome: Outcome, { actions }: KeptReceipt, failure: StateFailure): Outcome {
  if (outcome.kind !== 'done' && outcome.kind !== 'in-progress') return outcome
  const after = actions.findLast(({ change }) => change !== 'no-op')?.operation ?? 'nothing'
  return { kind: 'not-recorded', after, failure }
}

function buildReceipt(
  { actions, binds }: Plan,
  outcome: Outcome,
  { ports, options }: { readonly ports: Pick<Ports, 'clock'>; readonly options: Options },
): KeptReceipt {
  const { startedAt, planId } = options
  const isSender = actions.some(({ change }) => change === 'create')
  const reason = describeKeptReason(outcome, isSender)
  return {
    startedAt,
    finishedAt: new Date(ports.clock.now()).toISOString(),
    outcome: outcome.kind,
    ...(reason !== '' && { reason: truncateReason(reason) }),
    manifest: binds.manifest,
    ...(planId !== undefined && { plan: planId }),
    actions: actions.map(({ operation, change }) => ({ operation, change })),
  }
}

/** Describes the outcome for the state: the text of the service, after the code of an unknown outcome. */
function describeKeptReason(outcome: Outcome, isSender: boolean): string {
  if (outcome.kind === 'not-taken') return joinMessages(outcome.failure)
  if (outcome.kind === 'unknown')
    return [outcome.reason, outcome.said ?? ''].filter(text => text !== '').join(': ')
  return selectKeptMessage('message' in outcome ? outcome.message : '', isSender)
}

/** Finds the license files that changed since the plan was made. */
async function findStaleFiles(
  plan: Plan,
  secrets: SecretsToSend,
  source: SecretSource,
): Promise<readonly StaleFact[]> {
  const files = plan.actions.flatMap(action =>
    action.change === 'create' ? listLicenseFiles(action.organization) : [],
  )
  const stale: StaleFact[] = []
  for (const { path, pointer } of files) {
    const bound = plan.binds.files[source.pathOf({ path, pointer })]
    if (bound !== undefined && bound !== (await secrets.get(pointer)?.computeDigest()))
      stale.push({ kind: 'file', file: path })
  }
  return stale
}
