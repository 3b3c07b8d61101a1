import { findIntroduction, includes, type ServiceVersion } from '../contract/versions.js'

type GatedFeature = Extract<
  Parameters<typeof findIntroduction>[0],
  'exportSite' | 'exportSite validate' | 'deleteAll'
>

/** A feature that a version of the service lacks, and the first version that has it. Service §9. */
export interface VersionGate {
  readonly what: GatedFeature
  readonly since: ServiceVersion
}

/** Finds the first of these features that a version lacks. An unknown version lacks nothing: the service decides. */
export function findVersionGate(
  version: ServiceVersion | undefined,
  needs: readonly GatedFeature[],
): VersionGate | undefined {
  const gates = needs.map(what => ({ what, since: findIntroduction(what) }))
  return version === undefined ? undefined : gates.find(gate => !includes(version, gate.since))
}
