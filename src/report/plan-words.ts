import type { SettingName } from '../contract/readings.js'
import type { UncheckedReference } from '../diagnostics/reference-defect.js'
import { type Wording, wordingFor } from '../diagnostics/wording.js'
import { type ImmutablePart, listEmptiedFields, listImmutableParts } from '../plan/fields/lifetime.js'
import type { Observation } from '../plan/observation.js'
import {
  type Action,
  type Coverage,
  countCoverage,
  type DifferentField,
  type ImmutableEdit,
  isObserved,
  listAssertableEdits,
  listBlockingEdits,
  listLeftDifferences,
  type Plan,
  summarizePlan,
} from '../plan/plan.js'
import type { StaleFact } from '../plan/saved/bindings.js'
import { findFieldSchema } from '../schema/field-schema.js'
import { appendSegment, formatDotted, isBelow, type JsonPointer, splitPointer } from '../schema/pointer.js'
import { display } from './display.js'
import { formatNumber, listTexts, type Phrase, phrase, words } from './phrase.js'
import { shellWord } from './shell-word.js'

/** The result of a plan, in this order of precedence. */
export type Decision = 'blocked' | 'create' | 'resume' | 'update' | 'differs' | 'unrecorded' | 'nothing'

/** Classifies the result of a plan. */
export function classifyPlan(plan: Plan): Decision {
  const is = (change: Action['change']) => plan.actions.some(action => action.change === change)
  if (listBlockingEdits(plan).length > 0) return 'blocked'
  const change = (['create', 'resume', 'update'] as const).find(is)
  if (change !== undefined) return change
  const { different, unrecorded } = countCoverage(plan.fields)
  if (different > 0) return 'differs'
  return unrecorded > 0 ? 'unrecorded' : 'nothing'
}

/** Counts edits of immutable fields. */
export function countImmutable(edits: number): string {
  return edits === 1 ? '1 edit of an immutable field' : `${edits} edits of immutable fields`
}

/** Formats the result of a plan. */
export function describeDecision(plan: Plan): string {
  const updates = summarizePlan(plan).update > 0
  switch (classifyPlan(plan)) {
    case 'blocked':
      return `cannot be applied: ${countImmutable(listBlockingEdits(plan).length)}`
    case 'create':
      return `creates the organization, which cannot be undone${updates ? ', and then sets the upgrade policy' : ''}`
    case 'resume':
      if (plan.actions.some(({ reason }) => reason === 'submitted-before'))
        return 'watches an earlier request, and sends nothing again'
      return `waits for the configuration in progress${updates ? ', and then sets the upgrade policy' : ''}`
    case 'update':
      return 'sets the upgrade placement policy'
    case 'differs': {
      const { different } = countCoverage(plan.fields)
      const what = different === 1 ? '1 field differs' : `${different} fields differ`
      return `nothing to apply, although ${what} from the site or the last apply`
    }
    case 'unrecorded': {
      const { unrecorded, total } = countCoverage(plan.fields)
      return `nothing to apply, and ${unrecorded} of ${total} fields cannot be compared`
    }
    case 'nothing':
      return describeNoChange(countCoverage(plan.fields))
  }
}

/** Formats a plan for a cell of a table: its actions, such as `create, update`, or its result if it has none. */
export function listActions(plan: Plan): string {
  const changes = plan.actions.flatMap(({ change }) => (change === 'no-op' ? [] : [change]))
  return classifyPlan(plan) === 'blocked' || changes.length === 0
    ? describeDecision(plan)
    : changes.join(', ')
}

function describeNoChange({ equal, recorded, asserted }: Coverage): string {
  if (asserted > 0 && equal + recorded === 0)
    return 'nothing to apply, but the manifest was compared only with assertions, not with the site'
  if (equal + asserted === 0) return 'no changes since the last apply'
  const rest = asserted > 0 ? '; asserted fields match the assertion' : ''
  return `no changes. Every comparable field matches${rest}`
}

/** Describes a site without a record: the number of fields that therefore cannot be compared. */
export function describeUnrecorded({ unrecorded, total }: Coverage): string {
  return `${unrecorded} of ${total} fields cannot be compared: no apply is recorded here`
}

/** Suggests what to do about a site without a record; `adopt` is the command that records one. */
export function suggestRecord(adopt: string): readonly string[] {
  return [
    'if its state is kept elsewhere, pass that location with --state',
    `if the site matches the manifest, record that: \`${adopt}\``,
  ]
}

/** Formats the counts of a plan. */
export function formatPlanCounts(plan: Plan): string {
  const { create, update, resume, noOp } = summarizePlan(plan)
  return `${create} to create, ${update} to update, ${resume} to resume, ${noOp} unchanged`
}

/** Formats the state of the site and the version that it reports; or, if it was not observed, its assumed state. */
export function buildSitePhrase(plan: Plan): Phrase {
  const { site } = plan.binds
  if (site.state === 'not-observed')
    return phrase`The site was not observed: ${words(describeAssumedState(plan))}.`
  const at = site.version === null ? [] : phrase`, version ${site.version}`
  return phrase`The site is ${words(stateWords[site.state])}${at}.`
}

/** Names the secrets and files that were not available where a plan was made, each once. */
export function buildUncheckedPhrase(unchecked: readonly UncheckedReference[]): Phrase {
  const names = unchecked.map(({ place }) => ('env' in place ? place.env : place.file))
  return phrase`Not checked here: ${listTexts([...new Set(names)], 12)}. An apply reads them before anything is sent.`
}

/** The machine form of the secrets and files that were not checked. */
export function uncheckedDocument(unchecked: readonly UncheckedReference[]) {
  return unchecked.map(({ pointer, place }) => ({ pointer, ...place }))
}

function describeAssumedState({ actions, binds }: Plan) {
  const [configure] = actions
  if (configure?.change === 'no-op') return 'according to the last recorded apply it is configured'
  if (configure?.change === 'resume') return 'according to a recorded apply it is being configured'
  return binds.record === 0
    ? 'no apply is recorded here, so it is assumed not to be configured'
    : 'according to the record here it is not configured'
}

/** Formats the end of validity of a plan, or the reason why it can never be applied. */
export function buildValidityPhrase(plan: Plan): Phrase {
  return isObserved(plan)
    ? phrase`valid until ${plan.expiresAt}`
    : words('cannot be applied, because the site was not observed')
}

const stateWords = {
  'not-configured': 'not configured',
  'in-progress': 'being configured',
  ready: 'ready',
  failed: 'failed',
  unrecognized: 'in an undocumented state',
} as const satisfies Readonly<Record<Observation['kind'], string>>

/** The effect of a step and the reason for it. */
export const reasonWords: Readonly<Record<Action['reason'], string>> = {
  'not-configured': 'create the organization. This cannot be undone or repeated',
  'rejected-before':
    'create the organization, although the service rejected an earlier request. This cannot be undone or repeated',
  'submitted-before':
    'watch an earlier request, which may have been accepted although the site does not show it; nothing is sent again',
  'configuration-in-progress': 'wait for the configuration in progress',
  'already-configured': 'no change: the site is already configured',
  'never-applied': 'set the upgrade placement policy (not set yet)',
  'policy-changed': 'replace the upgrade placement policy, which differs',
  'cannot-be-read': 'set the upgrade placement policy; the current one cannot be read, and none is recorded',
  'policy-unchanged': 'no change: the placement policy matches the manifest',
}

/** Formats the fields that are sent back as the site reported them; undefined if there are none. */
export function buildKeptPhrase(action: Action): Phrase | undefined {
  const kept = action.change === 'update' ? action.kept : []
  return kept.length === 0 ? undefined : phrase`kept as reported by the site: ${listTexts(kept, 10)}`
}

export const unchangeable = 'immutable after creation: no public operation changes it'

/** Explains why an edit cannot be applied; an asserted value may also be wrong. */
export function describeEdit(edit: EditReason): string {
  const doubt = '. The previous value was asserted by a person, not applied or read'
  const words =
    edit.operation === undefined ? unchangeable : `Landform cannot change it; ${describeOtherOperation(edit)}`
  return `${words}${edit.asserted ? doubt : ''}`
}

type EditReason = Pick<ImmutableEdit, 'operation' | 'since' | 'effect' | 'asserted'>

/** Describes a service operation with which people can change a field: its first version, and its effect. */
export function describeOtherOperation({ operation, since, effect }: EditReason): string {
  const sources = `${since === undefined ? '' : `since ${since}, `}from public sources`
  return `use the service operation \`${operation}\` (${sources})${effect === undefined ? '' : `, which ${effect}`}`
}

/** Irreversible effects of a plan, under one heading. */
interface Irreversible {
  readonly title: string
  readonly things: readonly ImmutablePart[]
  /** The reason, and what to do about it, if that is not obvious. */
  readonly hint?: string
}

function listUndocumented({ actions: [configure] }: Plan): readonly ImmutablePart[] {
  if (configure?.change !== 'create' || configure.undocumented === undefined) return []
  const { version, reportedBy } = configure.undocumented
  const source = reportedBy === null ? 'without a public report' : `reported by: ${reportedBy}`
  return [{ pointer: '/spec/site/version', what: `the request, for service version ${version} (${source})` }]
}

const emptiedNames: Readonly<Record<string, string>> = {
  '/spec/upgrade/podPlacementPolicy/nodeAffinity': 'the node affinity of upgrade pods',
  '/spec/upgrade/podPlacementPolicy/tolerations': 'the tolerations of upgrade pods',
}

/** Lists the irreversible effects of a plan; empty if there are none. */
export function listIrreversible(plan: Plan): readonly Irreversible[] {
  const parts: readonly Irreversible[] = [
    { title: 'Immutable after this apply', things: listImmutableParts(plan) },
    {
      title: 'Based on public reports, not on the service document',
      things: listUndocumented(plan),
      hint: 'Rehearse it with `landform apply --emulate`, then apply it to a disposable site.',
    },
    {
      title: 'Sent empty, because the manifest does not have them',
      things: listEmptiedFields(plan).map(pointer => ({ pointer, what: emptiedNames[pointer] ?? pointer })),
      hint: 'Any value on the site would be removed. To keep it, add it to the manifest.',
    },
  ]
  return parts.filter(({ things }) => things.length > 0)
}

/** More fields than these are replaced by their sections. */
const maxNamed = 6

/** Formats the command-line options that ignore the given edits. */
export function formatIgnoreOptions(edits: readonly ImmutableEdit[]): string {
  return formatFieldOptions('--ignore-immutable', edits)
}

/** Formats the command that asserts that the site has the values of the manifest; `undefined` if none can be asserted. */
export function formatAssertCommand(adopt: string | undefined, plan: Plan): string | undefined {
  const edits = listAssertableEdits(plan)
  if (adopt === undefined || edits.length === 0) return undefined
  return `${adopt} ${formatFieldOptions('--field', edits)} --reason WHY`
}

/** Formats the command that records assertions about the site of a saved plan. */
export function nameAdopt({ manifest }: Pick<Plan, 'manifest'>): string {
  return `landform adopt ${shellWord(manifest)}`
}

/** The words before that command. */
export const assertWords = 'If the site already has these values, record that'

/** Differences that a plan does not change, with steps for a person. */
interface LeftDifferences {
  readonly title: string
  readonly fields: readonly DifferentField[]
  readonly steps: readonly string[]
}

/** Groups the differences that a plan does not change: a removed policy, and values that changed on the site. */
export function listLeft(plan: Plan, adopt: string): readonly LeftDifferences[] {
  const left = listLeftDifferences(plan)
  const isPolicy = ({ pointer }: DifferentField) => isBelow(pointer, '/spec/upgrade')
  const [policy, others] = [left.filter(isPolicy), left.filter(one => !isPolicy(one))]
  const [first] = others
  const groups = [
    {
      title: `${formatNumber(policy.length, 'field')} of the upgrade placement policy ${policy.length === 1 ? 'is no longer in the manifest, but remains' : 'are no longer in the manifest, but remain'} on the site`,
      fields: policy,
      steps: [
        'to remove the policy from the site, write `upgrade: { podPlacementPolicy: {} }` into the manifest, and apply',
        `to keep it on the site without comparing it: \`${adopt} --field spec.upgrade --reason WHY\``,
      ],
    },
    {
      title: `${formatNumber(others.length, 'immutable field')} ${others.length === 1 ? 'differs' : 'differ'} on the site`,
      fields: others,
      steps: [
        'write the value of the site into the manifest',
        `or change the site: \`landform explain ${formatDotted(first?.pointer ?? '')}\` names the service operation, if there is one`,
      ],
    },
  ]
  return groups.filter(({ fields }) => fields.length > 0)
}

function formatFieldOptions(option: string, edits: readonly ImmutableEdit[]): string {
  const fields = [...new Set(edits.map(({ pointer }) => findPlainField(pointer)))]
  const sections = fields.map(one => splitPointer(one).slice(0, 2).reduce<JsonPointer>(appendSegment, ''))
  const paths = (fields.length > maxNamed ? [...new Set(sections)] : fields).map(formatDotted)
  // zsh reads brackets as a pattern.
  return paths.map(path => `${option} ${path.includes('[') ? `'${path}'` : path}`).join(' ')
}

/** Finds the longest path to a field with plain names only, so that the command can be copied. */
function findPlainField(pointer: JsonPointer): JsonPointer {
  let field: JsonPointer = ''
  let isOpen = false
  for (const segment of splitPointer(pointer)) {
    const next = appendSegment(field, segment)
    // A map with arbitrary names has no schema for any of them.
    isOpen ||= findFieldSchema(field).additionalProperties === true
    if (!/^\w+$/.test(segment) || !(isOpen || Object.keys(findFieldSchema(next)).length > 0)) break
    field = next
  }
  return field
}

/** The settings of a site. */
export const settingWords: Readonly<Record<SettingName, string>> = {
  upgradeConfig: 'upgrade configuration',
  profile: 'architecture profile',
  availability: 'availability profile',
  performance: 'performance profile',
  logLevel: 'log level',
  systemProperties: 'system properties',
  cloudStorage: 'cloud storage',
}

/** Describes a stale saved plan by the facts that changed since it was made. */
export function describeStalePlan(moved: readonly StaleFact[]): string {
  return `saved plan is stale: ${moved.map(describeStaleFact).join('; ')}`
}

/** Each text is a whole clause. */
const wording: Wording<StaleFact> = {
  manifest: () => 'the manifest changed since it was made',
  file: ({ file }) => `the file ${display(file)} changed since it was made`,
  address: ({ was, is }) => `it was made for ${display(was)}, but this run is for ${display(is)}`,
  'state-location': facts => changed('the state location', facts),
  tool: facts => changed('the version of Landform', facts),
  schema: facts => changed('the version of the manifest schema', facts),
  'site-build': facts => changed('the build of the site', facts),
  'site-state': ({ was, is }) =>
    was === 'not-observed'
      ? `it was made without observing the site, which is ${is}`
      : changed('the state of the site', { was, is }),
  'site-version': ({ was, is }) =>
    changed('the version of the site', { was: was ?? 'unknown', is: is ?? 'unknown' }),
  'site-setting': ({ setting }) => `the ${settingWords[setting]} of the site changed since it was made`,
  record: ({ was, is }) => changed('the serial of the apply record', { was: String(was), is: String(is) }),
  'record-replaced': ({ serial }) => `the apply record with serial ${serial} is a different one`,
  'created-in-future': ({ createdAt }) => `it was made at ${createdAt}, which is in the future`,
  expired: ({ expiresAt }) => `it expired at ${expiresAt}`,
  'state-written': () => 'another run changed the state of the site',
  used: ({ usedAt }) => `it was already applied at ${usedAt}`,
  'other-plan': () => 'its manifest and its site lead to a different plan',
  'other-manifest': ({ manifest, named }) =>
    `it was made from ${display(manifest)}, not from ${display(named)}`,
  'manifest-elsewhere': ({ manifest }) =>
    `its manifest ${display(manifest)} is in neither this folder nor the folder of the plan`,
}

function changed(what: string, { was, is }: { readonly was: string; readonly is: string }): string {
  return `${what} changed from ${display(was)} to ${display(is)}`
}

/** Describes one reason why a saved plan is stale, as a clause. */
export function describeStaleFact(fact: StaleFact): string {
  return wordingFor(wording, fact)
}
