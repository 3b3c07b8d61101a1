import type { Action, Plan } from '../plan/plan.js'
import { isAsBound } from '../plan/saved/bindings.js'
import { resolve, type Secrets, wipeAll } from '../secrets/resolve.js'
import type { SecretSource } from '../secrets/secret-source.js'
import { licenseFiles, type Wanted, wantedByConfigure, wantedByUpdate } from '../secrets/wanted.js'
import { configureSite } from './configure-site.js'
import type { ApplyOptions } from './context.js'
import type { ApplyEvent } from './event.js'
import type { Outcome, Receipt } from './outcome.js'
import type { Ports } from './ports.js'
import { updatePolicy } from './update-policy.js'
import { writeRecord } from './write-record.js'

/**
 * Performs a plan, step by step, and tells what happens. `configure` is sent at most once, and never again after
 * an unknown outcome: from then on the site is only looked at. The signal stops the waiting, not the service.
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
  const outcome = yield* performed(plan, ports, options)
  yield { type: 'stream-finished', outcome }
  return { outcome, startedAt, finishedAt: new Date(ports.clock.now()).toISOString() }
}

/** Everything that could stop it half-way is tried first: all secrets are there before anything is sent. */
async function* performed(
  plan: Plan,
  ports: Ports,
  options: ApplyOptions,
): AsyncGenerator<ApplyEvent, Outcome> {
  const resolved = await resolve(plan.actions.flatMap(wantedBy), ports.secrets)
  if (!resolved.ok) return { kind: 'references', diagnostics: resolved.diagnostics }
  try {
    const moved = movedFiles(plan, resolved.secrets, ports.secrets)
    if (moved.length > 0) return { kind: 'stale', moved }
    const used = yield* noteUse(plan, ports, options)
    if (used.kind !== 'done') return used
    const context = { ...ports, options, secrets: resolved.secrets }
    let after: 'nothing' | Action['operation'] = 'nothing'
    for (const action of plan.actions) {
      if (options.signal.aborted) return { kind: 'interrupted' }
      const { operation, change, reason } = action
      yield { type: 'action-started', operation, change, reason }
      const outcome =
        action.operation === 'configure'
          ? yield* configureSite(action, plan.binds.manifest, context)
          : yield* updatePolicy(action, after, context)
      if (outcome.kind !== 'done') return outcome
      if (change !== 'no-op') after = operation
      yield { type: 'action-finished', operation }
    }
    return { kind: 'done' }
  } finally {
    wipeAll(resolved.secrets)
  }
}

/**
 * Notes that a saved plan is used, so that it never is again, whatever becomes of this run. Another run may have made
 * sure of the same plan at the same time: only who claims it goes on, and only from the record that was looked at.
 */
async function* noteUse(
  { binds }: Plan,
  { records, clock }: Ports,
  { planId }: ApplyOptions,
): AsyncGenerator<ApplyEvent, Outcome> {
  if (planId === undefined) return { kind: 'done' }
  const claimed = await records.claim(planId)
  if (!claimed.ok) return { kind: 'not-recorded', after: 'nothing', failure: claimed.failure }
  if (!claimed.value) return { kind: 'stale', moved: ['the plan itself: another run took it'] }
  const current = await records.read()
  if (current.ok && current.value.serial !== binds.record) {
    await records.release(planId)
    return { kind: 'stale', moved: ['the apply record: another run wrote it just now'] }
  }
  const usedAt = new Date(clock.now()).toISOString()
  const noted = yield* writeRecord(records, 'nothing', record => ({
    ...record,
    plan: { id: planId, usedAt },
  }))
  if (noted.kind === 'done') await records.release(planId)
  return noted
}

function wantedBy(action: Action): readonly Wanted[] {
  if (action.change === 'create') return wantedByConfigure(action.organization)
  if (action.change === 'update') return wantedByUpdate(action.token)
  return []
}

/** License files whose bytes are not those that the plan was made with. */
function movedFiles(plan: Plan, secrets: Secrets, source: SecretSource): readonly string[] {
  const files = plan.actions.flatMap(action =>
    action.change === 'create' ? licenseFiles(action.organization) : [],
  )
  return files
    .filter(({ path, pointer }) => {
      const bound = plan.binds.files[source.pathOf({ path, pointer })]
      const bytes = secrets.get(pointer)?.bytes
      return bound !== undefined && bytes !== undefined && !isAsBound(bound, bytes)
    })
    .map(({ path }) => `the file ${path}`)
}
