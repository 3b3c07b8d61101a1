import { demand } from '../../contract/placement.js'
import type { PodPlacementPolicy } from '../../manifest/manifest.js'
import { effortOf, type NodeVerdict, verdictsOf } from './node-verdict.js'
import type { ClusterNode } from './nodes.js'

/** The nodes of a cluster judged by a placement policy: plain data beside a plan, and no part of it. */
export interface PlacementPreview {
  /** `none`: the manifest has no policy, and does not change that of the site. */
  readonly policy: 'none' | 'without-demand' | 'with-demand'
  /** In the order of the list that was read. */
  readonly verdicts: readonly NodeVerdict[]
}

/** Judges every node. Without a policy nothing is demanded, and nothing tolerated. */
export function placementPreview(
  policy: PodPlacementPolicy | undefined,
  nodes: readonly ClusterNode[],
): PlacementPreview {
  const asked = policy ?? { nodeAffinity: {}, tolerations: [] }
  return {
    policy: policy === undefined ? 'none' : demand in asked.nodeAffinity ? 'with-demand' : 'without-demand',
    verdicts: nodes.map(verdictsOf(asked)),
  }
}

/** The nodes that take upgrade pods. */
export function takingNodes({ verdicts }: PlacementPreview): readonly NodeVerdict[] {
  return verdicts.filter(({ refusals }) => refusals.length === 0)
}

/** The nodes that do not, those first that need the fewest changes. */
export function refusingNodes({ verdicts }: PlacementPreview): readonly NodeVerdict[] {
  return verdicts.filter(({ refusals }) => refusals.length > 0).toSorted((a, b) => effortOf(a) - effortOf(b))
}
