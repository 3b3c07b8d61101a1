import type { SettingName } from '../../contract/readings.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Result } from '../../result.js'
import type { JsonPointer } from '../../schema/pointer.js'
import { canonical } from '../canonical.js'
import { classifyFields } from '../fields/classify-fields.js'
import { compareWithRecord, findAppliedValue, findRequestedPolicy, selectApplied } from '../fields/known.js'
import { listOtherPaths, type Observation, selectOtherSettings, selectRead } from '../observation.js'
import {
  type Blocker,
  type Coverage,
  countCoverage,
  type FieldAssessment,
  type FieldChange,
} from '../plan.js'
import { diagnoseSettings, diagnoseVersion, findBlocker, findReplacedSite } from '../planner.js'
import { withholdTexts } from '../site-texts.js'
import type { Situation } from '../situation.js'

/** The side that changed since the last apply, and so caused a difference. */
export type Cause =
  /** The manifest changed: the site, or the record if the site does not report the field, is as the last apply left it. */
  | 'edited'
  /** The manifest changed, or a person's assertion is wrong; the site does not report the field. */
  | 'edited-since-assertion'
  /** The site changed: the manifest is as it was last applied. */
  | 'changed-on-site'
  /** Both changed, to different values. */
  | 'both'
  /** Unknown: no apply of the field is recorded. */
  | 'not-recorded'

export type DriftField = FieldAssessment & {
  /** Present only for a difference. */
  readonly cause?: Cause
}

/** A setting that a site reports and its manifest does not set. The value is left out, as it may be confidential. */
interface UnmanagedSetting {
  readonly setting: SettingName
  /** Its name in the setting. */
  readonly name: string
}

/** The differences between a site and its manifest. It has no actions: a drift is not a plan. */
export interface Drift {
  /** Name of the manifest. */
  readonly name: string
  /** The manifest file, as the user named it. */
  readonly manifest: string
  /** Base URL of the site. */
  readonly url: string
  readonly checkedAt: string
  readonly version: string | null
  readonly fields: readonly DriftField[]
  /** Settings that the site reports and the manifest does not set; they do not count as drift. */
  readonly unmanaged: readonly UnmanagedSetting[]
}

/** A reason why a site cannot be compared with its manifest. */
export type Incomparable =
  | Blocker
  | { readonly kind: 'not-configured' }
  | { readonly kind: 'in-progress'; readonly observed: Observation & { readonly kind: 'in-progress' } }

type DriftReply = Result<Drift, Incomparable> & { readonly diagnostics: readonly Diagnostic[] }

/** Compares each field of a manifest with the site. Pure; it plans and changes nothing. */
export function computeDrift(situation: Situation): DriftReply {
  const { desired, observed, settings, url, now } = situation
  const diagnostics = [...diagnoseVersion(desired, observed), ...diagnoseSettings(desired, settings)]
  const because =
    findIncomparable(observed) ?? findBlocker(observed, diagnostics) ?? findReplacedSite(situation)
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
      ...withholdTexts(
        {
          fields: classifyFields(situation).map(field =>
            field.verdict === 'different'
              ? { ...field, cause: classifyCause(field, situation, recorded) }
              : field,
          ),
          unmanaged: listUnmanagedSettings(situation),
        },
        situation,
      ),
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
  if (source !== 'site') return source === 'record' ? 'edited' : 'edited-since-assertion'
  if (edit === undefined)
    return findAppliedValue(record, pointer) === undefined ? 'not-recorded' : 'changed-on-site'
  return canonical(edit.before) === canonical(found) ? 'edited' : 'both'
}

/** The coverage of a drift, with the number of fields that the site itself reported. */
export interface ReportedCoverage extends Coverage {
  readonly told: number
  /** The reported fields, in whole percent of all fields, rounded down. */
  readonly percent: number
}

/** Counts the fields that the site itself reported, equal or different. */
export function countReportedCoverage({ fields }: Pick<Drift, 'fields'>): ReportedCoverage {
  const coverage = countCoverage(fields)
  const ofSite = fields.filter(field => field.verdict === 'different' && field.source === 'site').length
  const reported = coverage.equal + ofSite
  return { ...coverage, told: reported, percent: Math.floor((100 * reported) / Math.max(1, coverage.total)) }
}

/** Builds the machine form of a drift; its schema is `schemas/drift.schema.json`. */
export function driftDocument(drift: Drift) {
  return { formatVersion: 1, ...drift, coverage: countReportedCoverage(drift) } as const
}

/** Lists the settings that a site reports, but neither its manifest nor the last apply sets. */
function listUnmanagedSettings(situation: Situation): readonly UnmanagedSetting[] {
  const { desired, settings, record } = situation
  const { organization } = desired
  const policy = findRequestedPolicy(situation)
  const { deploymentProfiles, logLevel, systemProperties } = organization
  const applied = selectApplied(record)
  const isOurs = (name: string) =>
    [systemProperties, applied?.systemProperties].some(set => set && Object.hasOwn(set, name))
  const list = (setting: SettingName, listNames: (value: object) => readonly string[]) => {
    const value = selectRead<unknown>(settings[setting])
    return value === undefined ? [] : listNames(Object(value)).map(name => ({ setting, name }))
  }
  const listIf = (isUnmanaged: boolean, setting: SettingName) =>
    list(setting, () => (isUnmanaged ? [setting] : []))
  return [
    ...listIf(deploymentProfiles?.availability === undefined, 'availability'),
    ...listIf(deploymentProfiles?.performance === undefined, 'performance'),
    ...list('upgradeConfig', config =>
      policy === undefined ? Object.keys(config) : listOtherPaths(selectOtherSettings(settings)),
    ),
    ...listIf((logLevel ?? applied?.logLevel) === undefined, 'logLevel'),
    ...list('systemProperties', properties => Object.keys(properties).filter(name => !isOurs(name))),
  ]
}
