import { isLoopback } from '../manifest/site-url.js'
import { type Plan, sendsRequests } from '../plan/plan.js'
import { buildPlanDocument, isSignedBy } from '../plan/saved/plan-document.js'
import { findPlanViolation } from '../policy/plan-rules.js'
import type { StateStore } from '../state/ports.js'
import type { MissingPermission } from './problem.js'
import type { Site } from './site.js'

interface Performing {
  /** The detached signature of the plan, if it was saved with one. */
  readonly signature: string | undefined
  readonly now: number
}

/**
 * Finds the reason why a policy around a manifest does not permit a plan. Verifies the signature against the plan
 * itself, not against an ID that came with it. Every policy must permit the plan.
 */
export function findMissingPermission(
  plan: Plan,
  { policies }: Pick<Site, 'policies'>,
  { signature, now }: Performing,
): MissingPermission | undefined {
  const rules = policies.flatMap(({ file, plans }) => (plans === undefined ? [] : [{ file, plans }]))
  if (rules.length === 0) return undefined
  const { id } = buildPlanDocument(plan)
  const facts = {
    creates: plan.actions.some(({ change }) => change === 'create'),
    sends: sendsRequests(plan),
    createdAt: Date.parse(plan.createdAt),
    now,
    isSignedBy: (key: Parameters<typeof isSignedBy>[0]) =>
      signature !== undefined && isSignedBy(key, id, signature),
  }
  for (const { file, plans } of rules) {
    const violation = findPlanViolation(plans, facts)
    if (violation !== undefined) return { file, violation }
  }
  return undefined
}

/**
 * True if a CI system would create a site with state on its own disk. CI discards that disk together with the
 * submission intent, so a later run would not find that `configure` was sent. False for an emulator, the only site that
 * is called without TLS.
 */
export function forgetsItsState(
  { url, actions }: Plan,
  { kind }: Pick<StateStore, 'kind'>,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const creates = actions.some(({ change }) => change === 'create')
  const { protocol, hostname } = new URL(url)
  const isEmulator = protocol === 'http:' && isLoopback(hostname)
  return environment['CI'] !== undefined && kind === 'file' && creates && !isEmulator
}
