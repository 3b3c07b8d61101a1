import { defaultProfile } from '../../contract/profiles.js'
import { isBelow, type JsonPointer } from '../../diagnostics/pointer.js'
import type { Manifest, Organization, PodPlacementPolicy } from '../../manifest/manifest.js'
import { fieldSchema } from '../../schema/field-schema.js'
import type { JsonObject, JsonValue } from '../../schema/json-schema.js'
import type { FieldChange } from '../plan.js'
import type { ApplyRecord } from '../record.js'
import type { Situation } from '../situation.js'
import { changedFields, fieldAt, isReference } from './fields.js'

export const policyPointer = '/spec/upgrade/podPlacementPolicy'

/** The profile of an organization: the service has a default. Service §2.10. */
export function profileOf({ profile = defaultProfile }: Organization): string {
  return profile
}

/** An organization with the default that counts where it names no profile. */
export function withProfile(organization: Organization): JsonObject {
  return { ...organization, profile: profileOf(organization) }
}

/** What the last apply left behind about a field: nothing of a license whose digest it has not. */
export function appliedWith(
  { organization, policy }: ApplyRecord,
  pointer: JsonPointer,
): { readonly appliedAt: string } | undefined {
  if (isBelow(pointer, '/spec/upgrade')) return policy
  if (organization?.value === undefined) return undefined
  return isLicense(pointer) && organization.licenses?.[pointer] === undefined ? undefined : organization
}

/** The fields in which a manifest differs from the record of the last apply, as far as there is one. */
export function recordedDifferences(situation: Situation): readonly FieldChange[] {
  return [...organizationEdits(situation), ...policyEdits(situation)]
}

/**
 * What differs from what the organization was created with. A reference to a secret is no value, so that another one
 * says nothing; license files count by their bytes.
 */
export function organizationEdits(situation: Situation): readonly FieldChange[] {
  const { desired, record } = situation
  const known = record.organization?.value
  if (known === undefined) return []
  const versions = { before: withProfile(known), after: withProfile(desired.organization) }
  return [
    ...changedFields(desired, '/spec', versions).filter(
      ({ pointer, before, after }) =>
        !isLicense(pointer) && !refersToSecret(pointer, before) && !refersToSecret(pointer, after),
    ),
    ...licenseEdits(situation),
  ]
}

/** True where a field refers to a secret. The schema tells: a label by the name `env` has the same shape. */
export function refersToSecret(pointer: JsonPointer, value: JsonValue | undefined): boolean {
  return isReference(value) && fieldSchema(pointer)['x-reference'] !== undefined
}

function isLicense(pointer: JsonPointer): boolean {
  return isBelow(pointer, '/spec/license')
}

/** In a rehearsal there may be no file to compare. */
function licenseEdits({ desired, record, licenses }: Situation): readonly FieldChange[] {
  const known = record.organization?.licenses ?? {}
  const pointers = [...new Set([...Object.keys(known), ...Object.keys(licenses)])] as JsonPointer[]
  return pointers
    .filter(pointer => known[pointer] !== licenses[pointer])
    .filter(pointer => licenses[pointer] !== undefined || !namesLicense(desired, pointer))
    .filter(() => record.organization?.licenses !== undefined)
    .map(pointer => ({
      ...fieldAt(desired, pointer),
      ...(known[pointer] !== undefined && { before: known[pointer] }),
      ...(licenses[pointer] !== undefined && { after: licenses[pointer] }),
    }))
}

function namesLicense({ organization }: Manifest, pointer: JsonPointer): boolean {
  return pointer === '/spec/license/serverFile' ? organization.license.serverFile !== undefined : true
}

/**
 * The policy to compare with. A manifest that names none any more, after one of it was applied, asks for nothing where
 * there is something; that of a site which never had one of ours is none of its business.
 */
export function policyAskedFor({
  desired,
  record,
}: Pick<Situation, 'desired' | 'record'>): PodPlacementPolicy | undefined {
  return desired.policy ?? (record.policy && { nodeAffinity: {}, tolerations: [] })
}

function policyEdits(situation: Situation): readonly FieldChange[] {
  const { desired, record } = situation
  if (record.policy === undefined) return []
  return changedFields(desired, policyPointer, {
    before: record.policy.value,
    after: policyAskedFor(situation),
  })
}
