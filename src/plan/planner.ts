import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Manifest } from '../manifest/manifest.js'
import type { JsonValue } from '../schema/json-schema.js'
import { canonical } from './canonical.js'
import { changedFields, createdFields } from './fields.js'
import type { Observation } from './observation.js'
import type { Action, Configure, Plan, Update } from './plan.js'
import type { ApplyRecord } from './record.js'
import { versionDiagnostics } from './site-version.js'

/** Everything that a plan is made from. */
export interface Situation {
  readonly desired: Manifest
  readonly observed: Observation
  readonly record: ApplyRecord
  /** Base URL of the site that was observed. */
  readonly url: string
  /** Digests of the files that the manifest names, by path. */
  readonly files: Readonly<Record<string, string>>
  /** Milliseconds since 1970. */
  readonly now: number
  readonly tool: string
}

/** A plan; or why there can be none: the site is in a state to be mended by people, or too old. */
export type Planned =
  | { readonly ok: true; readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly obstacle: Obstacle; readonly diagnostics: readonly Diagnostic[] }

export type Obstacle =
  | { readonly kind: 'site-failed'; readonly observed: Observation & { readonly kind: 'failed' } }
  | { readonly kind: 'site-unrecognized'; readonly observed: Observation & { readonly kind: 'unrecognized' } }
  | { readonly kind: 'site-too-old' }

const lifetimeMs = 24 * 60 * 60 * 1000

/** Plans the steps from the observed state to the desired one. Pure: the same situation gives the same plan. */
export function plan(situation: Situation): Planned {
  const { desired, observed, record, url, files, now, tool } = situation
  const diagnostics = versionDiagnostics(desired, observed)
  const impossible = obstacleOf(observed, diagnostics)
  if (impossible !== undefined) return { ok: false, obstacle: impossible, diagnostics }
  const configure = configureAction(desired, observed)
  const update = updateAction(desired, observed, record)
  const actions: readonly Action[] = update === undefined ? [configure] : [configure, update]
  return {
    ok: true,
    diagnostics,
    plan: {
      name: desired.name,
      url,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + lifetimeMs).toISOString(),
      binds: {
        manifest: desired.digest,
        files,
        origin: new URL(url).origin,
        site: { state: observed.kind, version: observed.version ?? null },
        record: record.serial,
        tool,
      },
      actions,
    },
  }
}

function obstacleOf(observed: Observation, diagnostics: readonly Diagnostic[]): Obstacle | undefined {
  if (observed.kind === 'failed') return { kind: 'site-failed', observed }
  if (observed.kind === 'unrecognized') return { kind: 'site-unrecognized', observed }
  return diagnostics.some(({ severity }) => severity === 'error') ? { kind: 'site-too-old' } : undefined
}

function configureAction(desired: Manifest, observed: Observation): Configure {
  if (observed.kind === 'ready')
    return { operation: 'configure', change: 'no-op', reason: 'already-configured' }
  if (observed.kind === 'in-progress')
    return { operation: 'configure', change: 'attach', reason: 'configuration-in-progress' }
  return {
    operation: 'configure',
    change: 'create',
    reason: 'not-configured',
    irreversible: true,
    organization: desired.organization,
    fields: createdFields(desired),
  }
}

/** Nothing when the manifest says nothing of upgrades: then the policy of the site is none of its business. */
function updateAction(desired: Manifest, observed: Observation, record: ApplyRecord): Update | undefined {
  const policy = desired.policy
  if (policy === undefined) return undefined
  const wanted = policy as unknown as JsonValue
  const set = (reason: (Update & { change: 'update' })['reason'], known?: JsonValue): Update => ({
    operation: 'update',
    change: 'update',
    reason,
    policy,
    ...(desired.site.token !== undefined && { token: desired.site.token }),
    fields: changedFields(desired, wanted, known),
  })
  if (observed.kind !== 'ready') return set('never-applied')
  const known = observed.policy.kind === 'read' ? observed.policy.value : record.policy?.value
  // A site that Landform created and set no policy on has none of ours; any other may have one.
  if (known === undefined) return set(record.organization === undefined ? 'cannot-be-read' : 'never-applied')
  return canonical(known) === canonical(policy)
    ? { operation: 'update', change: 'no-op', reason: 'policy-unchanged' }
    : set('policy-changed', known as unknown as JsonValue)
}
