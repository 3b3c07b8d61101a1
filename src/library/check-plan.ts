import { listPlanReferences } from '../apply/plan-references.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { UncheckedReference } from '../diagnostics/reference-defect.js'
import { addPlace } from '../manifest/field-places.js'
import type { Plan } from '../plan/plan.js'
import type { NeededReference } from '../secrets/needed-references.js'
import { resolve, wipeAll } from '../secrets/resolve.js'
import type { SecretSource } from '../secrets/secret-source.js'
import { listSiteSignIn, type Site } from './site.js'

/** The result of checking the secrets and files of a plan. */
interface CheckedPlan {
  /** Warnings, and errors that would keep an apply from starting. */
  readonly diagnostics: readonly Diagnostic[]
  /** References that could not be checked here. */
  readonly unchecked: readonly UncheckedReference[]
}

/**
 * Checks the secrets and files that an apply of a plan would need, and discards their values. Without `readsSecrets`, checks
 * only the files.
 */
export async function checkPlan(
  plan: Plan,
  site: Pick<Site, 'manifest' | 'secrets' | 'signsIn'>,
  { readsSecrets }: { readonly readsSecrets: boolean },
): Promise<CheckedPlan> {
  const { manifest, secrets } = site
  const { own, signIn } = listPlanReferences(plan, listSiteSignIn(site))
  const diagnostics: Diagnostic[] = []
  const unchecked: UncheckedReference[] = []
  for (const one of [...own, ...signIn]) {
    const resolved = one.kind === 'file' || readsSecrets ? await resolve([one], secrets) : undefined
    if (resolved?.ok === true) wipeAll(resolved.value.secrets)
    const found = resolved?.ok === true ? resolved.value.warnings : (resolved?.error ?? [])
    if (resolved === undefined || (isMissing(found) && !isEmptyVariable(one, secrets)))
      unchecked.push({
        pointer: one.pointer,
        place: one.kind === 'file' ? { file: one.path } : one.reference,
      })
    else diagnostics.push(...found.map(problem => addPlace(manifest, problem)))
  }
  return { diagnostics, unchecked }
}

function isMissing(found: readonly Diagnostic[]): boolean {
  return found.some(({ code }) => code === 'secret/missing' || code === 'file/missing')
}

/** True for a variable that is set but empty. CI systems do this for a secret that does not exist. */
function isEmptyVariable(one: NeededReference, secrets: SecretSource): boolean {
  return one.kind === 'secret' && 'env' in one.reference && secrets.variable(one.reference.env) === ''
}
