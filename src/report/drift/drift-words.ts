import { type JsonPointer, splitPointer } from '../../diagnostics/pointer.js'
import {
  type Cause,
  countReportedCoverage,
  type Drift,
  type DriftField,
  type ReportedCoverage,
  type UnmanagedSetting,
} from '../../plan/drift/drift.js'
import { isUncompared } from '../../plan/fields/field-status.js'
import { display } from '../display.js'
import { uncomparedWords } from '../fields/coverage-text.js'
import { formatFieldPath } from '../fields/field-rows.js'

/** The cause of a difference. */
export const causeWords: Readonly<Record<Cause, string>> = {
  edited: 'edited since the last apply',
  'edited-since-assertion': 'edited since a person asserted it',
  'changed-on-site': 'changed on the site',
  both: 'edited since the last apply, and changed on the site',
  'not-recorded': 'no apply is recorded, so it is unknown which side changed',
}

/** The source of the other value of a difference. */
export const sourceWords: Readonly<
  Record<(DriftField & { readonly verdict: 'different' })['source'], string>
> = {
  site: 'on the site',
  record: 'at the last apply',
  assertion: 'as asserted',
}

const settingWords: Readonly<Record<UnmanagedSetting['setting'], string>> = {
  upgradeConfig: 'upgrade configuration',
  profile: 'architecture profile',
  logLevel: 'log settings',
  systemProperties: 'system properties',
}

/** Formats a setting of the site that is not in the manifest: its name and its kind. */
export function formatUnmanaged({ setting, name }: UnmanagedSetting): string {
  return `${name} (${settingWords[setting]})`
}

/** Formats the last line of a drift: the differences, the fields that were not compared, and those that cannot be verified. */
export function summarizeDrift(drift: Drift): string {
  const coverage = countReportedCoverage(drift)
  const { recorded, asserted, unknowable, percent } = coverage
  const dates = drift.fields.flatMap(field => (field.verdict === 'recorded' ? [field.appliedAt] : []))
  const assertions = drift.fields.flatMap(field => (field.verdict === 'asserted' ? [field.assertedAt] : []))
  const rest = [
    ...(recorded === 0
      ? []
      : [`${recorded} ${recorded === 1 ? 'matches' : 'match'} ${formatLastApply(dates)}`]),
    ...(asserted === 0
      ? []
      : [
          `${asserted} ${asserted === 1 ? 'matches' : 'match'} what a person asserted${formatDays(assertions)}`,
        ]),
    ...(unknowable === 0 ? [] : [`${unknowable} cannot be verified`]),
  ]
  const covered = `${percent} % of the fields are readable on the site.`
  const doubt = isUncompared(drift.fields) ? ` ${uncomparedWords}` : ''
  return `${[formatHeadline(coverage), ...rest].join('; ')}. ${covered}${doubt}`
}

function formatHeadline({ different, told, total }: ReportedCoverage): string {
  if (different > 0) return `${different} of ${total} fields ${different === 1 ? 'differs' : 'differ'}`
  if (told === 0) return `Warning: 0 of ${total} fields could be compared with the site`
  return `No drift in the ${told === 1 ? 'one field that is' : `${told} fields that are`} readable on the site`
}

/** Organization and policy are applied one after the other, perhaps on different days. */
function formatLastApply(dates: readonly string[]): string {
  const days = [...new Set(dates.map(extractDay))].sort()
  return days.length === 1 ? `the last apply on ${days[0]}` : `the last applies on ${days.join(' and ')}`
}

function formatDays(times: readonly string[]): string {
  return ` on ${[...new Set(times.map(extractDay))].sort().join(' and ')}`
}

/** Extracts the day of a time; a record that was edited by hand may have none. */
export function extractDay(time: string): string {
  return /^\d{4}-\d\d-\d\d(?=T)/.exec(time)?.[0] ?? 'an unknown day'
}

/** Groups fields by their part of `spec`, each with its count: a list that fits on a line. */
export function groupByPart(fields: readonly Pick<DriftField, 'pointer'>[]): readonly string[] {
  const parts = new Map<string, JsonPointer[]>()
  for (const { pointer } of fields) {
    const [, part = ''] = splitPointer(pointer)
    parts.set(part, [...(parts.get(part) ?? []), pointer])
  }
  return [...parts].map(([part, [only, ...others]]) =>
    only !== undefined && others.length === 0
      ? formatFieldPath(only)
      : `${display(part)} (${others.length + 1})`,
  )
}
