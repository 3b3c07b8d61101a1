import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { Result } from '../../result.js'
import type { Blocker } from '../blocker.js'
import { canonical } from '../canonical.js'
import { classifyFields } from '../fields/classify-fields.js'
import type { FieldAssessment } from '../fields/field-status.js'
import { compareWithRecord, findAppliedValue } from '../fields/known.js'
import type { Observation } from '../observation.js'
import type { FieldChange } from '../plan.js'
import { findBlocker } from '../planner.js'
import { diagnoseSettings } from '../settings-diagnostics.js'
import { diagnoseVersion } from '../site-version.js'
import type { Situation } from '../situation.js'
import { listUnmanagedSettings, type UnmanagedSetting } from './unmanaged.js'

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

export type DriftField = FieldAssessment & {
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
  readonly unmanaged: readonly UnmanagedSetting[]
}

/** Why there is nothing to compare. */
export type Incomparable =
  | Blocker
  | { readonly kind: 'not-configured' }
  | { readonly kind: 'in-progress'; readonly observed: Observation & { readonly kind: 'in-progress' } }

export type DriftReply = Result<Drift, Incomparable> & { readonly diagnostics: readonly Diagnostic[] }

/** Says of each field of a manifest how the site stands to it. Pure, and no step towards anything. */
export function computeDrift(situation: Situation): DriftReply {
  const { desired, observed, settings, url, now } = situation
  const diagnostics = [...diagnoseVersion(desired, observed), ...diagnoseSettings(desired, settings)]
  const because = findIncomparable(observed) ?? findBlocker(observed, diagnostics)
  if (because !== undefined) return { ok: false, error: because, diagnostics }
  const recorded = new Map(compareWithRecord(situation).map(edit => [edit.pointer, edit]))
  return {
    ok: true,
    diagnostics,
    value: {
      name: desired.name,
      manifest: desired.file,
      url,
      checkedAt: new Date(now).toISOString(),
      version: observed.version ?? null,
      fields: classifyFields(situation).map(field =>
        field.verdict === 'different'
          ? { ...field, cause: classifyCause(field, situation, recorded) }
          : field,
      ),
      unmanaged: listUnmanagedSettings(situation),
    },
  }
}

function findIncomparable(observed: Observation): Incomparable | undefined {
  if (observed.kind === 'not-configured') return { kind: 'not-configured' }
  return observed.kind === 'in-progress' ? { kind: 'in-progress', observed } : undefined
}

function classifyCause(
  { pointer, source, found }: FieldAssessment & { readonly verdict: 'different' },
  { record }: Situation,
  recorded: ReadonlyMap<JsonPointer, FieldChange>,
): Cause {
  const edit = recorded.get(pointer)
  if (source === 'record') return 'edited'
  if (edit === undefined)
    return findAppliedValue(record, pointer) === undefined ? 'not-recorded' : 'changed-on-site'
  return canonical(edit.before) === canonical(found) ? 'edited' : 'both'
}
