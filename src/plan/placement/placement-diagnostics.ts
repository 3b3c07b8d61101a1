import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { child, type JsonPointer } from '../../diagnostics/pointer.js'
import { placed } from '../../manifest/field-places.js'
import type { Manifest } from '../../manifest/manifest.js'
import { type PlacementPreview, refusingNodes, takingNodes } from './preview.js'
import { taintText } from './taint.js'
import { reasonsOf } from './words.js'

const policy: JsonPointer = '/spec/upgrade/podPlacementPolicy'

/**
 * What is to be said when no node takes upgrade pods, or one only where Kubernetes tolerates more than the service
 * document says. Nothing of a manifest without a policy: the site may have one. Service §4.4 rules 2, 3.
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
    reason: reasonsOf(nearest)[0] ?? '',
    others: nearest.refusals.length - 1,
  }
  return [diagnose('placement/no-node', policy, facts)]
}

/** Of each toleration that nodes rely on, the first of them and how many they are. */
function wider(preview: PlacementPreview): readonly Diagnostic[] {
  const taking = takingNodes(preview)
  const relied = new Set(taking.flatMap(({ wider }) => wider.map(({ toleration }) => toleration)))
  return [...relied]
    .sort((a, b) => a - b)
    .flatMap(index => {
      const relying = taking.filter(({ wider }) => wider.some(({ toleration }) => toleration === index))
      const taint = relying[0]?.wider.find(({ toleration }) => toleration === index)?.taint
      if (relying[0] === undefined || taint === undefined) return []
      const facts = { node: relying[0].node, taint: taintText(taint), count: relying.length }
      return [diagnose('placement/toleration-wider', child(child(policy, 'tolerations'), index), facts)]
    })
}
