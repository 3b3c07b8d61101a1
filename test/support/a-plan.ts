import { noSettings, type Observation, type SiteFacts } from '../../src/plan/observation.js'
import type { Plan } from '../../src/plan/plan.js'
import { plan } from '../../src/plan/planner.js'
import { emptyRecord, type Situation } from '../../src/plan/situation.js'
import { aManifest } from './a-manifest.js'

const licenseDigest = `sha256:${'b'.repeat(64)}`
const url = 'https://gis.example.org/arcgis/admin'

/** Returns the facts that a site of the declared version reports beside its state. */
export function siteFacts(changes: Partial<SiteFacts> = {}): SiteFacts {
  return { version: '11.2.0', warnings: [], stages: [], ...changes }
}

export const notConfigured: Observation = { kind: 'not-configured', ...siteFacts() }
export const inProgress: Observation = { kind: 'in-progress', ...siteFacts() }
export const ready: Observation = { kind: 'ready', ...siteFacts() }

/** Returns the situation of a new site, with the given changes. */
export function aSituation(changes: Partial<Situation> = {}): Situation {
  return {
    desired: aManifest(),
    observed: notConfigured,
    record: emptyRecord,
    url,
    settings: noSettings('not-offered'),
    files: { 'licenses/site.json': licenseDigest },
    licenses: { '/spec/license/file': licenseDigest },
    ignored: [],
    lifetimeMs: 24 * 3_600_000,
    now: Date.UTC(2026, 2, 4, 5, 6, 7, 89),
    tool: 'landform 0.1.0',
    ...changes,
  }
}

/** Plans a situation. Throws if there is no plan. */
export function aPlan(changes: Partial<Situation> = {}): Plan {
  const planned = plan(aSituation(changes))
  if (!planned.ok) throw new Error(`no plan: ${planned.error.kind}`)
  return planned.value
}
