import { join } from 'node:path'
import { noSettings } from '../../src/plan/observation.js'
import type { PlanDocument } from '../../src/plan/plan.js'
import { plan } from '../../src/plan/planner.js'
import { buildPlanDocument } from '../../src/plan/saved/plan-document.js'
import { emptyRecord } from '../../src/plan/situation.js'
import { bindFiles } from '../../src/secrets/resolve.js'
import { secretSource } from '../../src/secrets/secret-source.js'
import { exampleStages } from './example-events.js'
import { loadExampleManifest } from './example-manifests.js'

/** Plans an example whose site is already being configured: the plan is short enough to show in full. */
export async function planExample(root: string): Promise<PlanDocument> {
  const desired = loadExampleManifest(root, 'quickstart')
  const bound = await bindFiles(desired.organization, secretSource({}, join(root, 'examples')))
  if (!bound.ok) throw new Error('the files of the example cannot be read')
  const planned = plan({
    desired,
    observed: { kind: 'in-progress', version: '11.2.0', warnings: [], stages: exampleStages },
    settings: noSettings('not-asked'),
    record: emptyRecord,
    url: desired.site.url,
    files: bound.value.digests,
    licenses: bound.value.licenses,
    ignored: [],
    now: Date.UTC(2026, 2, 4, 5, 6, 7),
    lifetimeMs: 24 * 3_600_000,
    tool: 'landform/0.1.0',
  })
  if (!planned.ok) throw new Error('the example has no plan')
  return buildPlanDocument(planned.value)
}
