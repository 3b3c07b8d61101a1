import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Manifest } from '../../manifest/manifest.js'
import { placementDiagnostics } from '../../plan/placement/placement-diagnostics.js'
import { placementPreview } from '../../plan/placement/preview.js'
import { storageDiagnostics } from '../../plan/placement/storage-diagnostics.js'
import { storagePreview } from '../../plan/placement/storage-preview.js'
import type { Plan } from '../../plan/plan.js'
import { placementSection } from '../../report/plan/placement-section.js'
import { placementDocument, storageDocument } from '../../report/plan/preview-json.js'
import { storageSection } from '../../report/plan/storage-section.js'
import type { Section } from '../../report/section.js'
import type { Cluster } from './cluster-files.js'

/** What a cluster makes of a manifest, in every form that a plan is shown in. It stands beside the plan, not in it. */
export interface ClusterPreview {
  readonly diagnostics: readonly Diagnostic[]
  /** Members of the JSON document of the plan. */
  readonly members: object
  /** What every other form of it shows. */
  readonly sections: readonly Section[]
}

/** Of a site that is there already the storage classes are only shown: its volumes are made. */
export function clusterPreview(manifest: Manifest, { actions }: Plan, cluster: Cluster): ClusterPreview {
  const { nodes, storageClasses } = cluster
  const placement = nodes && placementPreview(manifest.policy, nodes)
  const storage = storageClasses && storagePreview(manifest, storageClasses)
  const creates = actions.some(({ change }) => change === 'create')
  return {
    diagnostics: [
      ...(storage && creates ? storageDiagnostics(manifest, storage) : []),
      ...(placement ? placementDiagnostics(manifest, placement) : []),
    ],
    members: {
      ...(placement && { placement: placementDocument(placement) }),
      ...(storage && { storage: storageDocument(storage) }),
    },
    sections: [
      ...(placement ? [placementSection(placement)] : []),
      ...(storage ? [storageSection(storage)] : []),
    ],
  }
}
