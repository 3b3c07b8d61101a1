import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { placed } from '../../manifest/field-places.js'
import type { Plan } from '../../plan/plan.js'
import { resolve, wipeAll } from '../../secrets/resolve.js'
import { wantedByConfigure } from '../../secrets/wanted.js'
import type { Session } from './session.js'

/**
 * Warns of a password and a license that the service may refuse, before anybody consents to a creation. What is missing
 * or breaks a rule is left to the apply, which refuses it.
 */
export async function secretAdvice(
  plan: Plan,
  { secrets, manifest }: Pick<Session, 'secrets' | 'manifest'>,
): Promise<readonly Diagnostic[]> {
  const create = plan.actions.find(action => action.change === 'create')
  if (create === undefined) return []
  const resolved = await resolve(wantedByConfigure(create.organization), secrets)
  if (!resolved.ok) return []
  wipeAll(resolved.value.secrets)
  return resolved.value.warnings.map(warning => placed(manifest, warning))
}
