import { type JsonPointer, segments } from '../../diagnostics/pointer.js'
import type { Cause, Drift, DriftField } from '../../plan/drift/drift.js'
import { toldCoverage } from '../../plan/drift/drift-document.js'
import type { Unmanaged } from '../../plan/drift/unmanaged.js'
import { display } from '../display.js'
import { pathOf } from '../fields/field-rows.js'

/** Why a field differs, as a person would say it. */
export const causeWords: Readonly<Record<Cause, string>> = {
  edited: 'edited since the last apply',
  'changed-on-site': 'changed on the site',
  both: 'edited since the last apply, and changed on the site',
  'not-recorded': 'no apply is recorded, so nothing tells which side changed',
}

const settingWords: Readonly<Record<Unmanaged['setting'], string>> = {
  upgradeConfig: 'upgrade configuration',
  profile: 'architecture profile',
  logLevel: 'log settings',
  systemProperties: 'system properties',
}

/** What the site has beside the manifest, by its name and where it stands there. */
export function unmanagedWords({ setting, name }: Unmanaged): string {
  return `${name} (${settingWords[setting]})`
}

/** The last line of a drift: what was found, what was not compared, and what nobody can know. */
export function driftSentence(drift: Drift): string {
  const { different, recorded, unknowable, told, total, percent } = toldCoverage(drift)
  const dates = drift.fields.flatMap(field => (field.verdict === 'recorded' ? [field.appliedAt] : []))
  const rest = [
    ...(recorded === 0
      ? []
      : [`${recorded} ${recorded === 1 ? 'is' : 'are'} as recorded ${lastApply(dates)}`]),
    ...(unknowable === 0 ? [] : [`${unknowable} nobody can know`]),
  ]
  const covered = `The site tells ${percent} % of the fields.`
  return `${[headline({ different, told, total }), ...rest].join('; ')}. ${covered}`
}

function headline({ different, told, total }: { different: number; told: number; total: number }): string {
  if (different > 0) return `${different} of ${total} fields ${different === 1 ? 'differs' : 'differ'}`
  if (told === 0) return `Nothing was compared with the site, which tells none of the ${total} fields`
  return `Nothing differs of the ${told === 1 ? 'one field' : `${told} fields`} that the site tells`
}

/** Organization and policy are applied one after the other, perhaps on different days. */
function lastApply(dates: readonly string[]): string {
  const days = [...new Set(dates.map(dayOf))].sort()
  return days.length === 1
    ? `at the last apply on ${days[0]}`
    : `at the last applies on ${days.join(' and ')}`
}

/** The day of a time; a record that somebody wrote by hand may have none. */
export function dayOf(time: string): string {
  return /^\d{4}-\d\d-\d\d(?=T)/.exec(time)?.[0] ?? 'an unknown day'
}

/** Fields by the part of `spec` that they belong to, with how many each has: a list that fits on a line. */
export function partsOf(fields: readonly Pick<DriftField, 'pointer'>[]): readonly string[] {
  const parts = new Map<string, JsonPointer[]>()
  for (const { pointer } of fields) {
    const [, part = ''] = segments(pointer)
    parts.set(part, [...(parts.get(part) ?? []), pointer])
  }
  return [...parts].map(([part, [only, ...others]]) =>
    only !== undefined && others.length === 0 ? pathOf(only) : `${display(part)} (${others.length + 1})`,
  )
}
