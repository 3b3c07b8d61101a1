import { demand } from '../../contract/placement.js'
import { describeRejection, formatTaint } from '../../diagnostics/node-rejection.js'
import { child, type JsonPointer } from '../../diagnostics/pointer.js'
import type { NodeVerdict, Refusal } from '../../plan/placement/node-verdict.js'
import { type PlacementPreview, takingNodes } from '../../plan/placement/preview.js'
import type { StoragePreview } from '../../plan/placement/storage-preview.js'

const policy: JsonPointer = '/spec/upgrade/podPlacementPolicy'

/** The machine form of a placement preview: the member `placement` of a plan. */
export function placementDocument(preview: PlacementPreview) {
  return {
    policy: preview.policy,
    nodes: preview.verdicts.length,
    taking: takingNodes(preview).length,
    verdicts: preview.verdicts.map(verdictDocument),
  }
}

function verdictDocument({ node, ready, refusals, wider, preferred }: NodeVerdict) {
  return {
    node,
    takes: refusals.length === 0,
    ready: ready ?? null,
    ...(preferred !== undefined && { preferred }),
    refusals: refusals.map(refusalDocument),
    wider: wider.map(({ toleration, taint }) => ({
      pointer: child(child(policy, 'tolerations'), toleration),
      taint: formatTaint(taint),
    })),
  }
}

function refusalDocument(refusal: Refusal) {
  const { kind } = refusal
  const message = describeRejection(refusal)
  if (kind === 'taint') return { kind, message, taint: formatTaint(refusal.taint) }
  const terms = child(child(child(policy, 'nodeAffinity'), demand), 'nodeSelectorTerms')
  const expressions = child(child(terms, refusal.term), 'matchExpressions')
  const failed = refusal.failed.map(({ index, found }) => ({
    pointer: child(expressions, index),
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
