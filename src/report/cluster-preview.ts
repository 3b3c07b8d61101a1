import { demand } from '../contract/placement.js'
import { describeRejection, describeRejections, formatTaint } from '../diagnostics/node-rejection.js'
import { appendSegment, type JsonPointer } from '../diagnostics/pointer.js'
import { type Wording, wordingFor } from '../diagnostics/wording.js'
import type { ClusterKind, ClusterListFailure, ListFault } from '../plan/placement/cluster-list.js'
import {
  listRejectingNodes,
  listTakingNodes,
  type NodeFit,
  type NodeRejection,
  type PlacementPreview,
} from '../plan/placement/node-fit.js'
import type { NamedClass, StorageFault, StoragePreview } from '../plan/placement/storage.js'
import {
  joinPhrases,
  listTexts,
  type Phrase,
  phrase,
  type Section,
  type SectionRow,
  words,
} from './phrase.js'

/** Longer lists are not read; the JSON document has all nodes. */
const maxNodes = 10
const maxReasons = 2
const maxCharacters = 240

/** Builds the section about the nodes that accept upgrade pods, and the reasons of those that do not, closest first. */
export function buildPlacementSection(preview: PlacementPreview): Section {
  const taking = listTakingNodes(preview)
  return {
    title: 'Upgrade pods',
    tone: taking.length === 0 ? 'bad' : 'good',
    lead: buildLead(preview, taking.length),
    columns: ['Node', 'Upgrade pods'],
    rows: [...buildTakingRows(taking), ...buildRejectingRows(listRejectingNodes(preview))],
  }
}

function buildLead({ policy, fits: { length } }: PlacementPreview, taking: number): Phrase {
  return policy === 'none'
    ? phrase`${taking} of ${length} nodes take pods without tolerations; the manifest has no placement policy.`
    : phrase`${taking} of ${length} nodes satisfy the policy.`
}

/** Nodes with the same result share a row, preferred and ready ones first. */
function buildTakingRows(taking: readonly NodeFit[]): readonly SectionRow[] {
  return [true, undefined, false].flatMap(preferred =>
    [true, false].flatMap((ready): readonly SectionRow[] => {
      const nodes = taking.filter(one => one.preferred === preferred && (one.ready !== false) === ready)
      if (nodes.length === 0) return []
      const names = listTexts(
        nodes.map(({ node }) => node),
        maxNodes,
      )
      const result = words(`${describeTaking(nodes.length, preferred)}${ready ? '' : unready}`)
      return [{ sign: ready ? '+' : '!', cells: [names, result] }]
    }),
  )
}

/** An unmet preference never rejects a pod. */
function describeTaking(count: number, preferred: boolean | undefined): string {
  const take = count === 1 ? 'takes them' : 'take them'
  if (preferred === undefined) return take
  return preferred ? `${take}, preferred` : `${take}, though not preferred`
}

/** The scheduler checks taints, and a node that is not ready gets one soon. */
const unready = '; not ready, though not tainted yet'

function buildRejectingRows(refusing: readonly NodeFit[]): readonly SectionRow[] {
  // A row for "1 more" would save nothing.
  const shown = refusing.length <= maxNodes + 1 ? refusing : refusing.slice(0, maxNodes)
  const rest = refusing.length - shown.length
  const rows = shown.map(one => ({ sign: '-', cells: [phrase`${one.node}`, buildReasons(one)] }) as const)
  const more = { sign: '-', cells: [phrase`and ${rest} more`, words('--format json lists all')] } as const
  return rest === 0 ? rows : [...rows, more]
}

function buildReasons(verdict: NodeFit): Phrase {
  const reasons = describeRejections(verdict.rejections)
  const rest = reasons.length - maxReasons
  const shown = reasons.slice(0, maxReasons).map(reason => phrase`${cutText(reason)}`)
  return phrase`${joinPhrases(shown, '; ')}${words(rest > 0 ? `; and ${rest} more` : '')}`
}

function cutText(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}

/** Builds the section about the storage classes of the manifest and those in the cluster. */
export function buildStorageSection({ classes, others }: StoragePreview): Section {
  const there = classes.filter(({ found }) => found !== undefined).length
  return {
    title: 'Storage classes',
    tone: there < classes.length ? 'bad' : 'good',
    lead:
      classes.length === 0
        ? words('No storage class provisions a volume of the manifest.')
        : phrase`${there} of ${classes.length} that the manifest names exist in the cluster.`,
    columns: ['Storage class', 'Volumes', 'In the cluster'],
    rows: [...classes.map(buildClassRow), ...(others.length === 0 ? [] : [buildOtherRow(others)])],
  }
}

function buildClassRow({ name, components, found, faults }: NamedClass): SectionRow {
  const said = found === undefined ? 'does not exist' : faults.map(fault => faultWords[fault]).join(', ')
  return {
    sign: found === undefined ? '-' : faults.length > 0 ? '!' : '+',
    cells: [phrase`${name}`, formatVolumes(components), words(said === '' ? 'exists' : said)],
  }
}

function buildOtherRow(others: StoragePreview['others']): SectionRow {
  return {
    sign: '?',
    cells: [words('none'), formatVolumes(others), words('not checked, because no class provisions them')],
  }
}

function formatVolumes(components: StoragePreview['others']): Phrase {
  return components.length > 2 ? phrase`${components.length} volumes` : listTexts(components, 2)
}

const faultWords: Readonly<Record<StorageFault, string>> = {
  'cannot-expand': 'volumes cannot be expanded',
  'binds-at-once': 'volumes are provisioned before their pods are scheduled',
  'keeps-volumes': 'volumes are retained after their claims are deleted',
}

const policy: JsonPointer = '/spec/upgrade/podPlacementPolicy'

/** The machine form of a placement preview: the member `placement` of a plan. */
export function placementDocument(preview: PlacementPreview) {
  return {
    policy: preview.policy,
    nodes: preview.fits.length,
    taking: listTakingNodes(preview).length,
    verdicts: preview.fits.map(nodeDocument),
  }
}

function nodeDocument({ node, ready, rejections, wider, preferred }: NodeFit) {
  return {
    node,
    takes: rejections.length === 0,
    ready: ready ?? null,
    ...(preferred !== undefined && { preferred }),
    refusals: rejections.map(rejectionDocument),
    wider: wider.map(({ toleration, taint }) => ({
      pointer: appendSegment(appendSegment(policy, 'tolerations'), toleration),
      taint: formatTaint(taint),
    })),
  }
}

function rejectionDocument(rejection: NodeRejection) {
  const { kind } = rejection
  const message = describeRejection(rejection)
  if (kind === 'taint') return { kind, message, taint: formatTaint(rejection.taint) }
  const terms = appendSegment(
    appendSegment(appendSegment(policy, 'nodeAffinity'), demand),
    'nodeSelectorTerms',
  )
  const expressions = appendSegment(appendSegment(terms, rejection.term), 'matchExpressions')
  const failed = rejection.failed.map(({ index, found }) => ({
    pointer: appendSegment(expressions, index),
    found: found ?? null,
  }))
  return { kind, message, failed }
}

/** The machine form of a storage preview: the member `storage` of a plan. */
export function storageDocument({ classes, others }: StoragePreview) {
  return {
    classes: classes.map(({ name, components, found, faults }) => {
      const { name: _, ...said } = found ?? { name }
      return { name, components, exists: found !== undefined, ...said, faults }
    }),
    others,
  }
}

const types: Readonly<Record<Extract<ListFault, { readonly kind: 'wrong-type' }>['expected'], string>> = {
  list: 'a list',
  object: 'an object',
  'list-or-object': 'a list or an object',
  boolean: 'true or false',
}

const texts: Readonly<Record<Extract<ListFault, { readonly kind: 'wrong-text' }>['is'], string>> = {
  name: 'a name',
  label: 'a label',
  'taint-key': 'a taint key',
  'taint-value': 'a taint value',
  word: 'a word',
}

/** Each text ends a sentence that begins with the place. */
const wording: Wording<ListFault> = {
  'too-large': ({ limitBytes }) => `is larger than ${limitBytes / 1024 / 1024} MiB`,
  empty: () => 'is empty',
  'not-json': () => 'is not valid JSON in UTF-8',
  'wrong-type': ({ expected }) => `is not ${types[expected]}`,
  'wrong-kind': ({ expected }) => `is not ${expected.map(kind => `\`${kind}\``).join(' or ')}`,
  'wrong-value': ({ expected }) => `is not one of ${expected.join(', ')}`,
  'wrong-text': ({ is, longest }) => `is not ${texts[is]} of at most ${longest} characters`,
  'too-many': ({ of, limit }) => `has more than ${limit} ${of}`,
  'duplicate-name': () => 'repeats the name of an earlier element',
  'no-nodes': () => 'lists no nodes',
}

/** Describes a fault in a list of a cluster, after its place. */
export function describeListFault(fault: ListFault): string {
  return wordingFor(wording, fault)
}

const plurals: Readonly<Record<ClusterKind<never>['kind'], string>> = {
  Node: 'nodes',
  StorageClass: 'storageclasses',
}

/** Names the command that makes a usable list. */
export function listRemedy({ kind, fault }: ClusterListFailure): string {
  return fault.kind === 'no-nodes'
    ? 'check that kubectl uses the right cluster and may list its nodes'
    : `create the file with: kubectl get ${plurals[kind]} -o json`
}
