import { demand } from '../../contract/placement.js'
import { describeRejection, formatTaint } from '../../diagnostics/node-rejection.js'
import { appendSegment, type JsonPointer } from '../../diagnostics/pointer.js'
import type { NodeFit, NodeRejection } from '../../plan/placement/node-fit.js'
import { listTakingNodes, type PlacementPreview } from '../../plan/placement/preview.js'
import type { StoragePreview } from '../../plan/placement/storage-preview.js'

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
