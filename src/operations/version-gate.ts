import { includes, type ServiceVersion, since } from '../contract/versions.js'

type Gated = Extract<Parameters<typeof since>[0], 'exportSite' | 'exportSite validate' | 'deleteAll'>

/** Something a version of the service does not have, and the first that does. Service §9. */
export interface Gate {
  readonly what: Gated
  readonly since: ServiceVersion
}

/** The first of these that a version lacks. A version that nobody named lacks nothing: the service decides. */
export function gateOf(version: ServiceVersion | undefined, needs: readonly Gated[]): Gate | undefined {
  const gates = needs.map(what => ({ what, since: since(what) }))
  return version === undefined ? undefined : gates.find(gate => !includes(version, gate.since))
}
