import type { UpdateRequest } from '../../src/client/wire/form-requests.js'
import type { PodPlacementPolicy } from '../../src/manifest/manifest.js'
import type { JsonObject } from '../../src/schema/json-schema.js'

/** Returns the request that sets a policy on a site whose settings are unknown. */
export function anUpdate(policy: PodPlacementPolicy): UpdateRequest {
  return { upgradeConfig: { podPlacementPolicy: policy as unknown as JsonObject } }
}
