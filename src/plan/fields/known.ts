import { defaultProfile } from '../../contract/profiles.js'
import { appendSegment, isBelow, type JsonPointer } from '../../diagnostics/pointer.js'
import { findPlace } from '../../manifest/field-places.js'
import type { Manifest, Organization, PodPlacementPolicy } from '../../manifest/manifest.js'
import type { JsonObject, JsonValue } from '../../schema/json-schema.js'
import { readMember } from '../../schema/member.js'
import { findFieldAround } from '../../schema/parameter-paths.js'
import { compareValues, listLeaves } from '../compare/differences.js'
import { refersToSecret } from '../compare/meaning.js'
import type { Readable, SiteSettings } from '../observation.js'
import type { FieldChange } from '../plan.js'
import type { ApplyRecord } from '../record.js'
import type { Situation } from '../situation.js'
import { findLivePolicy } from './live.js'
import { findParameterPaths } from './parameter-paths.js'

export const policyPointer = '/spec/upgrade/podPlacementPolicy'

/** The profile of an organization: the service has a default, where no others stand in its place. Service §2.10. */
export function findProfile({ profile, deploymentProfiles }: Organization): string | undefined {
  return profile ?? (deploymentProfiles === undefined ? defaultProfile : undefined)
}

/**
 * What an organization is created with: with the default that counts where it names no profile, and without how a request
 * spells it.
 */
export function withProfile({ cloudSpelling: _, ...organization }: Organization): JsonObject {
  const profile = findProfile(organization)
  return { ...organization, ...(profile !== undefined && { profile }) }
}

/** What the last apply left behind about a field: nothing of a license whose digest it has not. */
export function findAppliedValue(
  { organization, policy }: ApplyRecord,
  pointer: JsonPointer,
): { readonly appliedAt: string } | undefined {
  if (isBelow(pointer, '/spec/upgrade')) return policy
  if (organization?.value === undefined) return undefined
  return isLicense(pointer) && organization.licenses?.[pointer] === undefined ? undefined : organization
}

/** The fields in which a manifest differs from the record of the last apply, as far as there is one. */
export function compareWithRecord(situation: Situation): readonly FieldChange[] {
  return [...listOrganizationEdits(situation), ...listPolicyEdits(situation)]
}

/**
 * What differs from what the organization was created with. A reference to a secret is no value, so that another one
 * says nothing; license files count by their bytes.
 */
export function listOrganizationEdits(situation: Situation): readonly FieldChange[] {
  const { desired, record } = situation
  const known = record.organization?.value
  if (known === undefined) return []
  const versions = { before: withProfile(known), after: withProfile(desired.organization) }
  return [
    ...listChangedFields(desired, '/spec', versions).filter(
      ({ pointer, before, after }) =>
        !isLicense(pointer) && !refersToSecret(pointer, before) && !refersToSecret(pointer, after),
    ),
    ...listLicenseEdits(situation),
  ]
}

function isLicense(pointer: JsonPointer): boolean {
  return isBelow(pointer, '/spec/license')
}

/** In a rehearsal there may be no file to compare. */
function listLicenseEdits({ desired, record, licenses }: Situation): readonly FieldChange[] {
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
export function findRequestedPolicy({
  desired,
  record,
}: Pick<Situation, 'desired' | 'record'>): PodPlacementPolicy | undefined {
  return desired.policy ?? (record.policy && { nodeAffinity: {}, tolerations: [] })
}

function listPolicyEdits(situation: Situation): readonly FieldChange[] {
  const { desired, record } = situation
  if (record.policy === undefined) return []
  return listChangedFields(desired, policyPointer, {
    before: record.policy.value,
    after: findRequestedPolicy(situation),
  })
}

/** What a value was and is to be. */
interface Versions {
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/** The fields that creating the organization sets, one a line of the manifest. */
export function listCreatedFields(manifest: Manifest): readonly FieldChange[] {
  const { cloudSpelling: _, ...fields } = manifest.organization
  return listLeaves(fields, '/spec').map(({ pointer, value }) => ({
    ...fieldAt(manifest, pointer),
    after: value,
  }))
}

/** The fields in which a part of a manifest differs from what is known of it; all of it where nothing is known. */
export function listChangedFields(
  manifest: Manifest,
  at: JsonPointer,
  { before: known, after: wanted }: Versions,
): readonly FieldChange[] {
  return compareValues(known, wanted, at).map(({ pointer, near, ...values }) => ({
    ...fieldAt(manifest, pointer, near),
    ...values,
  }))
}

/** A field, the parameter that carries it, and where it, or the nearest place around it, stands in the manifest. */
export function fieldAt(manifest: Manifest, pointer: JsonPointer, near = pointer) {
  const { file, start } = findPlace(manifest.places, near, 'key')
  const [carrier] = findParameterPaths(pointer)
  const parameter = carrier?.parameter ?? findProfileParameter(manifest, pointer) ?? ''
  return { pointer, parameter, file, line: start.line }
}

/** The parameter of a profile, which the manifest itself names. */
function findProfileParameter({ organization }: Manifest, pointer: JsonPointer): string | undefined {
  const profiles = Object.entries(organization.deploymentProfiles ?? {})
  return profiles.find(([name]) => isBelow(pointer, `/spec/deploymentProfiles/${name}`))?.[1].parameter
}

/** The setting by which a site may tell a field, and what came of asking for it; most fields have none. */
export function findSetting(pointer: JsonPointer, settings: SiteSettings): Readable<unknown> | undefined {
  const { readBack } = findFieldAround(pointer) ?? {}
  return readBack && settings[readBack]
}

/** The fields of which the site itself tells something else than the manifest says. */
export function compareWithSite(situation: Situation): readonly FieldChange[] {
  return [...listComparisons(situation)].flatMap(({ pointer, before, after }) =>
    listChangedFields(situation.desired, pointer, { before, after }),
  )
}

interface SiteComparison {
  readonly pointer: JsonPointer
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/** What the site tells of what the manifest names or the last apply set; the rest is not ours to compare. */
function* listComparisons(situation: Situation): Generator<SiteComparison> {
  const { desired, settings, record } = situation
  const { organization } = desired
  const policy = findRequestedPolicy(situation)
  const { profile, logLevel, systemProperties } = settings
  const applied = record.organization?.value
  const wantedProfile = findProfile(organization)
  if (profile.kind === 'read' && wantedProfile !== undefined)
    yield { pointer: '/spec/profile', before: profile.value, after: wantedProfile }
  if (logLevel.kind === 'read' && (organization.logLevel ?? applied?.logLevel) !== undefined)
    yield { pointer: '/spec/logLevel', before: logLevel.value, after: organization.logLevel }
  if (systemProperties.kind === 'read') {
    const wanted = organization.systemProperties ?? {}
    for (const name of Object.keys({ ...applied?.systemProperties, ...wanted })) {
      const pointer = appendSegment('/spec/systemProperties', name)
      yield { pointer, before: readMember(systemProperties.value, name), after: readMember(wanted, name) }
    }
  }
  const before = findLivePolicy(settings)
  if (before !== undefined && policy !== undefined) yield { pointer: policyPointer, before, after: policy }
}
