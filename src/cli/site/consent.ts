import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { findMissingPermission, forgetsItsState } from '../../library/plan-permission.js'
import { addPlace } from '../../manifest/field-places.js'
import { listImmutableParts } from '../../plan/fields/lifetime.js'
import { listBlockingEdits, type Plan, sendsRequests } from '../../plan/plan.js'
import { describeEarlierRejection } from '../../report/endings/apply.js'
import type { NextCommands } from '../../report/endings/ending.js'
import { toFailure } from '../../report/endings/problems.js'
import { formatSentence } from '../../report/phrase.js'
import { formatDotted } from '../../schema/pointer.js'
import { listConfigureReferences } from '../../secrets/needed-references.js'
import { resolve, wipeAll } from '../../secrets/resolve.js'
import type { Host } from '../host.js'
import { confirm } from '../terminal/interaction.js'
import type { Failure } from '../terminal/output.js'
import type { ApplyArguments, ApplySurroundings, PlannedSession, SiteSession } from './session.js'

/** Asks a person to confirm a plan, if needed; returns a failure if the plan must not be performed. */
export async function requestConsent(
  plan: Plan,
  {
    rejection,
    ...choices
  }: Pick<ApplyArguments, 'yes' | 'emulate' | 'no-input'> & {
    readonly rejection: string | undefined
  },
  host: Host,
): Promise<Failure | undefined> {
  if (!sendsRequests(plan) || choices.emulate) return undefined
  const earlier = rejection === undefined ? '' : `${formatSentence(rejection).trimEnd()} `
  const question = `${earlier}${formatQuestion(plan)}\n`
  return confirm(host, choices, { ...applying, question, review: 'review the plan' })
}

/** The words around the question that precedes an apply. */
export const applying = { prefix: 'not applied: ', without: ': pass `--yes`' } as const

/** Formats the question. Repeats the irreversible part, because a long plan has scrolled away. */
function formatQuestion(plan: Plan): string {
  const { host } = new URL(plan.url)
  const changes = plan.actions.map(({ change }) => change)
  if (changes.includes('create')) {
    const parts = listImmutableParts(plan).map(({ pointer }) => formatDotted(pointer))
    return `Create the organization at ${host}? This cannot be undone. Immutable afterwards: ${parts.join(', ')}.`
  }
  const when = changes.includes('resume') ? ' once its configuration is complete' : ''
  return `Set the upgrade placement policy at ${host}${when}?`
}

/** Warns of an earlier rejection, before a person confirms another `configure`; `undefined` if there was none. */
export async function describeRejection(
  { actions }: Plan,
  { state }: Pick<SiteSession, 'state'>,
): Promise<string | undefined> {
  if (!actions.some(({ reason }) => reason === 'rejected-before')) return undefined
  const kept = await state.read()
  const reason = (kept.ok && kept.value?.submission?.reason) || 'without a reason'
  return `${formatSentence(describeEarlierRejection(reason)).trimEnd()} If you confirm, another one is sent`
}

/** Rejects the creation of a site from CI with state on its own disk; `undefined` if it is allowed. */
export function checkLocalState(
  plan: Plan,
  { state }: Pick<SiteSession, 'state'>,
  { environment }: Pick<Host, 'environment'>,
): Failure | undefined {
  if (!forgetsItsState(plan, state, environment)) return undefined
  return toFailure({ kind: 'local-state', where: state.where, plan })
}

/** Rejects a plan with blocking edits of immutable fields; `undefined` if there are none. */
export function checkImmutableEdits(plan: Plan, commands: NextCommands): Failure | undefined {
  const edits = listBlockingEdits(plan)
  return edits.length === 0 ? undefined : toFailure({ kind: 'immutable', edits, plan }, commands)
}

/** Rejects a plan that no confirmation can permit; `undefined` for any other. No option changes what a policy says. */
export function findVeto(
  plan: Plan,
  session: Pick<PlannedSession, 'state' | 'policies' | 'signature' | 'commands'>,
  { argv, host }: ApplySurroundings,
): Failure | undefined {
  const { policies, signature, commands } = session
  const blocked = checkImmutableEdits(plan, commands)
  if (blocked !== undefined) return blocked
  const missing = findMissingPermission(plan, { policies }, { signature, now: host.clock.now() })
  if (missing !== undefined) return toFailure({ kind: 'not-permitted', ...missing, plan }, commands)
  return argv['accept-local-state'] ? undefined : checkLocalState(plan, session, host)
}

/** Warns of a password and a license that the service may reject. For missing and invalid ones, the apply itself fails. */
export async function adviseOnSecrets(
  plan: Plan,
  { secrets, manifest }: Pick<SiteSession, 'secrets' | 'manifest'>,
): Promise<readonly Diagnostic[]> {
  const create = plan.actions.find(action => action.change === 'create')
  if (create === undefined) return []
  const resolved = await resolve(listConfigureReferences(create.organization), secrets)
  if (!resolved.ok) return []
  wipeAll(resolved.value.secrets)
  return resolved.value.warnings.map(warning => addPlace(manifest, warning))
}
