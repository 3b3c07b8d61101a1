import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { formatTaint } from '../../diagnostics/node-rejection.js'
import { appendSegment, type JsonPointer } from '../../diagnostics/pointer.js'
import { addPlace } from '../../manifest/field-places.js'
import type { Manifest } from '../../manifest/manifest.js'
import { listRejectingNodes, listTakingNodes, type PlacementPreview } from './preview.js'

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
