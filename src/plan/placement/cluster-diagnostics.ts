import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { formatTaint } from '../../diagnostics/node-rejection.js'
import { appendSegment, type JsonPointer } from '../../diagnostics/pointer.js'
import { findSimilar } from '../../manifest/did-you-mean.js'
import { addPlace } from '../../manifest/field-places.js'
import type { Manifest } from '../../manifest/manifest.js'
import { listRejectingNodes, listTakingNodes, type PlacementPreview } from './node-fit.js'
import type { NamedClass, StoragePreview } from './storage.js'

const policy: JsonPointer = '/spec/upgrade/podPlacementPolicy'

/**
 * Warns when no node takes upgrade pods, or when one takes them only because Kubernetes tolerates more than the service
 * document does. A manifest without a policy gets no diagnostics: the site may have one. Service §4.4 rules 2, 3.
 */
export function placementDiagnostics(manifest: Manifest, preview: PlacementPreview): readonly Diagnostic[] {
  if (preview.policy === 'none') return []
  return [...diagnoseNoNode(preview), ...diagnoseWiderTolerations(preview)].map(one =>
    addPlace(manifest, one),
  )
}

function diagnoseNoNode(preview: PlacementPreview): readonly Diagnostic[] {
  const [nearest] = listRejectingNodes(preview)
  if (nearest === undefined || listTakingNodes(preview).length > 0) return []
  const facts = {
    nodes: preview.fits.length,
    nearest: nearest.node,
    rejections: nearest.rejections,
  }
  return [diagnose('placement/no-node', policy, facts)]
}

/** Reports each toleration that nodes rely on, with the first of these nodes and their number. */
function diagnoseWiderTolerations(preview: PlacementPreview): readonly Diagnostic[] {
  const taking = listTakingNodes(preview)
  const relied = new Set(taking.flatMap(({ wider }) => wider.map(({ toleration }) => toleration)))
  return [...relied]
    .sort((a, b) => a - b)
    .flatMap(index => {
      const relying = taking.filter(({ wider }) => wider.some(({ toleration }) => toleration === index))
      const taint = relying[0]?.wider.find(({ toleration }) => toleration === index)?.taint
      if (relying[0] === undefined || taint === undefined) return []
      const facts = { node: relying[0].node, taint: formatTaint(taint), count: relying.length }
      return [
        diagnose(
          'placement/toleration-wider',
          appendSegment(appendSegment(policy, 'tolerations'), index),
          facts,
        ),
      ]
    })
}

/**
 * Checks the storage classes of a manifest before its site is created: a missing class is reported once, at the first
 * volume that names it. Kubernetes; public sources for the rest.
 */
export function storageDiagnostics(
  manifest: Manifest,
  { classes, available }: StoragePreview,
): readonly Diagnostic[] {
  return classes.flatMap(one => diagnoseClass(one, available)).map(one => addPlace(manifest, one))
}

function diagnoseClass(
  { name, components, found, faults }: NamedClass,
  available: readonly string[],
): readonly Diagnostic[] {
  const at = `/spec/volumes/${components[0]}/storageClass` as const
  if (found === undefined)
    return [
      diagnose('volume/no-such-storage-class', at, {
        name,
        components,
        suggestion: findSimilar(name, available),
        available,
      }),
    ]
  const facts = { name, components, mode: found.volumeBindingMode, policy: found.reclaimPolicy }
  return faults.map(fault => diagnose(codes[fault], at, facts))
}

const codes = {
  'cannot-expand': 'volume/class-cannot-expand',
  'binds-at-once': 'volume/class-binds-at-once',
  'keeps-volumes': 'volume/class-keeps-volumes',
} as const
