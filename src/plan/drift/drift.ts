import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { Result } from '../../result.js'
import { canonical } from '../canonical.js'
import { fieldVerdicts } from '../fields/field-verdicts.js'
import { appliedWith, recordedDifferences } from '../fields/known.js'
import type { FieldVerdict } from '../fields/verdict.js'
import type { Observation } from '../observation.js'
import type { Obstacle } from '../obstacle.js'
import type { FieldChange } from '../plan.js'
import { obstacleOf } from '../planner.js'
import { settingsDiagnostics } from '../settings-diagnostics.js'
import { versionDiagnostics } from '../site-version.js'
import type { Situation } from '../situation.js'
import { type Unmanaged, unmanagedSettings } from './unmanaged.js'

/** Which side of a difference was changed since the last apply. */
export type Cause =
  /** The manifest: the site, or else the record, is as the last apply left it. */
  | 'edited'
  /** The site: the manifest says what was applied last. */
  | 'changed-on-site'
  /** Manifest and site, each in its own way. */
  | 'both'
  /** No apply is recorded, so nothing tells. */
  | 'not-recorded'

export type DriftField = FieldVerdict & {
  /** Only of what differs. */
  readonly cause?: Cause
}

/** How a site stands to its manifest. It has no actions: a drift is not a plan. */
export interface Drift {
  /** Name of the manifest. */
  readonly name: string
  /** The manifest file, as it was named. */
  readonly manifest: string
  /** Base URL of the site. */
  readonly url: string
  readonly checkedAt: string
  readonly version: string | null
  readonly fields: readonly DriftField[]
  /** What the site tells beside the manifest; that it does is no drift. */
  readonly unmanaged: readonly Unmanaged[]
}

/** Why there is nothing to compare. */
export type Incomparable =
  | Obstacle
  | { readonly kind: 'not-configured' }
  | { readonly kind: 'in-progress'; readonly observed: Observation & { readonly kind: 'in-progress' } }

export type Compared = Result<Drift, Incomparable> & { readonly diagnostics: readonly Diagnostic[] }

/** Says of each field of a manifest how the site stands to it. Pure, and no step towards anything. */
export function driftOf(situation: Situation): Compared {
  const { desired, observed, settings, url, now } = situation
  const diagnostics = [...versionDiagnostics(desired, observed), ...settingsDiagnostics(desired, settings)]
  const because = incomparable(observed) ?? obstacleOf(observed, diagnostics)
  if (because !== undefined) return { ok: false, error: because, diagnostics }
  const recorded = new Map(recordedDifferences(situation).map(edit => [edit.pointer, edit]))
  return {
    ok: true,
    diagnostics,
    value: {
      name: desired.name,
      manifest: desired.file,
      url,
      checkedAt: new Date(now).toISOString(),
      version: observed.version ?? null,
      fields: fieldVerdicts(situation).map(field =>
        field.verdict === 'different' ? { ...field, cause: causeOf(field, situation, recorded) } : field,
      ),
      unmanaged: unmanagedSettings(situation),
    },
  }
}

function incomparable(observed: Observation): Incomparable | undefined {
  if (observed.kind === 'not-configured') return { kind: 'not-configured' }
  return observed.kind === 'in-progress' ? { kind: 'in-progress', observed } : undefined
}

function causeOf(
  { pointer, source, found }: FieldVerdict & { readonly verdict: 'different' },
  { record }: Situation,
  recorded: ReadonlyMap<JsonPointer, FieldChange>,
): Cause {
  const edit = recorded.get(pointer)
  if (source === 'record') return 'edited'
  if (edit === undefined)
    return appliedWith(record, pointer) === undefined ? 'not-recorded' : 'changed-on-site'
  return canonical(edit.before) === canonical(found) ? 'edited' : 'both'
}
