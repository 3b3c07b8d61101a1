import { demand } from '../../contract/placement.js'
import type { PodPlacementPolicy } from '../../manifest/manifest.js'
import { countRequiredChanges, evaluateNode, type NodeFit } from './node-fit.js'
import type { ClusterNode } from './nodes.js'

/** The nodes of a cluster evaluated against a placement policy; not part of the plan. */
export interface PlacementPreview {
  /** `none`: the manifest has no policy, and the policy of the site stays. */
  readonly policy: 'none' | 'without-demand' | 'with-demand'
  /** In the order of the list that was read. */
  readonly fits: readonly NodeFit[]
}

/** Evaluates every node. Without a policy nothing is demanded, and nothing tolerated. */
export function previewPlacement(
  policy: PodPlacementPolicy | undefined,
  nodes: readonly ClusterNode[],
): PlacementPreview {
  const asked = policy ?? { nodeAffinity: {}, tolerations: [] }
  return {
    policy: policy === undefined ? 'none' : demand in asked.nodeAffinity ? 'with-demand' : 'without-demand',
    fits: nodes.map(node => evaluateNode(asked, node)),
  }
}

/** Lists the nodes that take upgrade pods. */
export function listTakingNodes({ fits }: PlacementPreview): readonly NodeFit[] {
  return fits.filter(({ rejections }) => rejections.length === 0)
}

/** Lists the nodes that do not take upgrade pods; those that need the fewest changes come first. */
export function listRejectingNodes({ fits }: PlacementPreview): readonly NodeFit[] {
  return fits
    .filter(({ rejections }) => rejections.length > 0)
    .toSorted((a, b) => countRequiredChanges(a) - countRequiredChanges(b))
}
