import { chartVolumeFields, splitLabel, storageGroups } from '../contract/configure-properties.js'
import { volumesWrapper } from '../contract/field-row.js'
import { hasForm, labelKeyForm, labelValueForm } from '../contract/kubernetes.js'
import {
  demand,
  numberOperators,
  podPlacementFields,
  preference,
  preferredTermFields,
  tolerationEffects,
} from '../contract/placement.js'
import { type VolumeComponent, volumeComponents, volumeFields } from '../contract/volumes.js'
import type { Notation, SamePart, Translation } from '../diagnostics/catalog/manifest-help.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { appendSegment, type JsonPointer, readLastSegment, readParent } from '../diagnostics/pointer.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import { isAt, places, placesInTerms } from './select.js'
import { formatYamlFlow, formatYamlMembers } from './yaml-text.js'

/** A part of a manifest in the notation of another program. */
interface OtherNotation {
  readonly notation: Notation
  /** The places of such a part, as patterns. */
  readonly at: readonly string[]
  /** Translates a part; `undefined` for a value in no such notation. */
  translate(part: FoundPart): Translation | undefined
}

/** A part of a manifest that its schema does not allow. */
interface FoundPart {
  readonly name: string
  readonly value: JsonValue
  /** The map or list around it. */
  readonly owner: JsonValue
}

const { policy, nodeAffinity } = places

/** Every known notation, with its translation. */
const notations: readonly OtherNotation[] = [
  { notation: 'pod', at: [`${policy}/affinity`], translate: unwrapAffinity },
  { notation: 'pod', at: [`${policy}/nodeSelector`], translate: requireLabels },
  {
    notation: 'pod',
    at: podPlacementFields.flatMap(name => [`${policy}/${name}`, `${nodeAffinity}/${name}`]),
    translate: () => ({ kind: 'nothing' }),
  },
  {
    notation: 'pod',
    at: Object.keys(preferredTermFields).map(name => `${nodeAffinity}/${preference}/${name}`),
    translate: ({ owner }) => ({
      kind: 'around',
      yaml: formatYamlFlow([owner]),
      gives: ['nodeSelectorTerms'],
    }),
  },
  { notation: 'pod', at: placesInTerms('matchLabels'), translate: matchLabels },
  { notation: 'pod', at: placesInTerms('matchExpressions/*/operator'), translate: compareNumbers },
  { notation: 'taint', at: [places.tolerations], translate: tolerateTaint },
  { notation: 'taint', at: [places.tolerationList], translate: tolerateTaints },
  { notation: 'service', at: ['/spec/volumes'], translate: keyByComponent },
  {
    notation: 'service',
    at: [`/spec/volumes/${volumesWrapper}`],
    translate: ({ value, owner }) => {
      const volumes = readByComponent(value)
      return volumes && writeMembers(volumes.map, owner, volumes.exact)
    },
  },
  { notation: 'chart', at: [places.volumes], translate: nameComponents },
  {
    notation: 'claim',
    at: [`${places.volumes}/storageClassName`],
    translate: ({ value, owner }) => writeMembers({ storageClass: value }, owner),
  },
  { notation: 'chart', at: [`${places.volumes}/*`], translate: renameVolumeField },
]

/** A diagnostic about another notation, and the fields that its translation has. */
export interface FoundNotation {
  readonly diagnostic: Diagnostic
  readonly gives: readonly string[]
}

/** Where a part of a manifest was found, and its source text. */
interface NotationContext {
  readonly owner: JsonValue
  readonly field: string
  written(pointer: JsonPointer): string | undefined
}

/** Diagnoses a part that its schema does not allow and another program does; `undefined` for any other. */
export function diagnoseOtherNotation(
  pointer: JsonPointer,
  value: JsonValue,
  { owner, field, written }: NotationContext,
): FoundNotation | undefined {
  const name = readLastSegment(pointer)
  for (const { notation, at, translate } of notations) {
    if (!at.some(pattern => isAt(pointer, pattern))) continue
    const shown = hideAliases(value, pointer, written)
    const found = translate({ name, value: shown, owner: hideAliases(owner, readParent(pointer), written) })
    if (found === undefined) continue
    // What an alias stands for is not repeated, so its translation is not complete.
    const isHidden = JSON.stringify(shown) !== JSON.stringify(value)
    const translation = isHidden && found.kind === 'same' ? { ...found, exact: false } : found
    const diagnostic = diagnose('manifest/other-notation', pointer, { field, notation, translation })
    return { diagnostic, gives: 'gives' in found ? found.gives : [] }
  }
  return undefined
}

/** Replaces the scalars of aliases, which may stand for secrets. */
function hideAliases(value: JsonValue, pointer: JsonPointer, written: NotationContext['written']): JsonValue {
  if (Array.isArray(value))
    return value.map((one: JsonValue, at) => hideAliases(one, appendSegment(pointer, at), written))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        hideAliases(one, appendSegment(pointer, key), written),
      ]),
    )
  return written(pointer) === undefined ? '…' : value
}

/** Translates to members of the map around, exactly if none of them is there already. */
function writeMembers(members: JsonObject, owner: JsonValue, exact = true): SamePart {
  const gives = Object.keys(members)
  const isFree = isObject(owner) && gives.every(name => !Object.hasOwn(owner, name))
  return { kind: 'same', part: 'member', yaml: formatYamlMembers(members), exact: exact && isFree, gives }
}

function writeValue(value: JsonValue, exact = true): SamePart {
  return { kind: 'same', part: 'value', yaml: formatYamlFlow(value), exact, gives: [] }
}

/** Node affinity is what the policy has of the affinity of a pod. */
function unwrapAffinity({ value, owner }: FoundPart): Translation {
  const { nodeAffinity, ...others } = isObject(value) ? value : {}
  if (nodeAffinity === undefined) return { kind: 'nothing' }
  const without = Object.keys(others)
  return { ...writeMembers({ nodeAffinity }, owner, without.length === 0), without }
}

/** A node selector requires labels, as required node affinity does. */
function requireLabels({ value, owner }: FoundPart): Translation {
  const { expressions, exact } = compareLabels(value)
  if (expressions.length === 0) return { kind: 'nothing' }
  if (isObject(owner) && ('nodeAffinity' in owner || 'affinity' in owner))
    return { kind: 'each-term', yaml: expressions.map(formatYamlFlow).join(', ') }
  const nodeSelectorTerms = [{ matchExpressions: expressions }]
  return writeMembers({ nodeAffinity: { [demand]: { nodeSelectorTerms } } }, owner, exact)
}

function matchLabels({ value, owner }: FoundPart): Translation | undefined {
  const { expressions, exact } = compareLabels(value)
  return expressions.length === 0 ? undefined : writeMembers({ matchExpressions: expressions }, owner, exact)
}

function compareLabels(labels: JsonValue) {
  const pairs = isObject(labels) ? Object.entries(labels) : []
  return {
    expressions: pairs.flatMap(([key, value]) =>
      typeof value === 'object' ? [] : { key, operator: 'In', values: [`${value}`] },
    ),
    // Kubernetes takes text alone, and a number may have another spelling.
    exact: pairs.every(([, value]) => typeof value === 'string'),
  }
}

function compareNumbers({ value, owner }: FoundPart): Translation | undefined {
  if (typeof value !== 'string' || !numberOperators.includes(value)) return undefined
  const key = isObject(owner) && typeof owner['key'] === 'string' ? owner['key'] : undefined
  return { kind: 'comparison', operator: value, key }
}

function tolerateTaint({ value }: FoundPart): Translation | undefined {
  const toleration = parseTaint(value)
  return toleration && writeValue(toleration)
}

function tolerateTaints({ value }: FoundPart): Translation | undefined {
  const tolerations = typeof value === 'string' ? value.split(',').map(text => parseTaint(text.trim())) : []
  const known = tolerations.filter(one => one !== undefined)
  return known.length > 0 && known.length === tolerations.length ? writeValue(known) : undefined
}

/** Parses a taint as `kubectl taint` takes it and `kubectl describe` prints it: `key=value:Effect` or `key:Effect`. */
function parseTaint(text: JsonValue): JsonObject | undefined {
  const [, key = '', value, effect = ''] =
    /^([^=:\s]+)(?:=([^=:\s]*))?:(\w+)$/.exec(typeof text === 'string' ? text : '') ?? []
  if (!hasForm(key, labelKeyForm) || !hasForm(value ?? '', labelValueForm)) return undefined
  if (!tolerationEffects.some(known => known === effect)) return undefined
  return {
    key,
    operator: value === undefined ? 'Exists' : 'Equal',
    ...(value !== undefined && { value }),
    effect,
  }
}

/** The service has a list of entries, each with its component. Service §2.4. */
function keyByComponent({ value }: FoundPart): Translation | undefined {
  const volumes = readByComponent(value)
  return volumes && writeValue(volumes.map, volumes.exact)
}

function readByComponent(value: JsonValue) {
  const entries: readonly JsonValue[] = Array.isArray(value) ? value : []
  const known = entries.flatMap(entry => {
    const { component, ...fields } = isObject(entry) ? entry : {}
    return isComponent(component) ? [[component, fields] as const] : []
  })
  if (known.length === 0) return undefined
  const map = Object.fromEntries(known)
  return { map, exact: Object.keys(map).length === entries.length }
}

function isComponent(name: JsonValue | undefined): name is VolumeComponent {
  return volumeComponents.some(known => known === name)
}

/** Lists the components of a storage group of the vendor's chart, script or module. */
export function listGroupComponents(group: string): readonly VolumeComponent[] {
  const name = group.toUpperCase()
  return Object.hasOwn(storageGroups, name) ? storageGroups[name as keyof typeof storageGroups] : []
}

function nameComponents({ name, value, owner }: FoundPart): Translation | undefined {
  const components = listGroupComponents(name)
  if (components.length === 0) return undefined
  const { volume, exact } = translateVolume(value)
  return writeMembers(Object.fromEntries(components.map(one => [one, volume])), owner, exact)
}

/** Translates the fields of a volume, in the spelling of the chart or of a manifest. */
function translateVolume(value: JsonValue): { readonly volume: JsonValue; readonly exact: boolean } {
  if (!isObject(value)) return { volume: value, exact: false }
  let exact = true
  const volume: Record<string, JsonValue> = {}
  const labels: Record<string, JsonValue> = {}
  for (const [key, one] of Object.entries(value)) {
    const field = Object.hasOwn(volumeFields, key) ? key : chartVolumeFields.get(key)
    const label = field === 'labels' && typeof one === 'string' ? splitLabel(one) : undefined
    // The chart writes an empty text for a field without a value.
    if (one === '' && field !== undefined) continue
    if (label !== undefined) labels[label[0]] = label[1]
    else if (field === 'labels' && isObject(one)) Object.assign(labels, one)
    else {
      if (field === undefined || field === 'labels' || field === 'component' || field in volume) exact = false
      volume[field ?? key] = one
    }
  }
  return { volume: { ...volume, ...(Object.keys(labels).length > 0 && { labels }) }, exact }
}

function renameVolumeField({ name, value, owner }: FoundPart): Translation | undefined {
  if (!chartVolumeFields.has(name) || Object.hasOwn(volumeFields, name)) return undefined
  const { volume, exact } = translateVolume({ [name]: value })
  const members = isObject(volume) ? volume : {}
  return Object.keys(members).length === 0 ? undefined : writeMembers(members, owner, exact)
}
