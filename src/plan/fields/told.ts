import { child, type JsonPointer } from '../../diagnostics/pointer.js'
import { fieldAround } from '../../schema/homes.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { memberOf } from '../../schema/member.js'
import type { Readable, SiteSettings } from '../observation.js'
import type { FieldChange } from '../plan.js'
import type { Situation } from '../situation.js'
import { changedFields } from './fields.js'
import { livePolicy } from './live.js'
import { policyAskedFor, policyPointer, profileOf } from './recorded.js'

/** The setting by which a site may tell a field, and what came of asking for it; most fields have none. */
export function settingFor(pointer: JsonPointer, settings: SiteSettings): Readable<unknown> | undefined {
  const { readBack } = fieldAround(pointer) ?? {}
  return readBack && settings[readBack]
}

/** The fields of which the site itself tells something else than the manifest says. */
export function toldDifferences(situation: Situation): readonly FieldChange[] {
  return [...told(situation)].flatMap(({ pointer, before, after }) =>
    changedFields(situation.desired, pointer, { before, after }),
  )
}

interface Told {
  readonly pointer: JsonPointer
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/** What the site tells of what the manifest names or the last apply set; the rest is not ours to compare. */
function* told(situation: Situation): Generator<Told> {
  const { desired, settings, record } = situation
  const { organization } = desired
  const policy = policyAskedFor(situation)
  const { profile, logLevel, systemProperties } = settings
  const applied = record.organization?.value
  if (profile.kind === 'read')
    yield { pointer: '/spec/profile', before: profile.value, after: profileOf(organization) }
  if (logLevel.kind === 'read' && (organization.logLevel ?? applied?.logLevel) !== undefined)
    yield { pointer: '/spec/logLevel', before: logLevel.value, after: organization.logLevel }
  if (systemProperties.kind === 'read') {
    const wanted = organization.systemProperties ?? {}
    for (const name of Object.keys({ ...applied?.systemProperties, ...wanted })) {
      const pointer = child('/spec/systemProperties', name)
      yield { pointer, before: memberOf(systemProperties.value, name), after: memberOf(wanted, name) }
    }
  }
  const before = livePolicy(settings)
  if (before !== undefined && policy !== undefined) yield { pointer: policyPointer, before, after: policy }
}
