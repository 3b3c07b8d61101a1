import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { formatTaint } from '../../diagnostics/node-rejection.js'
import { child, type JsonPointer } from '../../diagnostics/pointer.js'
import { placed } from '../../manifest/field-places.js'
import type { Manifest } from '../../manifest/manifest.js'
import { type PlacementPreview, refusingNodes, takingNodes } from './preview.js'

const policy: JsonPointer = '/spec/upgrade/podPlacementPolicy'

/**
 * Warns when no node takes upgrade pods, or when one takes them only because Kubernetes tolerates more than the service
 * document does. A manifest without a policy gets no diagnostics: the site may have one. Service §4.4 rules 2, 3.
 */
export function placementDiagnostics(manifest: Manifest, preview: PlacementPreview): readonly Diagnostic[] {
  if (preview.policy === 'none') return []
  return [...nowhere(preview), ...wider(preview)].map(one => placed(manifest, one))
}

function nowhere(preview: PlacementPreview): readonly Diagnostic[] {
  const [nearest] = refusingNodes(preview)
  if (nearest === undefined || takingNodes(preview).length > 0) return []
  const facts = {
    nodes: preview.verdicts.length,
    nearest: nearest.node,
    rejections: nearest.refusals,
  }
  return [diagnose('placement/no-node', policy, facts)]
}

/** Reports each toleration that nodes rely on, with the first of these nodes and their number. */
function wider(preview: PlacementPreview): readonly Diagnostic[] {
  const taking = takingNodes(preview)
  const relied = new Set(taking.flatMap(({ wider }) => wider.map(({ toleration }) => toleration)))
  return [...relied]
    .sort((a, b) => a - b)
    .flatMap(index => {
      const relying = taking.filter(({ wider }) => wider.some(({ toleration }) => toleration === index))
      const taint = relying[0]?.wider.find(({ toleration }) => toleration === index)?.taint
      if (relying[0] === undefined || taint === undefined) return []
      const facts = { node: relying[0].node, taint: formatTaint(taint), count: relying.length }
      return [diagnose('placement/toleration-wider', child(child(policy, 'tolerations'), index), facts)]
    })
}
