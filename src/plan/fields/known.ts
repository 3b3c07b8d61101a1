import { defaultProfile } from '../../contract/profiles.js'
import { type SettingName, settingNames, settingReadings } from '../../contract/readings.js'
import { findLine } from '../../manifest/field-places.js'
import type { Manifest, PodPlacementPolicy, RecordedOrganization } from '../../manifest/manifest.js'
import { isObject, type JsonObject, type JsonValue } from '../../schema/json-schema.js'
import { findParameterPaths } from '../../schema/parameter-paths.js'
import {
  appendSegment,
  isBelow,
  type JsonPointer,
  readLastSegment,
  splitPointer,
} from '../../schema/pointer.js'
import { listMembers, readMember } from '../../schema/select.js'
import { compareValues, listLeaves } from '../compare/differences.js'
import { refersToSecret } from '../compare/meaning.js'
import { findLivePolicy, type Readable, type SiteSettings, selectRead } from '../observation.js'
import type { FieldChange } from '../plan.js'
import type { ApplyRecord, Assertion, Situation } from '../situation.js'

export const policyPointer = '/spec/upgrade/podPlacementPolicy'

/** Tests for the placement policy and its parts, which `update` sets; `configure` sets everything else. */
export function isPolicyPart(pointer: JsonPointer): boolean {
  return isBelow(pointer, '/spec/upgrade')
}

/** Returns the profile of an organization: the default of the service unless other profiles are set. Service §2.10. */
function findProfile({ profile, deploymentProfiles }: RecordedOrganization): string | undefined {
  return profile ?? (deploymentProfiles === undefined ? defaultProfile : undefined)
}

/**
 * Builds the values that an organization is created with. Adds the default profile if none is set, and removes the spelling
 * of its cloud parameters, which matters only for the request.
 */
export function withProfile({ cloudSpelling: _, ...organization }: RecordedOrganization): JsonObject {
  const profile = findProfile(organization)
  return { ...organization, ...(profile !== undefined && { profile }) }
}

/** The time at which the value of a field was recorded, by an apply or a person's assertion. */
interface RecordedField {
  readonly appliedAt: string
  readonly assertion?: Omit<Assertion, 'pointer'>
}

/** Finds the apply or assertion that recorded a field; `undefined` for a license whose digest was not recorded. */
export function findAppliedValue(record: ApplyRecord, pointer: JsonPointer): RecordedField | undefined {
  const { organization, policy } = record
  const part = isPolicyPart(pointer) ? policy : organization
  if (part === undefined) return undefined
  const { appliedAt } = part
  const assertion = findAssertion(record, pointer)
  const recorded = { appliedAt, ...(assertion && { assertion }) }
  if (part === policy || organization === undefined) return recorded
  if (isLicense(pointer) && organization.licenses?.[pointer] === undefined) return undefined
  return organization.asserted && !isAsserted(organization.value, pointer) ? undefined : recorded
}

/** Finds the assertion about a field: that of the nearest part around it. */
export function findAssertion(
  { organization, assertions = [] }: ApplyRecord,
  pointer: JsonPointer,
): Omit<Assertion, 'pointer'> | undefined {
  const [nearest] = assertions
    .filter(one => isBelow(pointer, one.pointer) && isPolicyPart(pointer) === isPolicyPart(one.pointer))
    .toSorted((a, b) => b.pointer.length - a.pointer.length)
  if (nearest !== undefined) {
    const { pointer: _, ...assertion } = nearest
    return assertion
  }
  const isOthers = organization?.asserted && !isPolicyPart(pointer)
  return isOthers ? { assertedAt: organization.appliedAt } : undefined
}

/**
 * Selects the values of the organization that Landform manages even if the manifest leaves them out: those of its last apply.
 * An assertion does not cover fields that the manifest leaves out.
 */
export function selectApplied({ organization }: ApplyRecord): RecordedOrganization | undefined {
  return organization?.asserted ? undefined : organization?.value
}

/** Tests whether an assertion has a value at a pointer. Asserted lists are known as a whole. */
function isAsserted(known: RecordedOrganization, pointer: JsonPointer): boolean {
  let value: JsonValue | undefined = { spec: { ...known } }
  for (const segment of splitPointer(pointer)) {
    if (!isObject(value)) return value !== undefined
    value = readMember(value, segment)
  }
  return value !== undefined
}

/** Lists the fields in which a manifest differs from the record of the last apply; empty without a record. */
export function compareWithRecord(situation: Situation): readonly FieldChange[] {
  return [...listOrganizationEdits(situation), ...listPolicyEdits(situation)]
}

/**
 * Lists the differences from the values that the organization was created with. References to secrets are not compared,
 * because another reference may point to the same secret. License files are compared by their bytes.
 */
export function listOrganizationEdits(situation: Situation): readonly FieldChange[] {
  const { desired, record } = situation
  const { value: known, asserted } = record.organization ?? {}
  if (known === undefined) return []
  // A value that was not asserted is unknown, and does not count as its default.
  const before: JsonObject = asserted ? { ...known } : withProfile(known)
  const wanted = withProfile(desired.organization)
  return [
    ...listChangedFields(desired, '/spec', { before, after: wanted }).filter(
      ({ pointer, before, after }) =>
        (!asserted || (isAsserted(known, pointer) && !isLeftOut(wanted, pointer))) &&
        !isLicense(pointer) &&
        !refersToSecret(pointer, before) &&
        !refersToSecret(pointer, after),
    ),
    ...listLicenseEdits(situation),
  ]
}

/** Tests whether the manifest leaves out a field. A removed element of a list does not count as left out. */
function isLeftOut(wanted: JsonObject, pointer: JsonPointer): boolean {
  let value: JsonValue | undefined = { spec: wanted }
  for (const segment of splitPointer(pointer)) {
    if (Array.isArray(value)) return false
    value = readMember(value, segment)
    if (value === undefined) return true
  }
  return false
}

function isLicense(pointer: JsonPointer): boolean {
  return isBelow(pointer, '/spec/license')
}

/** Lists the licenses that differ by digest. A license file that is missing, as in a rehearsal, is not compared. */
function listLicenseEdits({ desired, record, licenses }: Situation): readonly FieldChange[] {
  const known = record.organization?.licenses ?? {}
  const pointers = [...new Set([...Object.keys(known), ...Object.keys(licenses)])] as JsonPointer[]
  const { serverFile } = desired.organization.license
  const isNamed = (pointer: JsonPointer) => pointer !== '/spec/license/serverFile' || serverFile !== undefined
  return (
    pointers
      .filter(pointer => known[pointer] !== licenses[pointer])
      .filter(pointer => licenses[pointer] !== undefined || !isNamed(pointer))
      .filter(() => record.organization?.licenses !== undefined)
      // A license of an adopted site is unknown unless it was asserted.
      .filter(
        pointer => !record.organization?.asserted || (known[pointer] && licenses[pointer]) !== undefined,
      )
      .map(pointer => ({
        ...fieldAt(desired, pointer),
        ...(known[pointer] !== undefined && { before: known[pointer] }),
        ...(licenses[pointer] !== undefined && { after: licenses[pointer] }),
      }))
  )
}

/**
 * Returns the policy to compare with. If a policy was applied and the manifest no longer has one, an empty policy is
 * requested; if none was ever applied, the policy of the site is not compared.
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

interface Versions {
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/** Lists the fields that creating the organization sets. */
export function listCreatedFields(manifest: Manifest): readonly FieldChange[] {
  const { cloudSpelling: _, ...fields } = manifest.organization
  return listLeaves(fields, '/spec').map(({ pointer, value }) => ({
    ...fieldAt(manifest, pointer),
    after: value,
  }))
}

/** Lists the fields in which a part of a manifest differs from its known value; all fields without a known value. */
export function listChangedFields(
  manifest: Manifest,
  at: JsonPointer,
  { before: known, after: wanted }: Versions,
): readonly FieldChange[] {
  return compareValues(known, wanted, at).map(({ pointer, near, ...values }) => {
    const { parameter, file, line, default: isDefault } = fieldAt(manifest, pointer, near)
    // A removed field is not a default, although it has no line of its own either.
    const isByDefault = isDefault && values.after !== undefined
    return { pointer, parameter, file, line, ...values, ...(isByDefault && { default: isDefault }) }
  })
}

/** Describes a field: its request parameter, and the file and line of the field or of the nearest place around it. */
export function fieldAt(manifest: Manifest, pointer: JsonPointer, near = pointer) {
  const { file, line, isOwn } = findLine(manifest.places, near)
  const [carrier] = findParameterPaths(pointer)
  const parameter = carrier?.parameter ?? findProfileParameter(manifest, pointer) ?? ''
  return { pointer, parameter, file, line, ...(!isOwn && { default: true as const }) }
}

/** Finds the request parameter of a deployment profile: the manifest itself names it. */
function findProfileParameter({ organization }: Manifest, pointer: JsonPointer): string | undefined {
  const profiles = Object.entries(organization.deploymentProfiles ?? {})
  return profiles.find(([name]) => isBelow(pointer, `/spec/deploymentProfiles/${name}`))?.[1].parameter
}

/** Finds the site setting that contains a field, with the result of reading it; `undefined` for most fields. */
export function findSetting(pointer: JsonPointer, settings: SiteSettings): Readable<unknown> | undefined {
  const name = settingNames.find(one => isBelow(pointer, settingReadings[one].field))
  if (name !== 'cloudStorage') return name && settings[name]
  const { cloudStorage } = settings
  const isReported =
    cloudStorage.kind !== 'read' || listReportedNames(cloudStorage).has(readLastSegment(pointer))
  return isReported && !splitPointer(pointer).includes('secret') ? cloudStorage : undefined
}

/**
 * Lists the members of cloud storage whose absence in a response is significant: those on the documented page, and those that
 * the site reports anywhere.
 */
function listReportedNames(setting: SiteSettings['cloudStorage']): ReadonlySet<string> {
  return new Set([settingReadings.cloudStorage.printed, selectRead(setting) ?? []].flatMap(listNames))
}

function listNames(value: JsonValue): readonly string[] {
  return listMembers(value).flatMap(([name, one]) => [name, ...listNames(one)])
}

/** Selects the members that a site can report. The others, secrets above all, must not count as differences. */
function selectReported(value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (Array.isArray(value)) return value.map(one => selectReported(one, names))
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([name]) => names.has(name) && name !== 'secret')
  return Object.fromEntries(members.map(([name, one]) => [name, selectReported(one, names)]))
}

/**
 * Lists the fields for which the site reports another value than the manifest. Only settings that the manifest or the last
 * apply set are compared.
 */
export function compareWithSite(situation: Situation): readonly FieldChange[] {
  const { desired, settings, record } = situation
  const {
    deploymentProfiles: { availability, performance } = {},
    cloudStorage = [],
    systemProperties = {},
    logLevel,
  } = desired.organization
  const applied = selectApplied(record)
  const compare = (name: SettingName, after: JsonValue | undefined, isNamed = after !== undefined) => {
    const before = selectRead<unknown>(settings[name]) as JsonValue | undefined
    const pointer = settingReadings[name].field
    return before !== undefined && isNamed ? listChangedFields(desired, pointer, { before, after }) : []
  }
  const reported = listReportedNames(settings.cloudStorage)
  const properties = selectRead(settings.systemProperties)
  const [before, policy] = [findLivePolicy(settings), findRequestedPolicy(situation)]
  return [
    ...compare('profile', findProfile(desired.organization)),
    ...compare('availability', availability?.name),
    ...compare('performance', performance?.name),
    // Compared even if the manifest has no cloud storage: such a site keeps its objects in the cluster.
    ...compare('cloudStorage', selectReported(cloudStorage as JsonValue, reported)),
    ...compare('logLevel', logLevel, (logLevel ?? applied?.logLevel) !== undefined),
    ...Object.keys(properties ? { ...applied?.systemProperties, ...systemProperties } : {}).flatMap(name =>
      listChangedFields(desired, appendSegment('/spec/systemProperties', name), {
        before: readMember(properties, name),
        after: readMember(systemProperties, name),
      }),
    ),
    ...(before && policy ? listChangedFields(desired, policyPointer, { before, after: policy }) : []),
  ]
}
