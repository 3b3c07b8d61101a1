import type { FieldPlace, FieldPlaces, Manifest, PodPlacementPolicy } from '../../src/manifest/manifest.js'
import { appendSegment, type JsonPointer } from '../../src/schema/pointer.js'
import { anOrganization } from './an-organization.js'

/** Returns a placement policy with one toleration, which has this key. */
export function aPolicy(key = 'dedicated'): PodPlacementPolicy {
  return {
    nodeAffinity: {},
    tolerations: [{ key, operator: 'Equal', value: 'upgrades', effect: 'NoSchedule' }],
  }
}

/** Returns a checked manifest without a policy. The line of each field is its depth, see `lineOf`. */
export function aManifest(changes: Partial<Manifest> = {}): Manifest {
  const content = {
    name: 'production',
    site: { url: 'https://gis.example.org/arcgis/admin', version: '11.2', token: { env: 'LANDFORM_TOKEN' } },
    organization: anOrganization(),
    file: 'site.yaml',
    digest: `sha256:${'a'.repeat(64)}`,
    bases: [],
    ...changes,
  } as const
  return { places: placesByDepth(content), ...content }
}

function placesByDepth(
  { site, state, organization, policy }: Omit<Manifest, 'places'>,
  file = 'site.yaml',
): FieldPlaces {
  const spec = { ...organization, site, state, upgrade: { podPlacementPolicy: policy } }
  const known = pointersIn({ spec }).map(pointer => [pointer, onOneLine(file, lineOf(pointer))])
  return { known: Object.fromEntries(known) }
}

/** Returns the place of a field that occupies one line. */
export function onOneLine(file: string, line: number): FieldPlace {
  const place = { file, start: { line, column: 3 }, end: { line, column: 9 } }
  return { key: place, value: place, way: [] }
}

function pointersIn(value: unknown, at: JsonPointer = ''): readonly JsonPointer[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [
    at,
    ...Object.entries(value).flatMap(([name, member]) => pointersIn(member, appendSegment(at, name))),
  ]
}

/** Returns the line of a field in `aManifest`. */
export function lineOf(pointer: JsonPointer): number {
  return pointer.split('/').length
}
