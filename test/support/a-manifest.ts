import type { JsonPointer } from '../../src/diagnostics/pointer.js'
import type { Manifest, PodPlacementPolicy } from '../../src/manifest/manifest.js'
import { anOrganization } from './an-organization.js'

/** A placement policy of one toleration, told apart by its key. */
export function aPolicy(key = 'dedicated'): PodPlacementPolicy {
  return {
    nodeAffinity: {},
    tolerations: [{ key, operator: 'Equal', value: 'upgrades', effect: 'NoSchedule' }],
  }
}

/** A checked manifest without a policy, every field of which stands on a line of its own: that of its depth. */
export function aManifest(changes: Partial<Manifest> = {}): Manifest {
  const file = 'site.yaml'
  return {
    name: 'production',
    site: { url: 'https://gis.example.org/arcgis/admin', version: '11.2', token: { env: 'LANDFORM_TOKEN' } },
    organization: anOrganization(),
    file,
    digest: `sha256:${'a'.repeat(64)}`,
    bases: [],
    related: () => [],
    place: pointer => ({
      file,
      start: { line: lineOf(pointer), column: 3 },
      end: { line: lineOf(pointer), column: 9 },
    }),
    ...changes,
  }
}

/** The line on which `aManifest` has a field. */
export function lineOf(pointer: JsonPointer): number {
  return pointer.split('/').length
}
