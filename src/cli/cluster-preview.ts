import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Manifest } from '../manifest/manifest.js'
import { placementDiagnostics } from '../plan/placement/placement-diagnostics.js'
import { placementPreview } from '../plan/placement/preview.js'
import { storageDiagnostics } from '../plan/placement/storage-diagnostics.js'
import { storagePreview } from '../plan/placement/storage-preview.js'
import type { Plan } from '../plan/plan.js'
import type { Paint } from '../report/paint.js'
import { formatPlacement } from '../report/placement-text.js'
import { placementDocument, storageDocument } from '../report/preview-json.js'
import { placementSection, storageSection } from '../report/preview-sections.js'
import type { Section } from '../report/section.js'
import { formatStorage } from '../report/storage-text.js'
import type { Cluster } from './cluster-files.js'

/** What a cluster makes of a manifest, in every form that a plan is shown in. It stands beside the plan, not in it. */
export interface ClusterPreview {
  readonly diagnostics: readonly Diagnostic[]
  /** Members of the JSON document of the plan. */
  readonly members: object
  /** The same for Markdown and HTML. */
  readonly sections: readonly Section[]
  /** The same for text. */
  lines(paint: Paint): readonly string[]
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
    lines: paint => [
      ...(placement ? [formatPlacement(placement, paint)] : []),
      ...(storage ? [formatStorage(storage, paint)] : []),
    ],
  }
}
