import { includes, type ServiceVersion, since } from '../contract/versions.js'

type Gated = Extract<Parameters<typeof since>[0], 'exportSite' | 'exportSite validate' | 'deleteAll'>

/** A feature that a version of the service lacks, and the first version that has it. Service §9. */
export interface Gate {
  readonly what: Gated
  readonly since: ServiceVersion
}

/** Finds the first of these features that a version lacks. An unknown version lacks nothing: the service decides. */
export function gateOf(version: ServiceVersion | undefined, needs: readonly Gated[]): Gate | undefined {
  const gates = needs.map(what => ({ what, since: since(what) }))
  return version === undefined ? undefined : gates.find(gate => !includes(version, gate.since))
}
